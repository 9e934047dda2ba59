"""Certificates of the tests, made with the openssl program: an authority, and whatever it is asked to certify."""
import pathlib
import ssl
import subprocess


class Identity:
    """A certificate with its key, and the authority that it comes from."""

    def __init__(self, certificate, key, authority):
        self.certificate, self.key, self.authority = map(str, (certificate, key, authority))

    @property
    def options(self):
        """For whattodo-server."""
        return ["--tls-certificate", self.certificate, "--tls-key", self.key]

    @property
    def trust(self):
        """What a Python client needs to believe it."""
        return ssl.create_default_context(cafile=self.authority)

    @property
    def serving(self):
        """What a Python server needs to show it."""
        context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
        context.load_cert_chain(self.certificate, self.key)
        return context

    def replace(self, other):
        """The other one's files take the place of ours, as a renewal does it: written beside, renamed."""
        for mine, theirs in [(self.certificate, other.certificate), (self.key, other.key)]:
            new = pathlib.Path(mine + ".new")
            new.touch(mode=0o600)
            new.write_bytes(pathlib.Path(theirs).read_bytes())
            new.rename(mine)


class Authority:
    """A certificate authority with its files in a folder; that of scripts/dev-certificate when it is there."""

    def __init__(self, folder, name="A test's authority"):
        self.folder = pathlib.Path(folder)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.key, self.certificate = self.folder / "ca-key.pem", self.folder / "ca.pem"
        if self.key.exists():
            return
        openssl("req", "-x509", *KEY, self.key, "-out", self.certificate, "-days", "365", "-subj", f"/CN={name}",
                "-addext", "basicConstraints=critical,CA:TRUE", "-addext", "keyUsage=critical,keyCertSign,cRLSign")

    def issue(self, name, names="DNS:localhost,IP:127.0.0.1", days=90, more=""):
        """An identity for these names; one that has ended with `days` below zero."""
        request, key, certificate = (self.folder / f"{name}.{end}" for end in ("csr", "key", "pem"))
        extensions = self.folder / f"{name}.cnf"
        extensions.write_text(f"subjectAltName={names}\nbasicConstraints=CA:FALSE\nkeyUsage=digitalSignature\n"
                              f"extendedKeyUsage=serverAuth\nsubjectKeyIdentifier=hash\n{more}")
        openssl("req", "-new", *KEY, key, "-out", request, "-subj", f"/CN={name}")
        openssl("x509", "-req", "-in", request, "-CA", self.certificate, "-CAkey", self.key, "-days", str(days),
                "-extfile", extensions, "-out", certificate)
        return Identity(certificate, key, self.certificate)


KEY = ["-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:P-256", "-nodes", "-keyout"]


def openssl(*words):
    subprocess.run(["openssl", *map(str, words)], check=True, capture_output=True, timeout=20)
