"""A bad network between clients and a server: proxy.py SERVER-PORT SEED [FATE…], a program of its own.

Prints its port. Every connection has a fate that comes after a random number of bytes in one of the two
directions, so also inside a handshake, a frame or an answer:

  cut     both ends see an end
  reset   both ends see a reset
  mute    nothing more comes through in that direction; a while later both ends see an end
  stall   nothing comes through in that direction for a while, then all of it
  long    the same for longer than a server waits for somebody who takes nothing
  crumbs  a few bytes at a time for a while

With arguments behind the seed only these fates come.

Lines on standard input: `calm` (no more fates, what is held goes on), `rough` again, `counts` (answers with one line of JSON).
"""
import asyncio
import collections
import json
import random
import socket
import struct
import sys

FATES = {"cut": 30, "reset": 15, "mute": 15, "stall": 20, "long": 1, "crumbs": 9, "none": 10}
LONG_SECONDS = 34


class Network:
    def __init__(self, port, seed, kinds):
        self.port, self.chance = port, random.Random(seed)
        self.kinds, self.weights = kinds, [FATES[kind] for kind in kinds]
        self.calm = asyncio.Event()
        self.counts = collections.Counter()
        self.links = set()

    async def wait(self, seconds):
        """So long, or until the network is calm."""
        try:
            await asyncio.wait_for(self.calm.wait(), seconds)
        except TimeoutError:
            pass

    def fate(self):
        kind = self.chance.choices(self.kinds, self.weights)[0]
        return kind, self.chance.random() < 0.5, int(10 ** self.chance.uniform(0, 5.7))


class Link:
    """One client's connection and the one made for it."""

    def __init__(self, network, client, server):
        self.network, self.client, self.server = network, client, server
        self.draw()

    def draw(self):
        self.kind, self.is_up, self.left = self.network.fate()

    async def run(self):
        self.network.counts["connections"] += 1
        ways = [asyncio.ensure_future(self.carry(*way)) for way in
                [(self.client[0], self.server[1], True), (self.server[0], self.client[1], False)]]
        await asyncio.wait(ways, return_when=asyncio.FIRST_COMPLETED)
        for way in ways:
            way.cancel()
        self.end()

    def end(self, reset=False):
        for _, writer in (self.client, self.server):
            if reset:
                writer.get_extra_info("socket").setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
                writer.transport.abort()
            else:
                writer.close()

    async def carry(self, reader, writer, is_up):
        """One direction until it ends."""
        try:
            while data := await reader.read(65536):
                while data:
                    if self.network.calm.is_set() or self.is_up != is_up or self.left >= len(data):
                        self.left = max(0, self.left - len(data)) if self.is_up == is_up else self.left
                        writer.write(data)
                        data = b""
                    else:
                        writer.write(data[:self.left])
                        data = await self.suffer(reader, writer, data[self.left:])
                        if data is None:
                            return
                    await writer.drain()
        except (OSError, EOFError):
            pass

    async def suffer(self, reader, writer, data):
        """The fate has come. What is still to be sent of `data`; None when the connection ends with it."""
        network, kind = self.network, self.kind
        network.counts[kind] += 1
        self.draw()
        match kind:
            case "cut" | "reset":
                return self.end(reset=kind == "reset")
            case "mute":
                gone = asyncio.ensure_future(drink(reader))
                await network.wait(network.chance.uniform(0.1, 4))
                gone.cancel()
                return self.end()
            case "stall":
                await network.wait(10 ** network.chance.uniform(-2, 0.9))
            case "long":
                await network.wait(LONG_SECONDS)
            case "crumbs":
                return await self.crumble(reader, writer, data)
        return data

    async def crumble(self, reader, writer, data):
        """The last piece; None when the sender has ended."""
        for _ in range(self.network.chance.randrange(10, 100)):
            size = max(self.network.chance.randrange(1, 20), len(data) // 100)
            for at in range(0, len(data), size):
                writer.write(data[at:at + size])
                await writer.drain()
            data = await reader.read(200)
            if not data:
                return None
        return data


async def drink(reader):
    try:
        while await reader.read(65536):
            pass
    except OSError:
        pass  # the end is what it waits for


async def main(port, seed, *kinds):
    network = Network(port, seed, kinds or list(FATES))

    async def accept(reader, writer):
        try:
            server = await asyncio.open_connection("127.0.0.1", network.port)
        except OSError:
            network.counts["no server"] += 1
            writer.transport.abort()
            return
        link = Link(network, (reader, writer), server)
        network.links.add(link)
        try:
            await link.run()
        finally:
            network.links.discard(link)

    listener = await asyncio.start_server(accept, "127.0.0.1", 0)
    print(listener.sockets[0].getsockname()[1], flush=True)
    orders = asyncio.StreamReader()
    await asyncio.get_running_loop().connect_read_pipe(lambda: asyncio.StreamReaderProtocol(orders), sys.stdin)
    while order := (await orders.readline()).decode().strip():
        if order == "calm":
            network.calm.set()
        elif order == "rough":
            network.calm.clear()
        print(json.dumps(network.counts), flush=True)


if __name__ == "__main__":
    asyncio.run(main(int(sys.argv[1]), int(sys.argv[2]), *sys.argv[3:]))
