import Domain
import Wire

// The forms that all answers share. A person, a list, a tag and a due are the same object wherever they stand, so a
// script reads each in one way (`protocol/schema/scripts.json`).
extension JSONWriter {
  /// Writes `"id","username"`. The username of somebody whose account has ended is empty.
  mutating func person(_ id: UserID, _ username: String) {
    member("id", "\(id)")
    member("username", username)
  }

  mutating func person(_ name: String, _ id: UserID, _ username: String) {
    object(name) { $0.person(id, username) }
  }

  mutating func people(_ name: String, _ members: [Member]) {
    array(name, members) { $1.person($0.id, $0.username) }
  }

  /// Writes `"id","name"`. A list or group of which there is no copy has no name.
  mutating func named(_ stream: StreamID, _ situation: Situation) {
    member("id", "\(stream.uuid)")
    if let name = situation.placeName(stream) { member("name", name) }
  }

  mutating func lists(_ name: String, _ lists: Set<CategoryID>, _ situation: Situation) {
    array(name, lists.sorted()) { $1.named(.category($0), situation) }
  }

  /// Writes `"kind","id","name"?` of what may be a list, a group or oneself.
  mutating func place(_ stream: StreamID, _ situation: Situation) {
    kind(of: stream)
    named(stream, situation)
  }

  mutating func kind(of stream: StreamID) {
    switch stream {
    case .category: member("kind", "list")
    case .group: member("kind", "group")
    case .user: member("kind", "user")
    }
  }

  mutating func tag(_ tag: Domain.Tag) {
    member("id", "\(tag.id)")
    member("name", tag.name)
    member("color", (tag.color ?? .standard).rawValue)
  }

  /// Writes `"due":{"date"}` or `"due":{"at","zone"}`.
  mutating func due(_ due: Due) {
    object("due") { $0.members(of: due) }
  }

  /// Writes the members of a due (protocol §3.6).
  mutating func members(of due: Due) {
    member(due.localTime == nil ? "date" : "at", due.localTime ?? due.day.description)
    if let zone = due.zone { member("zone", zone) }
  }

  mutating func object(_ name: String, _ fields: (inout JSONWriter) -> Void) {
    key(name)
    beginObject()
    fields(&self)
    endObject()
  }

  mutating func texts(_ name: String, _ values: [String]) {
    key(name)
    beginArray()
    for value in values { string(value) }
    endArray()
  }

  mutating func array<Rows: Sequence>(
    _ name: String, _ rows: Rows, _ fields: (Rows.Element, inout JSONWriter) -> Void
  ) {
    key(name)
    beginArray()
    for row in rows {
      beginObject()
      fields(row, &self)
      endObject()
    }
    endArray()
  }
}

extension Situation {
  /// Returns the name of a list or a group; nil when there is no copy of it.
  fileprivate func placeName(_ stream: StreamID) -> String? {
    streams[stream].flatMap { $0.category?.name ?? $0.group?.name }
  }
}
