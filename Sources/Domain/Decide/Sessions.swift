// Sessions are rows beside the log: these decisions write no events.

/// Opens a session for an account as it was when its password was verified. Refused when the password is another one by
/// now. `renewed` is the same password at another cost: it replaces the hash and closes nothing. `pairedBy` is the
/// session that let this one in without a password; refused when that one is closed by now. Refused for a bot with
/// an owner that is to end.
///
/// The new session replaces those of the same device and, beyond the limit, others (`SessionRecord.giveWay`). No
/// session is closed by which somebody is connected: when all are, the sign-in is refused.
package func openSession(
  _ session: SessionRecord, of verified: Account, renewed: PasswordHash? = nil,
  pairedBy: SessionID? = nil, isConnected: (SessionID) -> Bool = { _ in false },
  in world: inout World
) throws(Halt) -> Decision {
  try world.require([.account(verified.id), .sessions(verified.id), .profile(verified.id)])
  guard let account = try world.account(verified.id), account.password == verified.password,
    session.user == verified.id
  else { throw .refused(.unauthenticated) }
  if let profile = try world.profile(of: account.id), profile.owner != nil, profile.endsAt != nil {
    throw .refused(.forbidden("this bot is to end, and only its owner can keep it"))
  }
  if let pairedBy {
    guard try world.sessions(of: account.id).contains(where: { $0.id == pairedBy }) else {
      throw .refused(.unauthenticated)
    }
  }
  let held = try world.signIns(of: account.id)
  let idle = held.filter { !isConnected($0.id) }
  let replaced = idle.filter { session.deviceHash != nil && $0.deviceHash == session.deviceHash }
  let excess = held.count - replaced.count + 1 - Limits.sessionsPerUserMax
  let others = SessionRecord.giveWay(
    idle.filter { it in !replaced.contains { $0.id == it.id } }, to: session)
  guard excess <= others.count else {
    throw .refused(.quota(limit: "sessions", max: Limits.sessionsPerUserMax))
  }
  let closed = replaced.map(\.id) + others.prefix(max(0, excess)).map(\.id)
  let renewal = renewed.map { AccountChange.passwordChanged(account.id, $0) }
  return Decision(
    accounts: (closed.isEmpty ? [] : [.sessionsClosed(closed, of: account.id)]) + [
      .sessionOpened(session)
    ]
      + [renewal].compactMap(\.self))
}

extension SessionRecord {
  /// Returns the sessions in the order in which they give way to a new one. A program that keeps no device's secret and
  /// signs in each time that it runs replaces itself: its own sessions go first, and of these first those that were
  /// used on one day only. Then the sessions go that were used longest ago.
  fileprivate static func giveWay(
    _ sessions: [SessionRecord], to newcomer: SessionRecord
  ) -> [SessionRecord] {
    sessions.sorted { left, right in
      let (first, second) = (left.step(before: newcomer), right.step(before: newcomer))
      return (first, left.usedAt, left.openedAt) == (second, right.usedAt, right.openedAt)
        ? left.id < right.id
        : (first, left.usedAt, left.openedAt) < (second, right.usedAt, right.openedAt)
    }
  }

  private func step(before newcomer: SessionRecord) -> Int {
    guard deviceHash == nil, newcomer.deviceHash == nil, client == newcomer.client else { return 2 }
    return usedAt.utcDay > openedAt.utcDay ? 1 : 0
  }
}

/// Notes that a session is in use. It writes one row a day, for the list of sessions and for ending unused ones.
package func useSession(
  _ id: SessionID, of user: UserID, at now: Timestamp, in world: inout World
) throws(Halt) -> Decision {
  guard let session = try world.sessions(of: user).first(where: { $0.id == id }) else {
    throw .refused(.unauthenticated)
  }
  guard now.utcDay > session.usedAt.utcDay else { return Decision() }
  return Decision(accounts: [.sessionUsed(id, at: now)])
}

