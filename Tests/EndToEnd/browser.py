"""Headless Chromium as a visitor: a page served over https from this machine runs a script and sends back what it saw.

The authority is put where Chromium looks for the machine's own (an NSS database in its home folder), so its checks
of chain and name are on.
"""
import http.server
import json
import pathlib
import queue
import subprocess
import threading

from harness import DEADLINE, expect

PAGE = """<!doctype html><meta charset="utf-8"><title>visit</title><script src="/peer.js"></script><script>
const tell = (seen) => fetch("/seen", { method: "POST", body: JSON.stringify(seen) });
fetch("/task").then((task) => task.json()).then(({ url, ...task }) =>
  visit(new WebSocket(url, "whattodo.v1"), () => crypto.randomUUID(), task)).then(tell,
  (error) => tell({ error: String(error) }));
</script>"""


class PageServer:
    """Serves a page, its scripts and a task; `seen` has what the page sends back."""

    def __init__(self, identity, page=PAGE, scripts=(pathlib.Path(__file__).parent / "peer.js",)):
        self.identity, self.task, self.seen = identity, b"", queue.Queue()
        pages = self

        class Handler(http.server.BaseHTTPRequestHandler):
            def do_GET(self):
                answers = {"/": ("text/html", page.encode()), "/task": ("application/json", pages.task),
                           **{f"/{script.name}": ("text/javascript", script.read_bytes()) for script in scripts}}
                kind, body = answers.get(self.path, ("text/plain", b""))
                self.send_response(200 if body else 404)
                self.send_header("Content-Type", kind)
                self.send_header("Content-Length", str(len(body)))
                self.end_headers()
                self.wfile.write(body)

            def do_POST(self):
                pages.seen.put(json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
                self.send_response(204)
                self.end_headers()

            def log_message(self, *_):
                pass

        self.server = http.server.ThreadingHTTPServer(("127.0.0.1", 0), Handler)
        self.server.socket = identity.serving.wrap_socket(self.server.socket, server_side=True,
                                                          do_handshake_on_connect=False)
        self.origin = f"https://127.0.0.1:{self.server.server_address[1]}"

    def __enter__(self):
        threading.Thread(target=self.server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_):
        self.server.shutdown()
        self.server.server_close()


def visit(pages, url, task, home):
    """Opens the page in Chromium; what comes back waits until the page has told what it saw."""
    pages.task = json.dumps({"url": url, **task}).encode()
    trust(home, pages.identity.authority)
    with open(home / "chromium.log", "wb") as log:
        chromium = subprocess.Popen(
            ["chromium", "--headless=new", "--no-sandbox", "--disable-dev-shm-usage", "--disable-gpu",
             "--no-first-run", "--disable-background-networking", f"--user-data-dir={home / 'profile'}", pages.origin],
            stdout=log, stderr=subprocess.STDOUT, env={"HOME": str(home), "PATH": "/usr/bin:/bin", "LANG": "C.UTF-8"})

    def finish():
        try:
            seen = pages.seen.get(timeout=3 * DEADLINE)
        except queue.Empty:
            last = (home / "chromium.log").read_text(errors="replace")[-2000:]
            expect(False, f"the page in chromium told nothing: {last}")
        finally:
            chromium.terminate()
            chromium.wait(DEADLINE)
        expect("error" not in seen, f"the page in chromium: {seen}")
        return seen

    return finish


def trust(home, authority):
    database = home / ".pki" / "nssdb"
    database.mkdir(parents=True, exist_ok=True)
    for words in [["-N", "--empty-password"], ["-A", "-t", "C,,", "-n", "test", "-i", authority]]:
        subprocess.run(["certutil", "-d", f"sql:{database}", *words], check=True, capture_output=True, timeout=DEADLINE)
