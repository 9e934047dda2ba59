"""Redis with appendfsync always (Debian's redis-server), driven by redis-benchmark: durable creates, and pushes."""
import selectors
import shutil
import socket
import subprocess
import threading
import time

from programs import Trouble, cpu_seconds, run

EVENT = "x" * 300


class Redis:
    def __init__(self, folder):
        folder.mkdir(parents=True)
        self.folder = folder
        with socket.socket() as probe:
            probe.bind(("127.0.0.1", 0))
            self.port = probe.getsockname()[1]
        self.process = subprocess.Popen(
            ["redis-server", "--port", str(self.port), "--bind", "127.0.0.1", "--dir", str(folder), "--appendonly", "yes",
             "--appendfsync", "always", "--save", ""], stdout=subprocess.DEVNULL)
        deadline = time.monotonic() + 20
        while True:
            try:
                socket.create_connection(("127.0.0.1", self.port), 1).close()
                return
            except OSError:
                if time.monotonic() > deadline or self.process.poll() is not None:
                    self.__exit__()
                    raise Trouble("redis-server did not start") from None
                time.sleep(0.02)

    def __enter__(self):
        return self

    def __exit__(self, *_):
        self.process.terminate()
        self.process.wait(30)
        shutil.rmtree(self.folder, ignore_errors=True)

    def benchmark(self, clients, commands, *command):
        """CPU of the server for so many commands, and their rate."""
        cpu, begun = cpu_seconds(self.process.pid), time.monotonic()
        run("redis-benchmark", "-p", self.port, "-c", clients, "-n", commands, "-q", *command)
        return cpu_seconds(self.process.pid) - cpu, commands / (time.monotonic() - begun)


def creates(folder, clients, commands):
    with Redis(folder) as redis:
        redis.benchmark(clients, max(1_000, commands // 10), "XADD", "list", "*", "event", EVENT)
        cpu, rate = redis.benchmark(clients, commands, "XADD", "list", "*", "event", EVENT)
    return {"cpu": cpu * 1e6 / commands, "rate": rate}


SCRIPT = "redis.call('XADD', KEYS[1], '*', 'event', ARGV[1]); return redis.call('PUBLISH', KEYS[1], ARGV[1])"


def fan_out(folder, clients, subscribers, commands):
    """CPU per delivery; every delivery is counted."""
    with Redis(folder) as redis:
        counter = Subscribers(redis.port, subscribers)
        cpu, rate = redis.benchmark(clients, commands, "EVAL", SCRIPT, "1", "list", EVENT)
        before = cpu_seconds(redis.process.pid)
        counter.wait(commands * subscribers)
        cpu += cpu_seconds(redis.process.pid) - before
    return {"cpu": cpu * 1e6 / (commands * subscribers), "rate": rate}


class Subscribers:
    """Connections that take what is published, in a thread, and count it by its bytes."""

    def __init__(self, port, count):
        self.each = len(f"*3\r\n$7\r\nmessage\r\n$4\r\nlist\r\n${len(EVENT)}\r\n{EVENT}\r\n")
        self.bytes = 0
        self.selector = selectors.DefaultSelector()
        for _ in range(count):
            client = socket.create_connection(("127.0.0.1", port))
            client.sendall(b"SUBSCRIBE list\r\n")
            while b":1\r\n" not in client.recv(200):
                pass
            self.selector.register(client, selectors.EVENT_READ)
        self.ended = False
        self.thread = threading.Thread(target=self.take, daemon=True)
        self.thread.start()

    def take(self):
        buffer = bytearray(1 << 20)
        while not self.ended:
            for key, _ in self.selector.select(0.1):
                self.bytes += key.fileobj.recv_into(buffer)

    def wait(self, deliveries):
        deadline = time.monotonic() + 60
        while self.bytes < deliveries * self.each and time.monotonic() < deadline:
            time.sleep(0.01)
        self.ended = True
        self.thread.join()
        for key in list(self.selector.get_map().values()):
            key.fileobj.close()
        if self.bytes != deliveries * self.each:
            raise Trouble(f"Redis delivered {self.bytes / self.each:.1f} of {deliveries}")
