import Domain

/// The members of one object, taken in any order and written in the order of their names. So equal commands have equal
/// bytes, and no command can get the order wrong. A value that is nil is left out.
struct SortedFields {
  /// The members with their names, one behind the other with commas between.
  private var written = JSONWriter()
  private var members: [(name: String, bytes: Range<Int>)] = []

  /// Adds a member. `write` writes the member with its name, and nothing else.
  mutating func add(_ name: String, _ write: (inout JSONWriter) -> Void) {
    let start = written.bytes.isEmpty ? 0 : written.bytes.count + 1
    write(&written)
    precondition(written.bytes.count > start, "a member that is added is written")
    members.append((name, start..<written.bytes.count))
  }

  func write(to writer: inout JSONWriter) {
    for member in members.sorted(by: { $0.name < $1.name }) {
      writer.raw(written.bytes[member.bytes])
    }
  }
}
