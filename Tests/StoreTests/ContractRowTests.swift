import Domain
import Sync
import Testing
import Wire

@testable import Store

@Suite("EventStore contract: access and pages")
struct PageContractTests {
  @Test(
    "hello needs one query: role, first number and head of every stream",
    arguments: StoreKind.allCases)
  func access(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let editor = try driver.person("editor")
    let category = StreamID.category(try driver.category("groceries", by: author))
    try driver.bring(editor, "editor", to: category, by: author)

    let streams = try pair.reader.streams(of: editor)
    #expect(streams.map(\.stream) == [category, .user(editor)])
    #expect(streams.map(\.role) == [.editor, .owner])
    #expect(streams.map(\.joinedSeq) == [3, 1])
    for seen in streams {
      #expect(seen.head == (try pair.reader.head(of: seen.stream)))
      #expect(try pair.reader.access(of: editor, to: seen.stream) == seen)
    }
    #expect(try pair.reader.access(of: editor, to: .user(author)) == nil)

    try driver.run(.member(.leave(category)), by: editor)
    #expect(try pair.reader.access(of: editor, to: category) == nil)
    #expect(try pair.reader.streams(of: editor).map(\.stream) == [.user(editor)])
    try driver.bring(editor, "editor", to: category, by: author)
    #expect(try pair.reader.access(of: editor, to: category)?.joinedSeq == 6)
  }

  @Test("posts are paged by number, newest first, on three shelves", arguments: StoreKind.allCases)
  func pages(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let category = try driver.category("groceries", by: author)
    let posts = try (1...12).map { try driver.post("post \($0)", in: category, by: author) }
    for index in [1, 4, 7, 10] {
      try driver.run(.completePost(category, posts[index], ifVersion: nil), by: author)
    }
    for index in [2, 5, 10] {
      try driver.run(.removePost(category, posts[index], ifVersion: nil), by: author)
    }
    let rows: [(shelf: PostShelf, before: Int?, limit: Int, numbers: [Int])] = [
      (.open, nil, 99, [12, 10, 9, 7, 4, 1]), (.open, 10, 2, [9, 7]), (.open, 1, 9, []),
      (.done, nil, 99, [8, 5, 2]), (.done, 8, 1, [5]), (.done, 2, 9, []),
      (.removed, nil, 99, [11, 6, 3]), (.removed, 11, 1, [6]), (.removed, nil, 0, []),
    ]
    for row in rows {
      let page = try pair.reader.posts(
        in: category, on: row.shelf, before: row.before, limit: row.limit)
      #expect(try page.map(number) == row.numbers, "\(row.shelf) before \(row.before ?? 0)")
    }
    let elsewhere = CategoryID(driver.name())
    #expect(try pair.reader.posts(in: elsewhere, on: .open, before: nil, limit: 9) == [])
  }

  private func number(_ body: [UInt8]) throws -> Int {
    guard case .post(let post) = try ObjectCodec.decode(body) else { return 0 }
    return post.number
  }

