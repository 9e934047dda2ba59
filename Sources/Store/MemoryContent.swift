import Domain
import Sync

/// Everything that a store in memory holds. It is a value, so a copy is a moment.
struct MemoryContent {
  private(set) var streams: [StreamID: MemoryStream] = [:]
  private(set) var access: [UserID: [StreamID: Grant]] = [:]
  private(set) var keys: [KeyAddress: KeyRecord] = [:]
  /// The newest number of the home stream when the command was answered.
  private var keySeqs: [KeyAddress: Int64] = [:]
  private(set) var accounts: [UserID: Account] = [:]
  private(set) var usernames: [String: UserID] = [:]
  private(set) var sessions: [SessionID: SessionRecord] = [:]
  private(set) var tokens: [[UInt8]: SessionID] = [:]
  private(set) var webhooks: [Webhook] = []
  private(set) var spentCodes: [String: UserID] = [:]
  private(set) var accountEnds: [UserID: EndingAccount] = [:]
  /// The last stream that shows a person's present name. A person who is not here has it shown everywhere.
  private(set) var untoldNames: [UserID: StreamID] = [:]
  /// The deadlines of a list, by the numbers of its posts.
  private(set) var dues: [CategoryID: [Int: PostDue]] = [:]
  /// The rows of achievement of a list, by post.
  private(set) var achievements: [CategoryID: [PostID: [AchievementRow]]] = [:]
  /// The post number after which a list's deadlines are to be written again. A list that is not here is as it must be.
  private(set) var dueChecks: [CategoryID: Int] = [:]
  private(set) var zones: String?
  var confirmedClock: ClockConfirmation?
  var binCountsFrom: Timestamp?
  private(set) var reminders = MemoryReminders()

  struct Grant {
    let role: Role
    let joinedSeq: Int64
  }

  func streams(of user: UserID) -> [StreamAccess] {
    (access[user] ?? [:]).keys.sorted().compactMap { self.access(of: user, to: $0) }
  }

  func access(of user: UserID, to stream: StreamID) -> StreamAccess? {
    guard let grant = access[user]?[stream], let head = streams[stream]?.head else { return nil }
    return StreamAccess(
      stream: stream, role: grant.role, joinedSeq: grant.joinedSeq, head: head)
  }

  /// Writes a transaction to which `contradiction(in:)` does not object.
  mutating func apply(_ transaction: LedgerTransaction) {
    for event in transaction.events { streams[event.stream, default: MemoryStream()].append(event) }
    for object in transaction.objects { streams[object.stream]?.apply(object) }
    for due in transaction.dues {
      dues[due.category, default: [:]][due.number] = due.deadline == nil ? nil : due
    }
    for it in transaction.achievements {
      achievements[it.category, default: [:]][it.change.post, default: []].apply(it.change)
    }
    for check in transaction.dueChecks { dueChecks[check.category] = check.after }
    for row in transaction.reminders { reminders.write(row) }
    for check in transaction.reminderChecks { reminders.write(check) }
    for change in transaction.access { apply(change) }
    for key in transaction.keys {
      keys[key.address] = key
      keySeqs[key.address] = streams[key.address.stream]?.head.seq
    }
    for change in transaction.accounts { apply(change) }
    for erasure in transaction.erasures { erase(erasure) }
  }

  /// Notes the version of the zones. True when rows are to be looked at again, because deadlines were computed by
  /// another version.
  mutating func use(zones version: String) -> Bool {
    guard version != zones else { return false }
    zones = version
    lookAtAllAgain()
    return !dueChecks.isEmpty || !reminders.checks.isEmpty
  }

  mutating func lookAtAllAgain() {
    for case .category(let list) in streams.keys { dueChecks[list] = 0 }
    if let newest = streams.values.map(\.head.at).max() { reminders.checkAll(since: newest) }
  }

  /// Returns the same content with every stream in an epoch of the new store's epoch.
  func renewed(epoch: String) -> MemoryContent {
    var renewed = self
    renewed.streams = streams.mapValues { $0.renewed(epoch: epoch) }
    return renewed
  }

