/// One of the independent, totally ordered logs (protocol §5): `c:<category>`, `g:<group>`, `u:<user>`.
package enum StreamID: Hashable, Comparable, Sendable {
  case category(CategoryID)
  case group(GroupID)
  case user(UserID)

  /// Reads `c:`, `g:` or `u:` and a UUID. Nil for anything else.
  package init?(_ text: String) {
    guard text.utf8.count == 38, let id = UUID(text.dropFirst(2)) else { return nil }
    switch text.prefix(2) {
    case "c:": self = .category(CategoryID(id))
    case "g:": self = .group(GroupID(id))
    case "u:": self = .user(UserID(id))
    default: return nil
    }
  }

  /// The letter of the wire and of the store: `c`, `g` or `u` in ASCII.
  package var letter: UInt8 {
    switch self {
    case .category: UInt8(ascii: "c")
    case .group: UInt8(ascii: "g")
    case .user: UInt8(ascii: "u")
    }
  }

  package var category: CategoryID? { if case .category(let id) = self { id } else { nil } }

  package var isGroup: Bool { if case .group = self { true } else { false } }

  package var uuid: UUID {
    switch self {
    case .category(let id): id.uuid
    case .group(let id): id.uuid
    case .user(let id): id.uuid
    }
  }

  /// The inverse of `letter` and `uuid`. Nil for another letter.
  package init?(letter: UInt8, uuid: UUID) {
    switch letter {
    case UInt8(ascii: "c"): self = .category(CategoryID(uuid))
    case UInt8(ascii: "g"): self = .group(GroupID(uuid))
    case UInt8(ascii: "u"): self = .user(UserID(uuid))
    default: return nil
    }
  }

  package static func < (left: StreamID, right: StreamID) -> Bool {
    left.letter != right.letter ? left.letter < right.letter : left.uuid < right.uuid
  }
}

extension StreamID: CustomStringConvertible {
  package var description: String { "\(Character(UnicodeScalar(letter))):\(uuid)" }
}

/// The history that a number belongs to: store epoch, `.`, stream epoch. It changes when history may have diverged
/// (restore, import, move), so that a cursor of another history is recognised.
package struct Epoch: Hashable, Sendable, CustomStringConvertible {
  package let text: String
  package init(_ text: String) { self.text = text }
  package var description: String { text }
}

/// A place in a stream: the number of an event, from 1 on; 0 is before the first.
package struct StreamPosition: Hashable, Sendable {
  package let stream: StreamID
  package let seq: Int64
  package init(stream: StreamID, seq: Int64) {
    self.stream = stream
    self.seq = seq
  }
}
