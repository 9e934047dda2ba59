// Who reaches a person: kept in their own `u:`, where nobody else sees it.

/// Who may ask a person to share a list or a group.
package enum InvitedBy: String, CaseIterable, Sendable {
  case anybody
  /// Whoever is in a category or a group with them.
  case shared
  case nobody
}

/// Somebody whose invitations a person does not hear of.
package struct Block: Equatable, Sendable {
  package let user: UserID
  /// As it was typed; usernames never change.
  package let username: String
  package let at: Timestamp

  package init(user: UserID, username: String, at: Timestamp) {
    self.user = user
    self.username = username
    self.at = at
  }
}

/// How often a person has turned down a category or group since they were last in it.
package struct Declines: Equatable, Sendable {
  package let stream: StreamID
  /// 0 forgets them.
  package let times: Int

  package init(stream: StreamID, times: Int) {
    self.stream = stream
    self.times = times
  }
}

extension Invitation {
  package var endsAt: Timestamp { sent.at.after(days: Limits.invitationDays) }

  /// Whether it waits too long to be accepted.
  package func isOver(at now: Timestamp) -> Bool { now > endsAt }
}
