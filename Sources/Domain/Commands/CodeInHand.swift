/// The fields of an invitation by code.
package struct NewCode: Equatable, Sendable {
  package let role: Role
  /// 1 … `Limits.codeUsesMax`.
  package let uses: Int
  /// 1 … `Limits.codeDaysMax`.
  package let days: Int

  package init(role: Role, uses: Int, days: Int) {
    self.role = role
    self.uses = uses
    self.days = days
  }
}

/// A code as somebody brings it. It is a secret, and stands in no event, key row or log line.
package struct CodeInHand: Equatable, Sendable {
  /// The text of the code as it was typed.
  package let text: String
  /// The thing that the code opens. It is set by the part that has the store's secret, because the rules have none. Nil
  /// for a text that is no code, or no code any more.
  package var opens: Opening?

  /// A thing that a code opens.
  package enum Opening: Equatable, Sendable {
    case invitation(InvitationID, StreamID)
    /// The code makes its holder an owner, once and until this time. The operator gave it (`whattodo-server group
    /// owner`).
    case ownership(StreamID, code: String, endsAt: Timestamp)
  }

  package init(text: String, opens: Opening? = nil) {
    self.text = text
    self.opens = opens
  }
}
