"""A plain WebSocket client that reads in bulk: for what wsload does not count."""
import base64
import os
import socket
import struct

from programs import Trouble


class Client:
    def __init__(self, port, path, protocol="whattodo.v1", small_buffers=False):
        self.socket = socket.socket()
        if small_buffers:
            self.socket.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        self.socket.settimeout(60)
        self.socket.connect(("127.0.0.1", port))
        lines = [f"GET {path} HTTP/1.1", f"Host: 127.0.0.1:{port}", "Upgrade: websocket", "Connection: Upgrade",
                 "Sec-WebSocket-Version: 13", "Sec-WebSocket-Key: " + base64.b64encode(os.urandom(16)).decode()]
        if protocol:
            lines.append(f"Sec-WebSocket-Protocol: {protocol}")
        self.socket.sendall(("\r\n".join(lines) + "\r\n\r\n").encode())
        answer = b""
        while b"\r\n\r\n" not in answer:
            answer += self.take()
        if not answer.startswith(b"HTTP/1.1 101"):
            raise Trouble(f"no upgrade: {answer[:80]!r}")

    def take(self):
        part = self.socket.recv(1 << 18)
        if not part:
            raise Trouble("the server closed the connection")
        return part

    def send(self, text):
        """One text frame. A mask of zeros changes nothing, and is one."""
        body = text.encode()
        self.socket.sendall(frame_head(0x81, len(body)) + body)

    def read_until(self, mark):
        """Reads until the bytes hold this; how many bytes they were."""
        count, tail = 0, b""
        while mark not in tail:
            part = self.take()
            count += len(part)
            tail = tail[-len(mark):] + part
        return count

    def echo(self, count, each):
        """Sends so many bytes as messages of `each` bytes, one page ahead of what comes back, until all are back."""
        message = frame_head(0x82, each) + b"e" * each
        back = each + (4 if each < 65_536 else 10)
        messages = -(-count // each)
        received = sent = 0
        while received < messages * back:
            while sent < messages and sent - received // back < 2:
                self.socket.sendall(message)
                sent += 1
            received += len(self.take())

    def close(self):
        self.socket.close()


def frame_head(first, count):
    if count < 126:
        return struct.pack("!BBI", first, 0x80 | count, 0)
    if count < 65_536:
        return struct.pack("!BBHI", first, 0x80 | 126, count, 0)
    return struct.pack("!BBQI", first, 0x80 | 127, count, 0)
