"""What somebody sees when the server cannot start: start.py PROGRAMS

Each case has one clear sentence on standard error, nothing on standard output, and exit status 1 or 2.
"""
import pathlib
import socket
import sqlite3
import stat
import subprocess

from certificates import Authority
from harness import Server, expect, main, read_line


def every_case(programs, folder):
    cases = [port_in_use, second_server, not_a_database, another_application, another_version,
             unknown_option, bad_address, bad_proxy, socket_file_in_use, not_a_socket_file, data_is_a_file,
             plain_listener_on_the_internet, certificates, listeners_that_need_no_word]
    for case in cases:
        case(programs, folder / case.__name__)
    permissions(programs, folder / "permissions")
    return f"{len(cases) + 1} cases"


def refuses(programs, words, *arguments, status=(1, 2)):
    done = subprocess.run([str(programs / "whattodo-server"), *arguments], capture_output=True, text=True, timeout=20)
    expect(done.returncode in status, f"{arguments}: exit status {done.returncode}: {done.stderr}")
    expect(done.stdout == "", f"{arguments}: standard output has {done.stdout!r}")
    for word in words:
        expect(word in done.stderr, f"{arguments}: {word!r} is not in {done.stderr!r}")
    expect("Fatal error" not in done.stderr, f"{arguments}: crashed: {done.stderr}")


def port_in_use(programs, data):
    with socket.create_server(("127.0.0.1", 0)) as taken:
        address = f"127.0.0.1:{taken.getsockname()[1]}"
        refuses(programs, [address, "already listens"], "--listen", address, "--data", str(data))


def second_server(programs, data):
    first = Server(programs, data).start()
    try:
        refuses(programs, ["Another server", str(data)], "--listen", "127.0.0.1:0", "--data", str(data))
        (data / "lock").unlink()
        refuses(programs, ["Another server", str(data)], "--listen", "127.0.0.1:0", "--data", str(data))
    finally:
        expect(first.stop() == 0, "the first server did not stop cleanly")


def database_of(programs, data):
    server = Server(programs, data).start()
    expect(server.stop() == 0, "no clean stop")
    return next(p for p in data.iterdir() if p.read_bytes()[:15] == b"SQLite format 3")


def not_a_database(programs, data):
    database_of(programs, data).write_bytes(b"this is a letter to a friend\n" * 500)
    refuses(programs, ["not a WhatTODO database"], "--listen", "127.0.0.1:0", "--data", str(data))


def another_application(programs, data):
    path = database_of(programs, data)
    path.unlink()
    with sqlite3.connect(path) as database:
        database.execute("CREATE TABLE recipes(name TEXT)")
    refuses(programs, ["not a WhatTODO database"], "--listen", "127.0.0.1:0", "--data", str(data))


def another_version(programs, data):
    with sqlite3.connect(database_of(programs, data)) as database:
        database.execute("PRAGMA user_version = 9999")
    refuses(programs, ["version", "9999"], "--listen", "127.0.0.1:0", "--data", str(data))


def unknown_option(programs, data):
    refuses(programs, ["--no-such-option", "--help"], "--no-such-option", status=(2,))


def bad_address(programs, data):
    refuses(programs, ["nowhere:port"], "--listen", "nowhere:port", "--data", str(data))


def bad_proxy(programs, data):
    refuses(programs, ["10.0.0.1/8", "not a range"], "--trusted-proxy", "10.0.0.1/8", "--data", str(data), status=(2,))


def socket_file_in_use(programs, data):
    path = f"{data}.sock"
    with socket.socket(socket.AF_UNIX) as taken:
        taken.bind(path)
        taken.listen()
        refuses(programs, [path, "already listens"], "--listen", f"unix:{path}", "--data", str(data))
        expect(pathlib.Path(path).is_socket(), "another program's socket file was removed")
    server = Server(programs, data, "--listen", f"unix:{path}").start()
    expect(pathlib.Path(path).stat().st_mode & 0o777 == 0o660, "the socket file is not 0660")
    expect(server.stop() == 0 and not pathlib.Path(path).exists(), "the socket file did not go with its server")


def not_a_socket_file(programs, data):
    letter = data.parent / "letter"
    letter.write_text("to a friend")
    refuses(programs, [str(letter), "File exists"], "--listen", f"unix:{letter}", "--data", str(data))
    expect(letter.read_text() == "to a friend", "a letter was removed")


def data_is_a_file(programs, data):
    data.parent.mkdir(exist_ok=True)
    data.write_text("a file")
    refuses(programs, [str(data)], "--listen", "127.0.0.1:0", "--data", str(data))


def plain_listener_on_the_internet(programs, data):
    refuses(programs, ["--insecure-plaintext"], "--listen", "0.0.0.0:0", "--data", str(data))


def certificates(programs, data):
    authority = Authority(data.parent / "ca")
    good, other, expired = authority.issue("good"), authority.issue("other"), authority.issue("expired", days=-1)
    missing, exposed = str(data.parent / "no.pem"), data.parent / "exposed.key"
    exposed.write_bytes(open(good.key, "rb").read())
    exposed.chmod(0o644)
    for words, certificate, key in [
            (["go together"], good.certificate, None), (["go together"], None, good.key),
            ([missing, "No such file"], missing, good.key), ([missing, "No such file"], good.certificate, missing),
            ([good.key, "holds no certificate"], good.key, good.key),
            ([good.certificate, "holds no private key"], good.certificate, good.certificate),
            ([other.key, "does not belong"], good.certificate, other.key),
            ([expired.certificate, "expired on"], expired.certificate, expired.key),
            ([str(exposed), "Everybody on this machine", "chmod"], good.certificate, str(exposed))]:
        files = (["--tls-certificate", certificate] if certificate else []) + (["--tls-key", key] if key else [])
        refuses(programs, words, "--listen", "127.0.0.1:0", "--data", str(data), *files)
    expect(not data.exists(), "a data folder was made by a server that did not start")


def listeners_that_need_no_word(programs, data):
    """With TLS, or as a socket file, nothing goes unencrypted over a network."""
    identity = Authority(data.parent / "ca").issue("everywhere")
    for listen, ready, options in [("0.0.0.0:0", "wss://0.0.0.0:", identity.options), ("[::]:0", "wss://[::]:", identity.options),
                                   (f"unix:{data}.socket", "ws+unix:", [])]:
        process = subprocess.Popen([str(programs / "whattodo-server"), "--listen", listen, "--data", str(data), *options],
                                   stdout=subprocess.PIPE, stderr=subprocess.DEVNULL)
        line = read_line(process.stdout)
        process.terminate()
        expect(line.startswith(f"ready {ready}") and process.wait(20) == 0, f"--listen {listen}: {line!r}")


def permissions(programs, data):
    server = Server(programs, data).start()
    try:
        expect(stat.S_IMODE(data.stat().st_mode) == 0o700, "the data folder is not 0700")
        for path in data.iterdir():
            expect(stat.S_IMODE(path.stat().st_mode) == 0o600, f"{path.name} is not 0600")
    finally:
        expect(server.stop() == 0, "no clean stop")


main(every_case)