  /// Trims the first stream that has an event from before this time, and forgets its old keys. Nil when no stream has.
  mutating func trim(before time: Timestamp) -> StreamPosition? {
    for stream in streams.keys.sorted() {
      let isTrimmed = streams[stream]?.trim(before: time) ?? false
      forgetHashes(of: streams[stream]?.forgetWhatLeft(before: time) ?? [])
      guard isTrimmed else { continue }
      let horizon = streams[stream]?.horizon ?? 0
      keys = keys.filter { address, _ in
        address.stream != stream || (keySeqs[address] ?? 0) >= horizon
          || Deadlines.keeps(address.key.text, of: address.actor, trimmingBefore: time)
      }
      return StreamPosition(stream: stream, seq: horizon)
    }
    return nil
  }

  private mutating func erase(_ erasure: Erasure) {
    if erasure.subject == .everything { return drop(erasure) }
    forgetHashes(of: streams[erasure.stream]?.erase(erasure) ?? [])
    var numbers: Set<Int> = []
    switch erasure.subject {
    case .post(let post):
      let key = ObjectKey(kind: .post, id: post.uuid)
      guard let number = streams[erasure.stream]?.postNumber(key) else { return }
      numbers = [number]
    // Each command that says the text of a line wrote an event, which names its key.
    case .line: return
    case .person, .everything: break
    }
    for (address, record) in keys where address.stream == erasure.stream {
      let isIt =
        numbers.isEmpty ? record.result.hasSaidInVain : record.result.mayHaveSaidInVain(numbers)
      if isIt { keys[address] = record.withoutHash }
    }
  }

  private mutating func forgetHashes(of events: [Event]) {
    for event in events {
      guard let by = event.by, let key = event.key else { continue }
      for address in keys.keys where address.actor == by && address.key == key {
        keys[address] = keys[address]?.withoutHash
      }
    }
  }

  private mutating func drop(_ erasure: Erasure) {
    let stream = erasure.stream
    streams[stream]?.drop(erasure)
    for user in access.keys { access[user]?[stream] = nil }
    keys = keys.filter { $0.key.stream != stream }
    reminders.drop(stream)
    guard case .category(let list) = stream else { return }
    dues[list] = nil
    achievements[list] = nil
    dueChecks[list] = nil
  }

  private mutating func apply(_ change: AccessChange) {
    switch change {
    case .granted(let stream, let user, let role, let joinedSeq):
      access[user, default: [:]][stream] = Grant(role: role, joinedSeq: joinedSeq)
    case .revoked(let stream, let user):
      access[user]?[stream] = nil
    }
  }

  private mutating func apply(_ change: AccountChange) {
    switch change {
    case .added(let account):
      accounts[account.id] = account
      usernames[account.username] = account.id
    case .given(let bot, let owner): accounts[bot]?.owner = owner
    case .passwordChanged(let user, let password):
      accounts[user]?.password = password
    case .upgraded(let user, let username, let password, let generation):
      if let old = accounts[user]?.username { usernames[old] = nil }
      usernames[username] = user
      accounts[user]?.username = username
      accounts[user]?.password = password
      accounts[user]?.recoveryGeneration = generation
    case .recovered(let user, let password, let generation):
      accounts[user]?.password = password
      accounts[user]?.recoveryGeneration = generation
    case .ends(let user, let end):
      accountEnds[user] = end.map {
        EndingAccount(user: user, endsAt: $0, forgottenThrough: nil)
      }
    case .ended(let user, let mark):
      spentCodes[mark] = user
      usernames[accounts[user]?.username ?? ""] = nil
      accounts[user] = nil
      // An end that has begun goes on, also when the clock is put back.
      if accountEnds[user] != nil {
        accountEnds[user] = EndingAccount(
          user: user, endsAt: Timestamp(milliseconds: 0), forgottenThrough: nil)
      }
    case .forgotten(let user, let stream):
      guard let end = accountEnds[user] else { return }
      accountEnds[user] = EndingAccount(
        user: user, endsAt: end.endsAt, forgottenThrough: stream)
    case .gone(let user): accountEnds[user] = nil
    case .nameLeft(let user, let place, places: _): untoldNames[user] = place
    case .nameTold(let user): untoldNames[user] = nil
    case .sessionOpened(let session):
      sessions[session.id] = session
      tokens[session.tokenHash] = session.id
    case .sessionUsed(let session, let time):
      sessions[session]?.usedAt = time
    case .sessionsClosed(let closed, of: _):
      for session in closed {
        guard let hash = sessions.removeValue(forKey: session)?.tokenHash else { continue }
        tokens[hash] = nil
      }
    case .webhookAdded, .webhookMoved, .webhookSet, .webhooksRemoved: webhooks.apply(change)
    case .codeSpent(let code, let user):
      spentCodes[code] = user
    }
  }
}

