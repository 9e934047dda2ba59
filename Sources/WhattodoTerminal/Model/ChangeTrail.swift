// The changes that this device has made, in their order. `/undo` takes back the last of them, in whatever list it was.
// The trail is a file of lines, so that the chat and scripts of the same sign-in share it, and a restart keeps it. A
// change is written before it is sent; the log of its stream tells by the change's key whether it was made. Tabs
// separate the fields, because no JSON text and no key contains one:
//   changed <key> undo <stream> <what>
//   changed <key> set <stream> <what> <request back> [<request again>]
//   changed <key> unsay <stream> <what>
//   changed <key> never - <what> <why>
//   undone <key>        the change is taken back; the last line about a key counts
//   redone <key> <key>  the change is done again, by a change with the second key
// A line that cannot be read is left out, because a newer program may have written it.

import Client
import Domain
import Wire

/// One change, with the way to take it back.
struct DoneChange: Equatable {
  /// The key of the change in the log.
  var key: CommandKey
  /// The change in words: `your note on #3 milk`.
  let what: String
  let reversal: Reversal
}

struct ChangeTrail: Equatable {
  /// The changes, the oldest first.
  private(set) var changes: [DoneChange] = []
  /// The keys of the changes that were taken back, the last at the end.
  private(set) var undone: [CommandKey] = []

  /// The keys of changes that are not answered yet; no log knows them.
  var waiting: Set<CommandKey> = []

  /// The number of changes that are kept, more than anybody takes back one by one.
  static let changesMax = 100

  init() {}

  init(_ text: String) {
    for line in text.split(separator: "\n") { hear(line.split(separator: "\t").map(String.init)) }
    changes = changes.suffix(ChangeTrail.changesMax)
  }

  private mutating func hear(_ fields: [String]) {
    guard fields.count >= 2, let key = CommandKey(fields[1]) else { return }
    switch fields[0] {
    case "undone":
      undone.removeAll { $0 == key }
      undone.append(key)
    case "redone":
      undone.removeAll { $0 == key }
      guard fields.count > 2, let next = CommandKey(fields[2]),
        let index = changes.firstIndex(where: { $0.key == key })
      else { return }
      var change = changes.remove(at: index)
      change.key = next
      changes.append(change)
    case "changed":
      guard let change = DoneChange(key, Array(fields.dropFirst(2))) else { return }
      changes.removeAll { $0.key == key }
      changes.append(change)
    default: break
    }
  }

  /// Returns the newest change that is not taken back; with `other`, the newest before that one.
  func newest(before other: CommandKey? = nil) -> DoneChange? {
    let end = other.flatMap { key in changes.lastIndex { $0.key == key } } ?? changes.count
    return changes[..<end].last { !undone.contains($0.key) }
  }

  /// The change that was taken back last.
  var lastUndone: DoneChange? {
    undone.last.flatMap { key in changes.last { $0.key == key } }
  }

  /// The lines of the trail that are still of use.
  var text: String {
    changes.map(\.line).joined()
      + undone.filter { key in changes.contains { $0.key == key } }
      .map { "undone\t\($0)\n" }.joined()
  }
}

extension DoneChange {
  var line: String {
    let what = what.split(whereSeparator: { $0.isNewline || $0 == "\t" }).joined(separator: " ")
    let head = "changed\t\(key)\t"
    switch reversal {
    case .undo(let stream): return head + "undo\t\(stream)\t\(what)\n"
    case .unsay(let stream): return head + "unsay\t\(stream)\t\(what)\n"
    case .never(let why): return head + "never\t-\t\(what)\t\(why)\n"
    case .set(let back, let again, let stream):
      let requests = [back, again].compactMap(\.self).map { "\t" + DoneChange.encoded($0) }.joined()
      return head + "set\t\(stream)\t\(what)\(requests)\n"
    }
  }

  /// Reads a change from the fields behind its key.
  fileprivate init?(_ key: CommandKey, _ fields: [String]) {
    guard fields.count >= 3 else { return nil }
    let rest = fields.dropFirst(3)
    switch (fields[0], StreamID(fields[1])) {
    case ("undo", let stream?): self.init(key: key, what: fields[2], reversal: .undo(stream))
    case ("unsay", let stream?): self.init(key: key, what: fields[2], reversal: .unsay(stream))
    case ("never", _):
      guard let why = rest.first else { return nil }
      self.init(key: key, what: fields[2], reversal: .never(why))
    case ("set", let stream?):
      guard let back = rest.first.flatMap(DoneChange.decoded) else { return nil }
      let again = rest.dropFirst().first.flatMap(DoneChange.decoded)
      self.init(key: key, what: fields[2], reversal: .set(back: back, again: again, stream))
    default: return nil
    }
  }

  private static func encoded(_ command: Command) -> String {
    let request = Request.command(command, key: Identifiers.key())
    return String(decoding: request.encoded(id: .number(0)), as: UTF8.self)
  }

  private static func decoded(_ text: String) -> Command? {
    do throws(RequestError) {
      let request = try RequestEnvelope(decoding: Array(text.utf8)).request
      guard case .command(let command, key: _, base: _) = request else { return nil }
      return command
    } catch {
      return nil
    }
  }
}
