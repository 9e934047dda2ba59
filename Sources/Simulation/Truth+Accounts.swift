// The password and the recovery code of an account that count, and its open sessions. They are known from the
// transactions alone, each with the number of the commit since which it holds.

import Domain
import Sync

struct AccountTruth {
  /// A password, and the commits from which and until which it counted.
  struct Held {
    let password: PasswordHash
    let from: Int
    var to: Int?
  }

  struct Closing {
    let at: Int
    let byPassword: Bool
  }

  fileprivate(set) var passwords: [Held] = []
  fileprivate(set) var generation = 0
  fileprivate var generationSince = 0
  fileprivate(set) var sessions: Set<SessionID> = []
  /// The person who owns the bot; nil for people, and for bots that have no owner.
  fileprivate(set) var owner: UserID?
  /// The tokens of the bot that were ever made, in that order.
  fileprivate(set) var tokens: [SessionRecord] = []
  /// The webhooks of the bot, with the events from which each of them had to send.
  fileprivate(set) var starts: [WebhookID: [StreamID: Int64]] = [:]
  /// The webhooks that are paused.
  fileprivate(set) var paused: Set<WebhookID> = []
  fileprivate var closed: [SessionID: Closing] = [:]

  fileprivate mutating func hold(_ password: PasswordHash?, since commit: Int) {
    if let last = passwords.indices.last, passwords[last].to == nil { passwords[last].to = commit }
    if let password { passwords.append(Held(password: password, from: commit)) }
  }

  fileprivate mutating func hold(code generation: Int, since commit: Int) {
    (self.generation, generationSince) = (generation, commit)
  }

  fileprivate mutating func close(_ session: SessionID, _ closing: Closing) {
    if sessions.remove(session) != nil { closed[session] = closing }
  }

  /// Answers whether the password counted at some moment after this commit.
  func counted(_ password: PasswordHash, since commit: Int) -> Bool {
    passwords.contains { $0.password == password && $0.to.map { $0 > commit } ?? true }
  }

  /// Answers whether the password counted all the time since this commit.
  func counts(_ password: PasswordHash, since commit: Int) -> Bool {
    passwords.last.map { $0.password == password && $0.to == nil && $0.from <= commit } ?? false
  }

  func counts(code: String, of user: UserID, since commit: Int) -> Bool {
    generation > 0 && generationSince <= commit && code == SimCodes.recovery(user, generation)
      && passwords.last?.to == nil
  }

  /// Takes the webhooks as the store has them, after a transaction that was in doubt.
  fileprivate mutating func settle(_ webhooks: [Webhook]) {
    starts = Dictionary(
      uniqueKeysWithValues: webhooks.map { ($0.id, starts[$0.id] ?? $0.progress.cursors) })
    paused = Set(webhooks.filter { $0.progress.pausedAt != nil }.map(\.id))
  }

  func closing(of session: SessionID) -> Closing? { closed[session] }
}

/// A new password, with the sessions that were open before it and the number of them that may stay open.
private struct Renewal {
  let user: UserID
  let before: Set<SessionID>
  let stayMax: Int
}

extension Truth {
  /// Returns a sentence when a new password leaves a session open that must end, or ends the one that has set it; or
  /// when a recovery code works that does not count.
  func takeAccounts(_ transaction: LedgerTransaction, _ tally: inout Tally) -> String? {
    // The sessions that a new password closes stand right behind it; other commands of the transaction come later.
    var renewals: [Renewal] = []
    for change in transaction.accounts {
      if case .sessionsClosed(let ids, of: _) = change {
        close(ids, renewals)
        if let breach = check(&renewals, by: transaction.keys, &tally) { return breach }
        continue
      }
      if let breach = check(&renewals, by: transaction.keys, &tally) { return breach }
      switch change {
      case .added(let it):
        accounts[it.id] = AccountTruth()
        accounts[it.id]?.hold(it.password, since: commits)
        accounts[it.id]?.hold(code: it.recoveryGeneration, since: commits)
        accounts[it.id]?.owner = it.owner
      case .upgraded(let user, username: _, let password, let generation):
        accounts[user]?.hold(password, since: commits)
        accounts[user]?.hold(code: generation, since: commits)
      case .passwordChanged(let user, let password):
        renewals.append(renewal(of: user, stayMax: 1))
        accounts[user]?.hold(password, since: commits)
      case .recovered(let user, let password, let generation):
        guard accounts[user]?.generation == generation - 1 else {
          return "P2 the recovery code \(generation - 1) of \(user) works, which does not count"
        }
        tally.count(.p2Recovered)
        renewals.append(renewal(of: user, stayMax: 0))
        accounts[user]?.hold(password, since: commits)
        accounts[user]?.hold(code: generation, since: commits)
      case .ended(let user, mark: _):
        accounts[user]?.hold(nil, since: commits)
        accounts[user]?.owner = nil
      case .given(let bot, let owner): accounts[bot]?.owner = owner
      case .sessionOpened(let it):
        accounts[it.user]?.sessions.insert(it.id)
        sessionOwners[it.id] = it.user
        if it.token != nil { accounts[it.user]?.tokens.append(it) }
      case .webhookAdded(let it): accounts[it.bot]?.starts[it.id] = it.progress.cursors
      case .webhooksRemoved(let ids, let bot):
        for id in ids {
          accounts[bot]?.starts[id] = nil
          accounts[bot]?.paused.remove(id)
        }
      case .webhookSet(let key, let progress):
        accounts[key.bot]?.paused.remove(key.id)
        if progress.pausedAt != nil { accounts[key.bot]?.paused.insert(key.id) }
      case .webhookMoved(let key, let progress):
        let isNew =
          progress.pausedAt != nil && accounts[key.bot]?.paused.insert(key.id).inserted == true
        if let breach = isTold(key, isNew ? 1 : 0, in: transaction, &tally) {
          return breach
        }
      case .sessionsClosed, .ends, .forgotten, .gone, .nameLeft, .nameTold, .sessionUsed,
        .codeSpent:
        break
      }
    }
    return check(&renewals, by: transaction.keys, &tally)
  }

