package dev.turntable.transport;

import java.io.IOException;
import org.bouncycastle.tls.AlertDescription;
import org.bouncycastle.tls.ContentType;
import org.bouncycastle.tls.ProtocolVersion;
import org.bouncycastle.tls.TlsFatalAlert;
import org.bouncycastle.tls.crypto.TlsCipher;
import org.bouncycastle.tls.crypto.TlsDecodeResult;
import org.bouncycastle.tls.crypto.TlsEncodeResult;

/**
 * A cipher for records that anybody may send under a client's address: one that cannot be opened is dropped, whatever is wrong with it, and
 * never ends the association (RFC 6347 §4.1.2.7). Of handshake messages it lets none pass that claims to be long.
 */
record DtlsCipher(TlsCipher cipher) implements TlsCipher {
    /** Of what is sent under a key there is only Finished. */
    private static final int LONGEST_MESSAGE_BYTES = 256;

    @Override
    public TlsDecodeResult decodeCiphertext(
            long sequence, short type, ProtocolVersion version, byte[] ciphertext, int offset, int length)
            throws IOException {
        TlsDecodeResult opened;
        try {
            opened = cipher.decodeCiphertext(sequence, type, version, ciphertext, offset, length);
        } catch (IOException | RuntimeException e) {
            throw new TlsFatalAlert(AlertDescription.bad_record_mac, e);
        }
        // The length is behind the type.
        if (opened.contentType == ContentType.handshake
                && (opened.len < 4 || DtlsRecords.uint24(opened.buf, opened.off + 1) > LONGEST_MESSAGE_BYTES)) {
            throw new TlsFatalAlert(AlertDescription.bad_record_mac);
        }
        return opened;
    }

    @Override
    public TlsEncodeResult encodePlaintext(
            long sequence,
            short type,
            ProtocolVersion version,
            int headerAllocation,
            byte[] plaintext,
            int offset,
            int length)
            throws IOException {
        return cipher.encodePlaintext(sequence, type, version, headerAllocation, plaintext, offset, length);
    }

    @Override
    public int getCiphertextDecodeLimit(int plaintextLimit) {
        return cipher.getCiphertextDecodeLimit(plaintextLimit);
    }

    @Override
    public int getCiphertextEncodeLimit(int plaintextLimit) {
        return cipher.getCiphertextEncodeLimit(plaintextLimit);
    }

    @Override
    public int getPlaintextDecodeLimit(int ciphertextLimit) {
        return cipher.getPlaintextDecodeLimit(ciphertextLimit);
    }

    @Override
    public int getPlaintextEncodeLimit(int ciphertextLimit) {
        return cipher.getPlaintextEncodeLimit(ciphertextLimit);
    }

    @Override
    public void rekeyDecoder() throws IOException {
        cipher.rekeyDecoder();
    }

    @Override
    public void rekeyEncoder() throws IOException {
        cipher.rekeyEncoder();
    }

    @Override
    public boolean usesOpaqueRecordTypeDecode() {
        return cipher.usesOpaqueRecordTypeDecode();
    }

    @Override
    public boolean usesOpaqueRecordTypeEncode() {
        return cipher.usesOpaqueRecordTypeEncode();
    }
}