// Refuses what SQLite's constraints refuse, before anything is written.
extension MemoryContent {
  /// Returns a sentence when the transaction does not fit what is stored, otherwise nil.
  func contradiction(in transaction: LedgerTransaction) -> String? {
    contradiction(inEvents: transaction.events)
      ?? contradiction(inRows: transaction)
      ?? contradiction(inAccounts: transaction.accounts)
  }

  private func contradiction(inEvents events: [EventRecord]) -> String? {
    var last: [StreamID: EventRecord] = [:]
    for event in events {
      let before = last[event.stream] ?? streams[event.stream]?.events.last
      guard event.seq == (before?.seq ?? 0) + 1, before?.epoch ?? event.epoch == event.epoch else {
        return "event \(event.seq) of \(event.stream) follows \(before?.seq ?? 0)"
      }
      last[event.stream] = event
    }
    return nil
  }

  private func contradiction(inRows transaction: LedgerTransaction) -> String? {
    let new = Set(transaction.events.lazy.filter { $0.seq == 1 }.map(\.stream))
    let lists = transaction.dues.map(\.category) + transaction.dueChecks.map(\.category)
    for stream in transaction.objects.map(\.stream) + transaction.access.map(\.stream)
      + transaction.keys.map(\.address.stream) + lists.map({ .category($0) })
    where streams[stream] == nil && !new.contains(stream) {
      return "\(stream) does not exist"
    }
    for object in transaction.objects
    where object.change == .leftState && streams[object.stream]?.objects[object.key] == nil {
      return "\(object.key) left \(object.stream) and is not in it"
    }
    var seen: Set<KeyAddress> = []
    for key in transaction.keys
    where keys[key.address] != nil || !seen.insert(key.address).inserted {
      return "the key \(key.address.key) is there already"
    }
    return nil
  }

  private func contradiction(inAccounts changes: [AccountChange]) -> String? {
    var after = self
    for change in changes {
      if let contradiction = after.contradiction(in: change) { return contradiction }
      after.apply(change)
    }
    return nil
  }

  private func contradiction(in change: AccountChange) -> String? {
    switch change {
    case .added(let account):
      accounts[account.id] == nil && usernames[account.username] == nil
        ? nil : "the account \(account.id) or its username is there already"
    case .upgraded(let user, let username, _, _):
      accounts[user] != nil && usernames[username] == nil
        ? nil : "the account \(user) does not exist, or its new username is there already"
    case .passwordChanged(let user, _), .recovered(let user, _, _), .given(let user, _):
      accounts[user] == nil ? "the account \(user) does not exist" : nil
    case .sessionOpened(let session):
      sessions[session.id] == nil && tokens[session.tokenHash] == nil
        ? nil : "the session \(session.id) or its token is there already"
    case .sessionUsed(let session, _):
      sessions[session] == nil ? "the session \(session) does not exist" : nil
    case .sessionsClosed: nil
    case .webhookAdded(let webhook):
      webhooks.contains { $0.key == webhook.key }
        ? "the webhook \(webhook.id) is there already" : nil
    case .webhookMoved, .webhookSet, .webhooksRemoved: nil
    case .ended(let user, let mark):
      accounts[user] == nil || spentCodes[mark] != nil ? "the account \(user) cannot end" : nil
    case .forgotten, .gone, .nameLeft, .nameTold: nil
    case .ends(let user, _):
      accounts[user] == nil ? "the account \(user) does not exist" : nil
    case .codeSpent(let code, _):
      spentCodes[code] == nil ? nil : "a code is spent already"
    }
  }
}

extension AccessChange {
  fileprivate var stream: StreamID {
    switch self {
    case .granted(let stream, _, _, _), .revoked(let stream, _): stream
    }
  }
}
