// The journal of this client: everything that it saw and did, one JSON object a line. Each line is written with one
// system call, so a killed client loses nothing that it wrote. Tests/Torture/history.py reads the journal and says
// there what each line means.

import Crypto
import Domain
import Glibc
import Net
import Wire

/// A file that only grows.
struct Journal {
  private let descriptor: Int32

  /// Opens the file. Ends the program when it cannot be opened.
  init(path: String) {
    descriptor = open(path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
    if descriptor < 0 { Program.end("cannot write \(path)") }
    // A killed run may have left half a line.
    put([UInt8(ascii: "\n")])
  }

  /// Writes one line: the kind, the moment by the clock that all processes of a machine share, and everything that
  /// `fill` adds.
  func note(_ kind: String, _ fill: (inout JSONWriter) -> Void = { _ in }) {
    var line = JSONWriter()
    line.beginObject()
    line.key("e")
    line.string(kind)
    line.key("t")
    line.int(Int64(MachineClock.monotonicNanoseconds()))
    fill(&line)
    line.endObject()
    put(line.bytes + [UInt8(ascii: "\n")])
  }

  private func put(_ bytes: [UInt8]) {
    if write(descriptor, bytes, bytes.count) != bytes.count { Program.end("cannot write") }
  }
}

extension StreamState {
  /// The SHA-256 of the objects as snapshots have them, in the order of their bytes. Equal states have equal digests,
  /// and the database's rows have the same one.
  var digest: String {
    let bodies = objects.values.map(ObjectCodec.encode).sorted { $0.lexicographicallyPrecedes($1) }
    return Hex.encode(sha256(Array(bodies.joined(separator: [10]))))
  }
}

extension Event {
  /// The first digits of the SHA-256 of the event as it was sent.
  var fingerprint: String { String(Hex.encode(sha256(EventCodec.encode(self))).prefix(16)) }
}