/// Closes a session. One that is closed already stays so.
package func closeSession(
  _ id: SessionID, of user: UserID, in world: inout World
) throws(Halt) -> Decision {
  guard try world.sessions(of: user).contains(where: { $0.id == id }) else { return Decision() }
  return Decision(accounts: [.sessionsClosed([id], of: user)])
}

extension World {
  /// Returns the sessions of a user that a sign-in has opened.
  mutating func signIns(of user: UserID) throws(Halt) -> [SessionRecord] {
    try sessions(of: user).filter { $0.token == nil }
  }

  /// Stages the changes that a decision makes to the rows of one user.
  package mutating func stage(_ changes: [AccountChange], of user: UserID) throws(Halt) {
    for change in changes {
      switch change {
      case .added(let account):
        stage(.account(account), for: .account(account.id))
        stage(.user(account.id), for: .username(account.username))
        if let owner = account.owner { try changeBots(of: owner) { $0.append(account.id) } }
      case .given(let bot, let owner):
        if let old = try account(bot)?.owner {
          try changeBots(of: old) { $0.removeAll { $0 == bot } }
        }
        try changeBots(of: owner) { $0.append(bot) }
        try changeAccount(bot) { $0.owner = owner }
      case .passwordChanged(let id, let password):
        try changeAccount(id) { $0.password = password }
      case .upgraded(let id, let username, let password, let generation):
        if let old = try account(id)?.username { stage(.user(nil), for: .username(old)) }
        stage(.user(id), for: .username(username))
        try changeAccount(id) {
          $0.username = username
          $0.password = password
          $0.recoveryGeneration = generation
        }
      case .recovered(let id, let password, let generation):
        try changeAccount(id) {
          $0.password = password
          $0.recoveryGeneration = generation
        }
      case .sessionOpened(let session):
        try changeSessions(of: session.user) { $0.append(session) }
      case .sessionUsed(let id, let now):
        try changeSessions(of: user) { sessions in
          for index in sessions.indices where sessions[index].id == id {
            sessions[index].usedAt = now
          }
        }
      case .sessionsClosed(let ids, let user):
        try changeSessions(of: user) { $0.removeAll { ids.contains($0.id) } }
      case .webhookAdded, .webhookMoved, .webhookSet, .webhooksRemoved:
        guard let bot = change.webhookBot else { break }
        var webhooks = try webhooks(of: bot)
        webhooks.apply(change)
        stage(Loaded.webhooks(webhooks).inOrder, for: .webhooks(bot))
      case .codeSpent(let code, _): stage(.flag(true), for: .codeSpent(code))
      // The profile says it too.
      case .ends, .forgotten, .gone, .nameLeft, .nameTold: break
      case .ended(let id, let mark): try stageEnd(of: id, mark)
      }
    }
  }

  private mutating func stageEnd(of user: UserID, _ mark: String) throws(Halt) {
    guard let account = try account(user) else { return }
    if let owner = account.owner { try changeBots(of: owner) { $0.removeAll { $0 == user } } }
    stage(.account(nil), for: .account(user))
    stage(.user(nil), for: .username(account.username))
    stage(.flag(true), for: .codeSpent(mark))
  }

  private mutating func changeAccount(
    _ id: UserID, _ change: (inout Account) -> Void
  ) throws(Halt) {
    guard var account = try account(id) else { return }
    change(&account)
    stage(.account(account), for: .account(id))
  }

  private mutating func changeBots(
    of owner: UserID, _ change: (inout [UserID]) -> Void
  ) throws(Halt) {
    var bots = try bots(of: owner)
    change(&bots)
    stage(Loaded.users(bots).inOrder, for: .bots(owner))
  }

  private mutating func changeSessions(
    of user: UserID, _ change: (inout [SessionRecord]) -> Void
  ) throws(Halt) {
    var sessions = try sessions(of: user)
    change(&sessions)
    stage(Loaded.sessions(sessions).inOrder, for: .sessions(user))
  }
}
