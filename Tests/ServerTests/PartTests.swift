import Crypto
import Domain
import Foundation
@testable import Net
import Sync
import Testing

@testable import Server

private let list = StreamID.category(CategoryID(UUID(high: 2, low: 1)))
private let author = UserID(UUID(high: 1, low: 1))

@Suite("A commit tells the loops its news")
struct PublicationTests {
  private func event(_ seq: Int64, bytes: Int = 10) -> EventRecord {
    EventRecord(
      stream: list, epoch: Epoch("e"), seq: seq, at: Timestamp(milliseconds: seq), by: nil,
      transaction: TransactionID(UUID(high: 3, low: UInt64(seq))),
      body: Array(repeating: UInt8(ascii: "1"), count: bytes), was: [])
  }

  private func news(
    _ works: [(EventRecord, [AccessChange])]
  ) -> (ranges: [ClosedRange<Int64>], ended: [Int64], begun: [Int64]) {
    var publication = Publication()
    for (event, access) in works {
      publication.add(events: [event], access: access[...], accounts: [])
    }
    let item = publication.news { $0 }.first
    return (
      item?.chunks.map { $0.from...$0.through } ?? [], item?.ended.map(\.seq) ?? [],
      item?.begun.map(\.seq) ?? []
    )
  }

  @Test("Events of one stream are one push")
  func one() {
    #expect(news([(event(5), []), (event(6), []), (event(7), [])]).ranges == [5...7])
  }

  @Test("A push ends where a membership ends")
  func ends() {
    let news = news([
      (event(5), []), (event(6), [.revoked(list, author)]), (event(7), []),
      (event(8), [.granted(list, author, .editor, joinedSeq: 8)]),
    ])
    #expect(news.ranges == [5...6, 7...8])
    #expect(news.ended == [6] && news.begun == [8])
  }

  @Test("Another role is no entrance")
  func role() {
    #expect(news([(event(9), [.granted(list, author, .owner, joinedSeq: 3)])]).begun.isEmpty)
  }

  /// Returns the objects of the last chunk, after these changes of the list's objects.
  private func objects(
    _ changes: [(ObjectKey, ObjectRecord.Change)]
  ) -> [ChunkObjects] {
    var publication = Publication()
    publication.add(
      events: [event(5)], access: [.revoked(list, author)], accounts: [])
    publication.add(events: [event(6)], access: [], accounts: [])
    publication.add(
      objects: changes.map { ObjectRecord(stream: list, key: $0.0, change: $0.1) })
    return publication.news { $0 }.flatMap(\.chunks).map(\.objects)
  }

  @Test("The last push has the objects: those of the state, and the names of those that left it")
  func objects() {
    func post(_ low: UInt64) -> ObjectKey {
      ObjectKey(kind: .post, id: UUID(high: 4, low: low))
    }
    func row(inState: Bool) -> ObjectRecord.Change {
      .put(ObjectRow(body: [1, 2], number: 1, rank: nil, inState: inState))
    }
    let changed = ChangedObjects(
      bodies: [[1, 2]],
      gone: [
        .id(.post, UUID(high: 4, low: 2)), .id(.post, UUID(high: 4, low: 3)),
        .notice(seq: 9, opIndex: 1), .id(.tag, UUID(high: 4, low: 4)),
      ], seq: 6, transaction: TransactionID(UUID(high: 3, low: 6)))
    let told = objects([
      (post(1), row(inState: true)), (post(2), row(inState: false)), (post(3), .leftState),
      (ObjectKey(kind: .notice, id: UUID(high: 9, low: 1)), .leftState),
      (ObjectKey(kind: .tag, id: UUID(high: 4, low: 4)), .deleted),
    ])
    #expect(told == [.later, .changed(changed)])
  }

  @Test("Objects are not at hand when the key of one that is gone does not name it")
  func unnamed() {
    let membership = ObjectKey(kind: .membership, id: UUID(high: 4, low: 1))
    #expect(objects([(membership, .deleted)]) == [.later, .unknown])
  }