  @Test(
    "The newest completed posts stay in the state, and all stay in pages",
    arguments: StoreKind.allCases)
  func completed(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let category = try driver.category("groceries", by: author)
    let count = Limits.completedInStateMax + 5
    let posts = (1...count).map { _ in PostID(driver.name()) }
    try driver.run(
      posts.map {
        try driver.work(
          .post(.add(category, $0, title: "post", notes: "")), by: author, key: "a\($0)")
      })
    try driver.run(
      posts.map {
        try driver.work(.completePost(category, $0, ifVersion: nil), by: author, key: "c\($0)")
      })
    let stream = StreamID.category(category)
    #expect(try pair.reader.objects(.post, in: stream).count == Limits.completedInStateMax)
    let oldest = try pair.reader.posts(in: category, on: .done, before: 7, limit: 99)
    #expect(try oldest.map(number) == [6, 5, 4, 3, 2, 1])
    let ranks = try pair.writer.load([.domain(.ranks(stream, .post))])
    guard case .domain(.ranks(let ranks)) = try #require(ranks.first) else {
      Issue.record("are no ranks")
      return
    }
    #expect(ranks.count == Limits.completedInStateMax)
    #expect(ranks == ranks.sorted())
    // A post that left is edited where it is, and one that comes back is whole.
    try driver.run(
      .editPost(category, posts[0], PostEdit(title: "old"), ifVersion: nil), by: author)
    try driver.run(.reopenPost(category, posts[1], ifVersion: nil), by: author)
    try driver.run(.removePost(category, posts[2], ifVersion: nil), by: author)
    #expect(try pair.reader.posts(in: category, on: .done, before: 4, limit: 9).map(number) == [1])
    #expect(
      try pair.reader.posts(in: category, on: .open, before: nil, limit: 9).map(number) == [2])
    #expect(
      try pair.reader.posts(in: category, on: .removed, before: nil, limit: 9).map(number) == [3])
    if let store = pair.writer as? SQLiteStore {
      #expect(try store.verify().differences == [])
    }
  }

  @Test("removed categories are found by their owners only", arguments: StoreKind.allCases)
  func removedCategories(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let editor = try driver.person("editor")
    let removed = try ["a", "b"].map { try driver.category($0, by: author) }
    _ = try driver.category("kept", by: author)
    try driver.bring(editor, "editor", to: .category(removed[0]), by: author)
    for category in removed { try driver.run(.category(.remove(category)), by: author) }
    let bodies = try pair.reader.removedCategories(of: author)
    let keys = try bodies.map { try ObjectCodec.decode($0).key.id }
    #expect(keys == removed.map(\.uuid))
    #expect(try pair.reader.removedCategories(of: editor) == [])
    try driver.run(.category(.restore(removed[0])), by: author)
    #expect(try pair.reader.removedCategories(of: author).count == 1)
  }

  @Test(
    "tallies count what is not removed, older completed posts included",
    arguments: StoreKind.allCases)
  func tallies(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let editor = try driver.person("editor")
    let category = try driver.category("groceries", by: author)
    try driver.bring(editor, "editor", to: .category(category), by: author)
    #expect(try pair.reader.tallies(of: category) == [])
    let posts = try (1...4).map { try driver.post("post \($0)", in: category, by: author) }
    try driver.run(.completePost(category, posts[0], ifVersion: nil), by: editor)
    try driver.run(.completePost(category, posts[1], ifVersion: nil), by: author)
    try driver.run(.removePost(category, posts[2], ifVersion: nil), by: author)
    try driver.run(.removePost(category, posts[1], ifVersion: nil), by: author)
    #expect(
      try pair.reader.tallies(of: category) == [
        MemberTally(user: author, added: 2, completed: 0),
        MemberTally(user: editor, added: 0, completed: 1),
      ])
  }
}

