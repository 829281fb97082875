package dev.turntable.transport;

import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.security.GeneralSecurityException;
import java.security.KeyFactory;
import java.security.PrivateKey;
import java.security.cert.CertificateFactory;
import java.security.cert.X509Certificate;
import java.security.spec.PKCS8EncodedKeySpec;
import java.util.ArrayList;
import java.util.Base64;
import java.util.List;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import javax.crypto.Cipher;
import javax.crypto.EncryptedPrivateKeyInfo;
import javax.crypto.SecretKeyFactory;
import javax.crypto.spec.PBEKeySpec;

/** The blocks of a PEM file (RFC 7468): certificates, and keys in PKCS#8, PKCS#1 (RFC 8017 §A.1.2) and SEC 1 (RFC 5915). */
final class PemFile {
    private static final long MOST_BYTES = 1 << 20;
    private static final Pattern BLOCK =
            Pattern.compile("-----BEGIN ([A-Z0-9 ]+)-----\\s*(.*?)-----END \\1-----", Pattern.DOTALL);
    private static final List<String> KEY_ALGORITHMS = List.of("RSA", "EC", "EdDSA", "RSASSA-PSS");

    private record Block(String type, String text) {}

    private final Path path;
    private final List<Block> blocks = new ArrayList<>();

    private PemFile(Path path) {
        this.path = path;
    }

    /** @throws IOException that names the file */
    static PemFile read(Path path) throws IOException {
        PemFile file = new PemFile(path);
        Matcher matcher = BLOCK.matcher(new String(bytesOf(path), StandardCharsets.ISO_8859_1));
        while (matcher.find()) {
            file.blocks.add(new Block(matcher.group(1), matcher.group(2)));
        }
        return file;
    }

    static byte[] bytesOf(Path path) throws IOException {
        try {
            if (Files.size(path) > MOST_BYTES) {
                throw new IOException(path + ": too long for what it should be");
            }
            return Files.readAllBytes(path);
        } catch (NoSuchFileException e) {
            throw new IOException(path + ": there is no such file", e);
        } catch (java.nio.file.AccessDeniedException e) {
            throw new IOException(path + ": cannot be read: permission denied", e);
        }
    }

    /** In their order; at least one. */
    List<X509Certificate> certificates() throws IOException {
        List<X509Certificate> found = new ArrayList<>();
        for (Block block : blocks) {
            if (block.type.endsWith("CERTIFICATE")) {
                try {
                    found.add((X509Certificate) CertificateFactory.getInstance("X.509")
                            .generateCertificate(new ByteArrayInputStream(der(block))));
                } catch (GeneralSecurityException e) {
                    throw new IOException(path + ": a certificate in it cannot be read: " + e.getMessage(), e);
                }
            }
        }
        if (found.isEmpty()) {
            throw new IOException(path + ": there is no certificate in it");
        }
        return List.copyOf(found);
    }

    /** @param password null where there is none */
    PrivateKey privateKey(char[] password) throws IOException {
        for (Block block : blocks) {
            switch (block.type) {
                case "PRIVATE KEY" -> {
                    return key(der(block));
                }
                case "RSA PRIVATE KEY", "EC PRIVATE KEY" -> {
                    if (block.text.contains("ENCRYPTED")) {
                        throw new IOException(path + ": the key is encrypted in the old way; convert it with: openssl"
                                + " pkcs8 -topk8");
                    }
                    byte[] der = der(block);
                    try {
                        return key(block.type.startsWith("RSA") ? KeyDer.fromPkcs1(der) : KeyDer.fromSec1(der));
                    } catch (RuntimeException e) {
                        throw new IOException(path + ": the key cannot be read", e);
                    }
                }
                case "ENCRYPTED PRIVATE KEY" -> {
                    return decrypted(der(block), password);
                }
                default -> {
                    // Not a key.
                }
            }
        }
        throw new IOException(path + ": there is no private key in it");
    }

    private byte[] der(Block block) throws IOException {
        try {
            return Base64.getMimeDecoder().decode(block.text);
        } catch (IllegalArgumentException e) {
            throw new IOException(path + ": a block of it is not base64", e);
        }
    }

    private PrivateKey key(byte[] pkcs8) throws IOException {
        for (String algorithm : KEY_ALGORITHMS) {
            try {
                return KeyFactory.getInstance(algorithm).generatePrivate(new PKCS8EncodedKeySpec(pkcs8));
            } catch (GeneralSecurityException e) {
                // Of another algorithm.
            }
        }
        throw new IOException(path + ": the key cannot be read, or is of no kind that is known here");
    }

    private PrivateKey decrypted(byte[] der, char[] password) throws IOException {
        if (password == null) {
            throw new IOException(path + ": the key is encrypted, and there is no passwordFile");
        }
        EncryptedPrivateKeyInfo info;
        try {
            info = new EncryptedPrivateKeyInfo(der);
        } catch (IOException e) {
            throw new IOException(
                    path + ": the key is encrypted by other means than AES; convert it with: openssl pkcs8 -topk8"
                            + " -v2 aes-256-cbc",
                    e);
        }
        try {
            // PBES2 names the parts of its scheme in its parameters (RFC 8018 §A.4).
            boolean pbes2 =
                    info.getAlgName().equals("PBES2") || info.getAlgName().equals("1.2.840.113549.1.5.13");
            String scheme = pbes2 ? info.getAlgParameters().toString() : info.getAlgName();
            Cipher cipher = Cipher.getInstance(scheme);
            cipher.init(
                    Cipher.DECRYPT_MODE,
                    SecretKeyFactory.getInstance(scheme).generateSecret(new PBEKeySpec(password)),
                    info.getAlgParameters());
            return key(info.getKeySpec(cipher).getEncoded());
        } catch (GeneralSecurityException e) {
            throw new IOException(path + ": the key cannot be decrypted: " + e.getMessage(), e);
        }
    }
}