  @Test("A push is never longer than a message")
  func message() {
    var publication = Publication()
    for (index, bytes) in [61_440, Limits.eventBytesMax, 1_024, 61_440, 215_040].enumerated() {
      publication.add(events: [event(Int64(index) + 1, bytes: bytes)], access: [], accounts: [])
    }
    let chunks = publication.news { $0 }.flatMap(\.chunks)
    #expect(chunks.map { $0.from...$0.through } == [1...1, 2...2, 3...4, 5...5])
    #expect(chunks.allSatisfy { $0.frame.count <= Limits.messageBytesMax })
  }

  @Test("A push is as long as a page", arguments: [Limits.pageBytesMax - 1, Limits.pageBytesMax])
  func page(_ bytes: Int) {
    let ranges = news([(event(1, bytes: bytes), []), (event(2), [])]).ranges
    #expect(ranges == (bytes < Limits.pageBytesMax ? [1...2] : [1...1, 2...2]))
  }
}

@Suite("Codes that people write down")
struct CodesTests {
  private let codes = Codes(secret: Array(repeating: 7, count: 32))
  private let user = UUID(high: 1, low: 2)

  @Test("A recovery code is the same whenever it is asked for, and another for each generation")
  func recovery() {
    let code = codes.recovery(user, generation: 1)
    #expect(code == codes.recovery(user, generation: 1))
    #expect(codes.isRecovery(code.lowercased(), user, generation: 1))
    #expect(!codes.isRecovery(code, user, generation: 2))
    #expect(!codes.isRecovery(code, UUID(high: 1, low: 3), generation: 1))
    #expect(!codes.isRecovery("", user, generation: 1))
    #expect(!Codes(secret: Array(repeating: 8, count: 32)).isRecovery(code, user, generation: 1))
  }

  @Test("The code of an invitation names its place, and is that of no other invitation or server")
  func invitation() throws {
    let (id, other) = (InvitationID(user), InvitationID(UUID(high: 1, low: 3)))
    let stream = StreamID.category(CategoryID(UUID(high: 8, low: 9)))
    let code = codes.invitation(id, to: stream)
    #expect(code.count == 52 + 12)
    #expect(Codes.place(of: code) == stream.uuid)
    let spoken = code.lowercased().replacing("-", with: " ")
    #expect(Codes.place(of: spoken) == stream.uuid)
    #expect(codes.isInvitation(spoken, id, to: stream))
    #expect(!codes.isInvitation(code, other, to: stream))
    #expect(!codes.isInvitation(code, id, to: .group(GroupID(stream.uuid))))
    let elsewhere = Codes(secret: Array(repeating: 8, count: 32))
    #expect(!elsewhere.isInvitation(code, id, to: stream))
    for index in code.indices where code[index] != "-" {
      var forged = code
      forged.replaceSubrange(index...index, with: code[index] == "0" ? "1" : "0")
      #expect(!codes.isInvitation(forged, id, to: stream), "\(forged)")
    }
    for text in ["", "ABCD", codes.recovery(user, generation: 1), code + "0"] {
      #expect(Codes.place(of: text) == nil, "\(text)")
    }
  }

  @Test("A registration code is good until its end", arguments: [1_000, 1_001])
  func registration(_ now: Int64) {
    let code = codes.registration(id: [1, 2, 3, 4, 5, 6, 7, 8], endsAt: 1_000)
    #expect(
      codes.registrationID(code, nowSeconds: now) == (now <= 1_000 ? "0102030405060708" : nil))
  }

  @Test("No changed character of a registration code passes")
  func forged() {
    let code = codes.registration(id: [1, 2, 3, 4, 5, 6, 7, 8], endsAt: 1_000)
    for index in code.indices where code[index] != "-" {
      var other = code
      other.replaceSubrange(index...index, with: code[index] == "0" ? "1" : "0")
      #expect(codes.registrationID(other, nowSeconds: 0) == nil, "\(other)")
    }
  }
}

@Suite("DESIGN §6: buckets of signing in")
struct SignInLimitTests {
  private let home = PeerAddress(high: 0, low: 1, port: 0)
  private let away = PeerAddress(high: 0, low: 2, port: 0)