  /// Returns a sentence when the owner of a bot is not told so many times in the same transaction that its webhook is
  /// paused.
  private func isTold(
    _ key: WebhookKey, _ times: Int, in transaction: LedgerTransaction,
    _ tally: inout Tally
  ) -> String? {
    guard let owner = accounts[key.bot]?.owner else { return nil }
    tally.count(.p12WebhookPaused, times)
    let op = Op.personal(.webhookPaused(key.id, of: key.bot))
    let written = streams[.user(owner)]?.events ?? []
    let told = transaction.events.filter { record in
      record.stream == .user(owner) && written[Int(record.seq) - 1].ops.contains(op)
    }
    return told.count == times
      ? nil : "P12 \(owner) is told \(told.count) times of a paused webhook"
  }

  private func renewal(of user: UserID, stayMax: Int) -> Renewal {
    // The tokens of a bot are no sign-ins, and stay.
    let tokens = accounts[user]?.tokens.map(\.id) ?? []
    let before = (accounts[user]?.sessions ?? []).subtracting(tokens)
    return Renewal(user: user, before: before, stayMax: stayMax)
  }

  private func close(_ ids: [SessionID], _ renewals: [Renewal]) {
    for id in ids {
      guard let user = sessionOwners[id] else { continue }
      let byPassword = renewals.contains { $0.user == user && $0.before.contains(id) }
      accounts[user]?.close(id, AccountTruth.Closing(at: commits, byPassword: byPassword))
    }
  }

  private func check(
    _ renewals: inout [Renewal], by keys: [KeyRecord], _ tally: inout Tally
  ) -> String? {
    defer { renewals = [] }
    for it in renewals {
      if let breach = check(it, by: keys, &tally) { return breach }
    }
    return nil
  }

  private func check(_ it: Renewal, by keys: [KeyRecord], _ tally: inout Tally) -> String? {
    let left = it.before.intersection(accounts[it.user]?.sessions ?? [])
    guard left.count <= it.stayMax else {
      return "P9 a new password of \(it.user) leaves \(left.count) sessions open"
    }
    guard it.stayMax == 1 else { return nil }
    if it.before.count > 1 { tally.count(.p9Changed) }
    let asked = keys.compactMap { passwordAsked[$0.address] }
    guard asked.count == 1, let session = asked[0].first, asked[0].count == 1 else { return nil }
    // When there was no other session to close, the closed one was signed out.
    if it.before == [session] { return nil }
    guard left.isEmpty == !it.before.contains(session), left.isSubset(of: asked[0]) else {
      return "P9 a new password of \(it.user) leaves another session open than the one that set it"
    }
    return nil
  }

  /// Settles transactions in doubt that have neither an event nor a key; only the store tells whether they were
  /// written.
  func settleSessions(of transactions: [LedgerTransaction], in store: any EventStore)
    throws(StoreError)
  {
    var users: Set<UserID> = []
    for change in transactions.flatMap(\.accounts) {
      switch change {
      case .sessionOpened(let it): users.insert(it.user)
      case .sessionsClosed(_, of: let user): users.insert(user)
      default: break
      }
    }
    for user in users {
      let open = Set(try store.sessions(of: user).map(\.id))
      for id in accounts[user]?.sessions.subtracting(open) ?? [] {
        accounts[user]?.close(id, AccountTruth.Closing(at: commits, byPassword: false))
      }
      for id in open { sessionOwners[id] = user }
      accounts[user]?.sessions = open
    }
    guard !transactions.isEmpty else { return }
    let webhooks = Dictionary(grouping: try store.webhooks(), by: \.bot)
    for user in accounts.keys {
      accounts[user]?.settle(webhooks[user] ?? [])
    }
  }

  /// Returns the password that lets this person in now, as they type it; nil when nothing does.
  func password(of user: UserID) -> String? {
    accounts[user]?.passwords.last.flatMap { $0.to == nil ? $0.password.typed : nil }
  }

  /// Returns the passwords that let this person in before.
  func formerPasswords(of user: UserID) -> [String] {
    let now = password(of: user)
    return (accounts[user]?.passwords.compactMap(\.password.typed) ?? []).filter { $0 != now }
  }
}

extension PasswordHash {
  fileprivate var typed: String? {
    phc.hasPrefix(SimAuthenticator.hashMark)
      ? String(phc.dropFirst(SimAuthenticator.hashMark.count)) : nil
  }
}
