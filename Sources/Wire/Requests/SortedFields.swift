import Domain

/// The members of one object, collected in any order and written in the order of their names: equal commands
/// have equal bytes, and no command can get the order wrong. What is nil is left out.
struct SortedFields {
  private var members: [(name: String, write: (inout JSONWriter) -> Void)] = []

  /// `write` writes the member with its name.
  mutating func add(_ name: String, _ write: @escaping (inout JSONWriter) -> Void) {
    members.append((name, write))
  }

  mutating func add(_ name: String, _ value: String?) {
    if let value { add(name) { $0.member(name, value) } }
  }

  mutating func add(_ name: String, _ value: Int?) {
    if let value { add(name) { $0.member(name, value) } }
  }

  mutating func add(_ name: String, _ value: Int64) {
    add(name) { $0.member(name, value) }
  }

  mutating func add(_ name: String, _ value: UUID?) {
    if let value { add(name) { $0.member(name, value) } }
  }

  mutating func add(_ name: String, _ value: StreamID) {
    add(name) { $0.member(name, value) }
  }

  func write(to writer: inout JSONWriter) {
    for member in members.sorted(by: { $0.name < $1.name }) { member.write(&writer) }
  }
}
