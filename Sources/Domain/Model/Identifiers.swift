// Types for identifiers, one per noun, so that a category never goes where a post is wanted.

/// The id of one kind of thing.
package protocol EntityID: Hashable, Comparable, Sendable, CustomStringConvertible {
  var uuid: UUID { get }
  init(_ uuid: UUID)
}

/// The id of a person or a bot. It is global. Registering with a known one is answered `exists` and tells nothing else.
package struct UserID: EntityID {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
  package var description: String { uuid.description }
  package static func < (left: UserID, right: UserID) -> Bool { left.uuid < right.uuid }
}

/// The id of a group of people who share categories. It is global.
package struct GroupID: EntityID {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
  package var description: String { uuid.description }
  package static func < (left: GroupID, right: GroupID) -> Bool { left.uuid < right.uuid }
}

/// The id of a category (alias list). It is global.
package struct CategoryID: EntityID {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
  package var description: String { uuid.description }
  package static func < (left: CategoryID, right: CategoryID) -> Bool { left.uuid < right.uuid }
}

/// The id of a post (alias task). It is unique within its category only, so nobody can probe for those of another.
package struct PostID: EntityID {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
  package var description: String { uuid.description }
  package static func < (left: PostID, right: PostID) -> Bool { left.uuid < right.uuid }
}

/// The id of a step. It is unique within its post.
package struct StepID: EntityID {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
  package var description: String { uuid.description }
  package static func < (left: StepID, right: StepID) -> Bool { left.uuid < right.uuid }
}

/// The id of a run (`PostRun`), made by its program. It is unique within its post.
package struct RunID: EntityID {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
  package var description: String { uuid.description }
  package static func < (left: RunID, right: RunID) -> Bool { left.uuid < right.uuid }
}

/// The id of a token, made by the client. It is good once for each bot.
package struct TokenID: EntityID {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
  package var description: String { uuid.description }
  package static func < (left: TokenID, right: TokenID) -> Bool { left.uuid < right.uuid }
}

/// The id of an invitation. It is unique within the stream that it invites to.
package struct InvitationID: EntityID {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
  package var description: String { uuid.description }
  package static func < (left: InvitationID, right: InvitationID) -> Bool { left.uuid < right.uuid }
}

/// The id of a signed-in device, made by the server.
package struct SessionID: EntityID {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
  package var description: String { uuid.description }
  package static func < (left: SessionID, right: SessionID) -> Bool { left.uuid < right.uuid }
}

/// The id of everything that one command (or batch) did, made by the server. It is the same in the event of every
/// stream that the command touched.
package struct TransactionID: EntityID {
  package let uuid: UUID
  package init(_ uuid: UUID) { self.uuid = uuid }
  package var description: String { uuid.description }
  package static func < (left: TransactionID, right: TransactionID) -> Bool {
    left.uuid < right.uuid
  }
}

/// The idempotency key that a client gives a command: 1–64 characters of `A-Z a-z 0-9 . _ : -`.
package struct CommandKey: Hashable, Sendable, CustomStringConvertible {
  package let text: String

  /// Reads a key. Nil when the text is not a key.
  package init?(_ text: String) {
    guard (1...Limits.commandKeyCharactersMax).contains(text.utf8.count),
      text.utf8.allSatisfy(CommandKey.allows)
    else { return nil }
    self.text = text
  }

  package var description: String { text }

  private static func allows(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
      UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "."), UInt8(ascii: "_"),
      UInt8(ascii: ":"), UInt8(ascii: "-"):
      true
    default: false
    }
  }
}
