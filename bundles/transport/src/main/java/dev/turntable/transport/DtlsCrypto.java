package dev.turntable.transport;

import java.io.IOException;
import java.security.SecureRandom;
import org.bouncycastle.jcajce.util.DefaultJcaJceHelper;
import org.bouncycastle.tls.crypto.TlsCipher;
import org.bouncycastle.tls.crypto.TlsCryptoParameters;
import org.bouncycastle.tls.crypto.impl.jcajce.JcaTlsCrypto;

/** The ciphers of the JDK, as Bouncy Castle asks for them. No security provider is registered. Any thread. */
final class DtlsCrypto extends JcaTlsCrypto {
    DtlsCrypto() {
        super(new DefaultJcaJceHelper(), new SecureRandom(), new SecureRandom());
    }

    @Override
    public TlsCipher createCipher(TlsCryptoParameters parameters, int encryption, int mac) throws IOException {
        return new DtlsCipher(super.createCipher(parameters, encryption, mac));
    }
}