@Suite("EventStore contract: keys, accounts, sessions")
struct AccountContractTests {
  @Test("a key gives back the whole result", arguments: StoreKind.allCases)
  func keys(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let category = try driver.category("groceries", by: author)
    let result = try driver.run(
      .post(.add(category, PostID(driver.name()), title: "milk", notes: "")), by: author, key: "k:1"
    )
    let key = try #require(CommandKey("k:1"))
    let address = KeyAddress(stream: .category(category), actor: author, key: key)
    let record = try #require(try pair.reader.key(address))
    #expect(record.result == result)
    #expect(record.hash == Array(repeating: 7, count: 32))
    #expect(record.address == address)
    let others = [
      KeyAddress(stream: .user(author), actor: author, key: key),
      KeyAddress(stream: .category(category), actor: UserID(driver.name()), key: key),
      KeyAddress(stream: .category(category), actor: author, key: try #require(CommandKey("k:2"))),
    ]
    for other in others { #expect(try pair.reader.key(other) == nil) }
  }

  @Test("The result of a batch is kept too, command by command", arguments: StoreKind.allCases)
  func batchKeys(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let category = try driver.category("groceries", by: author)
    let post = PostID(driver.name())
    let result = try driver.run(
      .batch([
        .post(.add(category, post, title: "milk", notes: "")),
        .category(.edit(category, name: "groceries")),
        .completePost(category, post, ifVersion: 1),
        .group(.add(GroupID(driver.name()), name: "g")),
      ]), by: author, key: "k:1")
    #expect(result.parts.count == 4 && result.events.count == 3)
    let key = try #require(CommandKey("k:1"))
    let address = KeyAddress(stream: .category(category), actor: author, key: key)
    #expect(try pair.reader.key(address)?.result == result)
    if let store = pair.reader as? SQLiteStore {
      #expect(try store.verify().differences == [])
    }
  }

  @Test("accounts are found by id and by name, and change", arguments: StoreKind.allCases)
  func accounts(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let account = try #require(try pair.reader.account(author))
    #expect(account.password == PasswordHash(phc: "$scrypt$author"))
    #expect(try pair.reader.account(username: "author") == account)
    #expect(try pair.reader.account(username: "Author") == nil)
    let new = PasswordHash(phc: "$scrypt$new")
    try pair.writer.commit(LedgerTransaction(accounts: [.passwordChanged(author, new)]))
    #expect(try pair.reader.account(author)?.password == new)
    try pair.writer.commit(
      LedgerTransaction(accounts: [.recovered(author, account.password, generation: 2)]))
    #expect(try pair.reader.account(author)?.recoveryGeneration == 2)
    #expect(try pair.reader.account(author)?.password == account.password)
  }

  @Test(
    "a guest is counted until there is a password, and is found by the new name then",
    arguments: StoreKind.allCases)
  func guests(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let since = Timestamp(milliseconds: 1)
    #expect(try pair.reader.guestCount(usedSince: since) == 0)
    let guest = UserID(driver.name())
    let account = Account(id: guest, username: "guest-1", password: .none, recoveryGeneration: 0)
    let used = Timestamp(milliseconds: 100)
    let session = SessionRecord(
      id: SessionID(driver.name()), user: guest, tokenHash: Array(repeating: 7, count: 32),
      deviceHash: nil, client: "", openedAt: used, usedAt: used)
    try pair.writer.commit(LedgerTransaction(accounts: [.added(account)]))
    #expect(try pair.reader.guestCount(usedSince: since) == 0)
    try pair.writer.commit(LedgerTransaction(accounts: [.sessionOpened(session)]))
    #expect(try pair.reader.guestCount(usedSince: used) == 1)
    #expect(try pair.reader.guestCount(usedSince: Timestamp(milliseconds: 101)) == 0)
    #expect(try pair.reader.account(username: "guest-1") == account)
    let password = PasswordHash(phc: "$scrypt$guest")
    func upgraded(_ user: UserID, to name: String) -> LedgerTransaction {
      LedgerTransaction(accounts: [
        .upgraded(user, username: name, password, generation: 1)
      ])
    }
    #expect(throws: StoreError.self) { try pair.writer.commit(upgraded(guest, to: "author")) }
    #expect(throws: StoreError.self) {
      try pair.writer.commit(upgraded(UserID(driver.name()), to: "other"))
    }
    try pair.writer.commit(upgraded(guest, to: "gast"))
    #expect(try pair.reader.guestCount(usedSince: since) == 0)
    #expect(try pair.reader.account(username: "guest-1") == nil)
    #expect(
      try pair.reader.account(username: "gast")
        == Account(id: guest, username: "gast", password: password, recoveryGeneration: 1))
    #expect(try pair.reader.account(author)?.username == "author")
  }

  @Test(
    "sessions are found by the token's hash, oldest first, until they are closed",
    arguments: StoreKind.allCases)
  func sessions(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let sessions = try [3, 1, 2].map { try driver.session(of: author, token: $0) }
    #expect(try pair.reader.sessions(of: author) == sessions)
    #expect(try pair.reader.session(tokenHash: Array(repeating: 1, count: 32)) == sessions[1])
    #expect(try pair.reader.session(tokenHash: Array(repeating: 4, count: 32)) == nil)
    let later = Timestamp(milliseconds: driver.now + 86_400_000)
    try pair.writer.commit(
      LedgerTransaction(accounts: [
        .sessionUsed(sessions[0].id, at: later),
        .sessionsClosed([sessions[1].id, sessions[2].id], of: author),
      ]))
    #expect(try pair.reader.sessions(of: author).map(\.usedAt) == [later])
    #expect(try pair.reader.session(tokenHash: Array(repeating: 1, count: 32)) == nil)
  }

