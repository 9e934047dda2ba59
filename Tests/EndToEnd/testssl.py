"""testssl.sh looks at the TLS port and finds nothing of severity LOW or above: testssl.py PROGRAMS

Debian's testssl.sh with all its checks, as a stranger on this machine would run it; it knows the authority of
scripts/dev-certificate and nothing else.
"""
import json
import os
import pathlib
import subprocess

from certificates import Authority
from harness import Server, expect, main

BAD = {"LOW", "MEDIUM", "HIGH", "CRITICAL", "FATAL"}
# What it must have looked at and found right. WARN is said where it could not look: of this machine's openssl, or when
# a busy machine answers late.
NEEDED = """SSLv2 SSLv3 TLS1_2 TLS1_3 cipherlist_NULL cipherlist_aNULL cipherlist_EXPORT cipherlist_LOW PFS cipher_order
cert_commonName cert_trust cert_chain_of_trust HSTS_time X-Content-Type-Options heartbleed CCS ticketbleed ROBOT
secure_renego secure_client_renego CRIME_TLS BREACH POODLE_SSL SWEET32 FREAK DROWN LOGJAM BEAST LUCKY13 RC4""".split()


def findings(programs, folder):
    identity = development(folder / "ca")
    server = Server(programs, folder / "data", *identity.options).start()
    try:
        report = look(server, identity, folder)
    finally:
        status = server.stop()
    expect(status == 0, f"exit status {status} after SIGTERM")
    bad = "\n".join(f"{row['severity']} {row['id']}: {row['finding']}" for row in report if row["severity"] in BAD)
    expect(not bad, f"testssl.sh found\n{bad}")
    right = {row["id"] for row in report if row["severity"] == "OK"}
    expect(right.issuperset(NEEDED), f"testssl.sh does not say that these are right: {sorted({*NEEDED} - right)}")
    warned = [row["id"] for row in report if row["severity"] == "WARN"]
    return f"testssl.sh: {len(report)} rows, none LOW or above; not looked at: {warned}"


def development(folder):
    """A certificate of the authority that scripts/dev-certificate makes. It names a revocation list, as those of
    public authorities do: whether there is one is the authority's business, so nothing is said of the server by it."""
    script = pathlib.Path(__file__).parent.parent.parent / "scripts" / "dev-certificate"
    subprocess.run([script, folder], check=True, capture_output=True, timeout=30)
    return Authority(folder).issue("localhost", more="crlDistributionPoints=URI:http://127.0.0.1/ca.crl\n")


def look(server, identity, folder):
    address = server.url.split("/")[2]
    report = folder / "testssl.json"
    done = subprocess.run(
        ["testssl", "--quiet", "--color", "0", "--warnings", "off", "--nodns", "none", "--add-ca", identity.authority,
         "--jsonfile", str(report), f"https://{address}"],
        stdin=subprocess.DEVNULL, capture_output=True, text=True, timeout=540, cwd=folder,
        env={**os.environ, "TERM": "dumb"})
    expect(report.exists(), f"testssl.sh made no report: {done.stdout[-500:]}{done.stderr[-500:]}")
    return json.loads(report.read_text())


if __name__ == "__main__":
    main(findings)