  private func limits() -> SignInLimits {
    var rules = SignInRules()
    rules.perAccount = TokenRate(count: 1, everyMilliseconds: 1_000, burst: 2)
    rules.perAddress = TokenRate(count: 1, everyMilliseconds: 10, burst: 4)
    return SignInLimits(rules)
  }

  @Test("A guesser is slowed at one account from one place, and nobody else is")
  func perAccount() {
    var limits = limits()
    func attempt(_ account: String, _ from: PeerAddress, known: Bool = false) -> Bool {
      limits.tryNow(account: account, from: from, knownDevice: known, at: 0) == nil
    }
    let tries = [
      attempt("author", home), attempt("author", home), attempt("author", home),
      attempt("author", away), attempt("bots", away), attempt("author", home, known: true),
    ]
    #expect(tries == [true, true, false, true, true, true])
  }

  @Test("A guesser who was told to wait takes nothing from the others at the address")
  func neighbours() {
    var limits = limits()
    func attempt(_ account: String) -> Bool {
      limits.tryNow(account: account, from: home, knownDevice: false, at: 0) == nil
    }
    let guesses = (0..<100).filter { _ in attempt("author") }
    #expect(guesses == [0, 1])
    #expect(attempt("bots") && attempt("member") && !attempt("dora"))
    // The refusal of the address took nothing from the account's own tries.
    let later = (0..<3).map { _ in
      limits.tryNow(account: "dora", from: home, knownDevice: false, at: 20) == nil
    }
    #expect(later == [true, true, false])
  }

  @Test("A whole address has a limit too, and success gives an account's bucket back")
  func perAddress() {
    var limits = limits()
    let tries = (0..<5).map {
      limits.tryNow(account: "user\($0)", from: home, knownDevice: false, at: 0)
    }
    #expect(tries == [nil, nil, nil, nil, 10])
    _ = limits.tryNow(account: "author", from: away, knownDevice: false, at: 0)
    limits.succeeded(account: "author", from: away)
    let again = (0..<2).map { _ in
      limits.tryNow(account: "author", from: away, knownDevice: false, at: 0)
    }
    #expect(again == [nil, nil])
  }
}

@Suite("Arguments of whattodo-server")
struct InvocationTests {
  private func read(_ arguments: String...) throws -> Invocation {
    try Invocation(arguments, environment: ["HOME": "/home/author"])
  }

  @Test("Without any it serves this machine from the home folder")
  func defaults() throws {
    guard case .serve(let options) = try read() else {
      Issue.record("does not serve")
      return
    }
    #expect(options.dataFolder == "/home/author/.local/share/whattodo")
    #expect(options.listen.count == 1 && options.registrationIsOpen)
  }

  @Test("Options are read, and registration needs a code where others can connect")
  func options() throws {
    let invocation = try read(
      "--data", "d", "--listen", "127.0.0.1:0", "--listen", "0.0.0.0:9", "--loops", "2",
      "--scrypt-log-n", "12", "--allow-host", "h", "--insecure-plaintext", "--record-frames", "f")
    guard case .serve(let options) = invocation else {
      Issue.record("does not serve")
      return
    }
    #expect(options.dataFolder == "d" && options.listen.count == 2 && options.loops == 2)
    #expect(options.scryptCost.logN == 12 && options.hosts == ["h"])
    #expect(options.allowsPlaintext && options.recordFrames == "f")
    #expect(options.firstLists.isEmpty && options.privacyFile == nil)
    #expect(!options.registrationIsOpen)
  }

  @Test(
    "A server that others reach by a proxy asks for a code to register",
    arguments: [
      (["--listen", "[::1]:0"], true), (["--listen", "unix:/run/s"], false),
      (["--trusted-proxy", "127.0.0.1"], false), (["--trusted-proxy", "unix"], false),
    ])
  func proxies(_ arguments: [String], isOpen: Bool) throws {
    let invocation = try Invocation(arguments, environment: ["HOME": "/home/author"])
    guard case .serve(let options) = invocation else {
      Issue.record("does not serve")
      return
    }
    #expect(options.registrationIsOpen == isOpen)
  }

