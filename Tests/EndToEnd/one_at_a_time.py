"""A TLS socket for a client library that reads and writes in two threads.

OpenSSL allows one call at a time for a connection (openssl-threads(7)), and Python's ssl module does not see to it.
The library's reader may take the server's session tickets while the first request is sent; about one connection in
two thousand is lost by that. Here a lock guards both ways, and nobody holds it while he waits for the network.
"""
import select
import ssl
import threading


class OneAtATime(ssl.SSLSocket):
    """For `SSLContext.sslsocket_class`; to its caller a blocking socket."""

    lock = None
    patience = None

    def do_handshake(self, block=False):
        super().do_handshake(block)
        self.patience = self.gettimeout()
        self.setblocking(False)
        self.lock = threading.Lock()

    def settimeout(self, seconds):
        """After the handshake the socket itself never waits; `turn` does."""
        if self.lock:
            self.patience = seconds
        else:
            super().settimeout(seconds)

    def recv(self, size=4096, flags=0):
        return self.turn(lambda: ssl.SSLSocket.recv(self, size, flags))

    def sendall(self, data, flags=0):
        rest = memoryview(data)
        while rest:
            rest = rest[self.turn(lambda: ssl.SSLSocket.send(self, rest, flags)):]

    def turn(self, call):
        """The answer of `call`, once it need not wait; TimeoutError after the patience."""
        while True:
            try:
                with self.lock:
                    return call()
            except (ssl.SSLWantReadError, BlockingIOError):
                awaited = [self], []
            except ssl.SSLWantWriteError:
                awaited = [], [self]
            if not any(select.select(*awaited, [], self.patience)):
                raise TimeoutError(f"nothing within {self.patience} s")