  @Test("a code is spent once", arguments: StoreKind.allCases)
  func codes(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let author = try LedgerDriver(pair.writer).person("author")
    #expect(try !pair.reader.isSpent(code: "abc"))
    try pair.writer.commit(LedgerTransaction(accounts: [.codeSpent("abc", by: author)]))
    #expect(try pair.reader.isSpent(code: "abc"))
  }

  /// Each batch has one valid change first, which must not be there afterwards.
  @Test(
    "A transaction that contradicts the store is refused, and nothing of it is written",
    arguments: StoreKind.allCases)
  func contradictions(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let category = try driver.category("groceries", by: author)
    let session = try driver.session(of: author, token: 1)
    let staged = try driver.staged([
      try driver.work(
        .post(.add(category, PostID(driver.name()), title: "x", notes: "")), by: author, key: "k")
    ])
    let event = try #require(staged.events.first)
    let nobody = UserID(driver.name())
    let nowhere = StreamID.group(GroupID(driver.name()))
    let account = try #require(try pair.reader.account(author))
    let key = try #require(staged.keys.first)
    let rows: [LedgerTransaction] = [
      LedgerTransaction(events: [event, event]),
      LedgerTransaction(events: [event.with(seq: 1)]),
      LedgerTransaction(events: [event.with(seq: 3)]),
      LedgerTransaction(events: [event.with(epoch: Epoch("other"))]),
      LedgerTransaction(objects: staged.objects.map { $0.with(nowhere) }),
      LedgerTransaction(objects: staged.objects.map { $0.with(.leftState) }),
      LedgerTransaction(access: [.granted(nowhere, author, .owner, joinedSeq: 1)]),
      LedgerTransaction(keys: [key, key]),
      LedgerTransaction(accounts: [.added(account)]),
      LedgerTransaction(accounts: [.added(account.with(id: nobody))]),
      LedgerTransaction(accounts: [.passwordChanged(nobody, account.password)]),
      LedgerTransaction(accounts: [.recovered(nobody, account.password, generation: 1)]),
      LedgerTransaction(accounts: [.sessionOpened(session)]),
      LedgerTransaction(accounts: [.sessionUsed(SessionID(driver.name()), at: session.usedAt)]),
    ]
    for (index, row) in rows.enumerated() {
      var row = row
      row.accounts.insert(.codeSpent("code", by: author), at: 0)
      let error = #expect(throws: StoreError.self, "row \(index)") { try pair.writer.commit(row) }
      guard case .notCommitted(let fault) = error else {
        Issue.record("row \(index): \(String(describing: error))")
        continue
      }
      #expect(fault.kind == .contradiction, "row \(index): \(fault.detail)")
      #expect(try !pair.reader.isSpent(code: "code"), "row \(index)")
      #expect(try pair.reader.head(of: event.stream)?.seq == 1)
    }
    try pair.writer.commit(staged)
    #expect(try pair.reader.head(of: event.stream)?.seq == 2)
  }
}

extension EventRecord {
  fileprivate func with(seq: Int64? = nil, epoch: Epoch? = nil) -> EventRecord {
    EventRecord(
      stream: stream, epoch: epoch ?? self.epoch, seq: seq ?? self.seq, at: at, by: by,
      transaction: transaction, body: body, was: was)
  }
}

extension ObjectRecord {
  fileprivate func with(_ stream: StreamID) -> ObjectRecord {
    ObjectRecord(stream: stream, key: key, change: change)
  }

  fileprivate func with(_ change: Change) -> ObjectRecord {
    ObjectRecord(
      stream: stream, key: ObjectKey(kind: .post, id: UUID(high: 5, low: 5)), change: change)
  }
}

extension Account {
  fileprivate func with(id: UserID) -> Account {
    Account(
      id: id, username: username, password: password, recoveryGeneration: recoveryGeneration)
  }
}
