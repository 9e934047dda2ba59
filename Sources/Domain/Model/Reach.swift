// Says who may reach a person. It is kept in their own `u:`, where nobody else sees it.

/// The people who may ask a person to share a list or a group.
package enum InvitedBy: String, CaseIterable, Sendable {
  case anybody
  /// Everybody who is in a category or a group with them.
  case shared
  case nobody
}

/// A person whose invitations another person does not hear of.
package struct Block: Equatable, Sendable {
  package let user: UserID
  /// The username as it was typed. Usernames never change.
  package let username: String
  package let at: Timestamp

  package init(user: UserID, username: String, at: Timestamp) {
    self.user = user
    self.username = username
    self.at = at
  }
}

/// The number of times that a person has turned down a category or group since they were last in it.
package struct Declines: Equatable, Sendable {
  package let stream: StreamID
  /// The number. 0 takes the object away.
  package let times: Int

  package init(stream: StreamID, times: Int) {
    self.stream = stream
    self.times = times
  }
}

extension Invitation {
  package var endsAt: Timestamp { sent.at.after(days: Limits.invitationDays) }

  /// Answers whether the invitation has waited too long to be accepted.
  package func isOver(at now: Timestamp) -> Bool { now > endsAt }
}
