import Domain
import Foundation
import Testing

@testable import Wire

// The rows of `protocol/vectors/state` (protocol §15): objects, one event about them, the objects after it, and what
// one reader is told. A person writes `name`, `stream`, `seq`, `reader`, `before` and `event`. The server's own rules
// make `after` and `told`. All of `missing.json` is made: it has a row for each kind of op.

/// A part of a row's `before`.
enum StateEntry: Sendable {
  case one(Object)
  /// Many objects that differ in a number only. In the text, `"{n}"` stands for the number, and `{n}` in a longer
  /// text for its twelve digits.
  case many(from: Int, [Object], like: String)

  init(_ node: JSONNode) throws {
    guard let pattern = node["like"] else {
      self = .one(try ObjectCodec.decode(node))
      return
    }
    let first = Int(try #require(node["from"]?.int64))
    let last = Int(try #require(node["to"]?.int64))
    let like = text(Array(pattern.rawBytes))
    let objects = try (first...last).map { number in
      let spelling = Self.spelling(of: like, number)
      let object = try ObjectCodec.decode(Array(spelling.utf8))
      #expect(text(ObjectCodec.encode(object)) == spelling)
      return object
    }
    self = .many(from: first, objects, like: like)
  }

  private static func spelling(of like: String, _ number: Int) -> String {
    let digits = String("\(1_000_000_000_000 + number)".dropFirst())
    return like.replacingOccurrences(of: #""{n}""#, with: "\(number)")
      .replacingOccurrences(of: "{n}", with: digits)
  }

  var objects: [Object] {
    switch self {
    case .one(let object): [object]
    case .many(_, let objects, _): objects
    }
  }

  var json: String {
    switch self {
    case .one(let object): text(ObjectCodec.encode(object))
    case .many(let first, let objects, let like):
      #"{"from":\#(first),"to":\#(first + objects.count - 1),"like":\#(like)}"#
    }
  }

  /// Takes what is there now of this entry's objects out of `objects`. Many that are as they were stay together.
  func taken(from objects: inout [ObjectKey: Object]) -> [StateEntry] {
    switch self {
    case .one(let was): return objects.removeValue(forKey: was.key).map { [.one($0)] } ?? []
    case .many(let first, let all, let like):
      var entries: [StateEntry] = []
      for (number, was) in zip(first..., all) {
        guard let now = objects.removeValue(forKey: was.key) else { continue }
        if now != was {
          entries.append(.one(now))
        } else if case .many(let start, let run, _)? = entries.last, start + run.count == number {
          entries[entries.count - 1] = .many(from: start, run + [now], like: like)
        } else {
          entries.append(.many(from: number, [now], like: like))
        }
      }
      return entries
    }
  }
}

/// A row.
struct StateVector: Sendable {
  let name: String
  let stream: StreamID
  let reader: Viewer
  let before: [StateEntry]
  let event: Event

  init(_ row: JSONNode) throws {
    name = try #require(row["name"]?.string)
    stream = try #require(StreamID(row["stream"]?.string ?? ""))
    reader = Viewer(
      user: UserID(try #require(row["reader"]?["user"]?.uuid)),
      joinedSeq: try #require(row["reader"]?["joinedSeq"]?.int64))
    before = try #require(row["before"]?.elements).map { try StateEntry($0) }
    let seq = try #require(row["seq"]?.int64)
    event = try EventCodec.decode(try #require(row["event"]), seq: seq)
  }

  /// The row of an op that meets nothing but the head of its stream, or nothing at all if it is about the head.
  init(of op: Op, kind: OpKind, from row: StateVector) {
    name = "\(kind.rawValue): where its object is not there"
    stream = row.stream
    reader = row.reader
    let heads: Set<ObjectKind> = [.category, .group, .profile]
    let subject = op.touches(in: stream).first
    before = row.before.flatMap(\.objects)
      .filter { heads.contains($0.key.kind) && $0.key != subject }.map { .one($0) }
    event = Event(
      seq: row.event.seq, transaction: row.event.transaction, at: row.event.at, by: row.event.by,
      key: row.event.key, undoes: row.event.undoes, ops: [op])
  }

  var kinds: [OpKind] { event.ops.compactMap { OpKind($0) } }

  var objectsBefore: [Object] { before.flatMap(\.objects) }

  /// The objects after the event, by the server's rules.
  var objectsAfter: [ObjectKey: Object] {
    var state = StreamState(stream: stream, objects: objectsBefore)
    _ = state.apply(event)
    return state.objects
  }

  var told: [Domain.Notification] { notify(event, in: stream, viewer: reader) }

  /// The row as it stands in its file. Objects that were there keep their places, and new ones follow.
  var json: String {
    var left = objectsAfter
    var after = before.flatMap { $0.taken(from: &left) }
    after += left.values.sorted { $0.key < $1.key }.map { .one($0) }
    let told = told.map { notification in
      var writer = JSONWriter()
      writer.beginObject()
      notification.writeFields(to: &writer)
      writer.endObject()
      return text(writer.bytes)
    }
    var writer = JSONWriter()
    writer.string(name)
    let reader = #"{"user":"\#(reader.user)","joinedSeq":\#(reader.joinedSeq)}"#
    return """
      {"name":\(text(writer.bytes)),"stream":"\(stream)","seq":\(event.seq),"reader":\(reader),
       "before":\(list(before.map(\.json))),
       "event":\(text(EventCodec.encode(event))),
       "after":\(list(after.map(\.json))),
       "told":\(list(told))}
      """
  }

  private func list(_ lines: [String]) -> String {
    lines.isEmpty ? "[]" : "[\n  " + lines.joined(separator: ",\n  ") + "]"
  }
}

/// A file of rows.
struct StateFile: CustomTestStringConvertible, Sendable {
  let name: String
  /// The text of the file, empty if there is none yet.
  let text: String
  let rows: [StateVector]

  var testDescription: String { name }

  /// The text as it has to be.
  var json: String { "[\n" + rows.map(\.json).joined(separator: ",\n") + "\n]\n" }

  func write() throws {
    try Data(json.utf8).write(to: Self.folder.appending(path: name))
  }

  static let all: [StateFile] = {
    do {
      let names = try FileManager.default.contentsOfDirectory(atPath: folder.path()).sorted()
      let written = try names.filter { $0.hasSuffix(".json") && $0 != missing }.map(read)
      return written + [try aboutNothing(written)]
    } catch {
      fatalError("the vectors of states cannot be read: \(error)")
    }
  }()

  private static let missing = "missing.json"
  private static let folder = Vectors.protocolFolder.appending(path: "vectors/state")

  private static func read(_ name: String) throws -> StateFile {
    let rows = try #require(try Vectors.document("vectors/state/\(name)").root.elements)
    return StateFile(
      name: name, text: try text(of: name), rows: try rows.map { try StateVector($0) })
  }

  private static func text(of name: String) throws -> String {
    let place = folder.appending(path: name)
    guard FileManager.default.fileExists(atPath: place.path()) else { return "" }
    return String(decoding: try Data(contentsOf: place), as: UTF8.self)
  }

  /// Makes the file with a row for each kind: its first op in the other files.
  private static func aboutNothing(_ files: [StateFile]) throws -> StateFile {
    var rows: [StateVector] = []
    for kind in OpKind.allCases {
      for row in files.flatMap(\.rows) {
        guard let op = row.event.ops.first(where: { OpKind($0) == kind }) else { continue }
        rows.append(StateVector(of: op, kind: kind, from: row))
        break
      }
    }
    return StateFile(name: missing, text: try text(of: missing), rows: rows)
  }
}