  @Test("Operator's commands")
  func commands() throws {
    guard case .invite("d", 3) = try read("invite", "--days", "3", "--data", "d"),
      case .verify("d") = try read("verify", "--data", "d"),
      case .backup("d", "to", false) = try read("backup", "to", "--data", "d"),
      case .backup("d", "to", true) = try read("backup", "to", "--with-secret", "--data", "d"),
      case .newSecret("d") = try read("secret", "new", "--data", "d"),
      case .resetUser("d", "author") = try read("user", "reset", "author", "--data", "d"),
      case .deleteUser("d", "author", 14) = try read("user", "delete", "author", "--data", "d"),
      case .deleteUser("d", "author", 0) = try read(
        "user", "delete", "author", "--days", "0", "--data", "d"),
      case .ownGroup("d", "Family", "author", 3) = try read(
        "group", "owner", "Family", "author", "--days", "3", "--data", "d"),
      case .help = try read("--help"), case .version = try read("--version")
    else {
      Issue.record("read as something else")
      return
    }
  }

  @Test("Lists that everybody begins with are named as lists are")
  func firstLists() throws {
    guard case .serve(let options) = try read("--first-list", " to do ", "--first-list", "food")
    else {
      Issue.record("does not serve")
      return
    }
    #expect(options.firstLists == ["to do", "food"])
  }

  @Test(
    "A sentence says what is wrong",
    arguments: [
      (["--nothing"], "--nothing"), (["--loops"], "needs a value"), (["--loops", "0"], "1 to 64"),
      (["--listen", "nowhere:port"], "nowhere:port"), (["user"], "user reset"),
      (["user", "delete"], "needs a username"),
      (["user", "delete", "a", "--days", "366"], "0 to 365"),
      (["group"], "group owner"), (["group", "owner", "g"], "username"),
      (["backup"], "name of a new file"), (["secret"], "secret new"),
      (["backup", "to", "--replace"], "--replace"),
      (["--first-list", "a\u{202E}b"], "--first-list"),
      (Array(repeating: ["--first-list", "a"], count: 11).flatMap(\.self), "10 times"),
      (["verify", "--loops", "1"], "--loops"),
      (["--grace", "366"], "0 to 365"), (["--keep-removed", "never"], "0 to 36500, or `ever`"),
      (["--keep-removed", "-1"], "0 to 36500, or `ever`"), (["--registration", "maybe"], "maybe"),
      (["--trusted-proxy", "10.0.0.1/8"], "10.0.0.1/8"),
      (["--listen", "unix:" + String(repeating: "a", count: 108)], "107 bytes"),
    ])
  func wrong(_ arguments: [String], _ word: String) {
    #expect {
      try Invocation(arguments, environment: ["HOME": "/home/author"])
    } throws: {
      "\($0)".contains(word)
    }
  }
}

@Suite("Snapshots kept for others")
struct SnapshotCacheTests {
  private let form = SnapshotForm(list)

  private func pages(_ seq: Int64, bytes: Int) -> SnapshotPages<Int> {
    SnapshotPages(epoch: Epoch("e"), seq: seq, frames: [Int(seq)], bytes: bytes)
  }

  @Test("The one asked for longest ago goes first, the newest always stays")
  func bounded() {
    var cache = SnapshotCache<Int>(bytesMax: 250)
    cache.keep(pages(1, bytes: 100), of: form)
    cache.keep(pages(2, bytes: 100), of: form)
    _ = cache.pages(of: form, at: 1)
    cache.keep(pages(3, bytes: 100), of: form)
    let found = [1, 2, 3].map { cache.pages(of: form, at: $0) != nil }
    #expect(found == [true, false, true])
    cache.keep(pages(4, bytes: 1_000), of: form)
    let after = [1, 3, 4].map { cache.pages(of: form, at: $0) != nil }
    #expect(after == [false, false, true])
  }
}
