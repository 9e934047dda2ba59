import Domain
import Sync
import Testing
import Wire

@testable import Store

/// The promises of every store (Sources/Sync/EventStore.swift), tested on each of them.
@Suite("EventStore contract: streams")
struct StreamContractTests {
  @Test("a new store is empty and says which it is", arguments: StoreKind.allCases)
  func empty(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let user = UserID(UUID(high: 1, low: 1))
    #expect(pair.reader.identity == testIdentity)
    #expect(try pair.reader.streams(of: user) == [])
    #expect(try pair.reader.head(of: .user(user)) == nil)
    #expect(try pair.reader.snapshot(of: .user(user)) == nil)
    #expect(try pair.reader.account(user) == nil)
    #expect(try pair.reader.events(in: .user(user), after: 0, through: 9, bytesMax: 99) == [])
  }

  @Test(
    "events come back as the bytes that were written, numbered from 1",
    arguments: StoreKind.allCases)
  func events(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let category = try driver.category("groceries", by: author)
    let work = try driver.work(
      .post(.add(category, PostID(driver.name()), title: "milk", notes: "")), by: author)
    let staged = try driver.staged([work])
    try pair.writer.commit(staged)

    let stream = StreamID.category(category)
    let events = try pair.reader.events(in: stream, after: 0, through: 99, bytesMax: 1 << 20)
    #expect(events.map(\.seq) == [1, 2])
    #expect(events.last?.body == staged.events.last?.body)
    let head = try #require(try pair.reader.head(of: stream))
    #expect(head.seq == 2)
    #expect(head.transaction == staged.events.last?.transaction)
    #expect(head.epoch.text.hasPrefix("e1."))
    #expect(
      try pair.reader.transaction(at: StreamPosition(stream: stream, seq: 2)) == head.transaction)
    for seq: Int64 in [-1, 0, 3, Int64.max] {
      #expect(try pair.reader.transaction(at: StreamPosition(stream: stream, seq: seq)) == nil)
    }
  }

  @Test("a tail is cut by numbers and by bytes, and never empty", arguments: StoreKind.allCases)
  func tails(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let category = try driver.category("groceries", by: author)
    for number in 1...9 { _ = try driver.post("post \(number)", in: category, by: author) }
    _ = try driver.category("a neighbour in the table", by: author)

    let stream = StreamID.category(category)
    let all = try pair.reader.events(in: stream, after: 0, through: 10, bytesMax: 1 << 20)
    #expect(all.map(\.seq) == Array(1...10))
    let rows: [(after: Int64, through: Int64, bytes: Int, seqs: [Int64])] = [
      (0, .max, 1 << 20, Array(1...10)), (3, 5, 1 << 20, [4, 5]), (9, 99, 1 << 20, [10]),
      (10, 99, 1 << 20, []), (5, 5, 1 << 20, []), (7, 3, 1 << 20, []),
      (4, 10, 0, [5]), (4, 10, all[4].body.count, [5]),
      (4, 10, all[4].body.count + all[5].body.count, [5, 6]),
      (4, 10, all[4].body.count + all[5].body.count - 1, [5]),
      (-5, 2, 1 << 20, [1, 2]), (.min, .max, 1 << 20, Array(1...10)),
    ]
    for row in rows {
      let events = try pair.reader.events(
        in: stream, after: row.after, through: row.through, bytesMax: row.bytes)
      #expect(events.map(\.seq) == row.seqs, "after \(row.after) through \(row.through)")
    }
  }

  @Test(
    "a reader sees whole transactions, and one moment inside a read", arguments: StoreKind.allCases)
  func moments(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let category = try driver.category("groceries", by: author)
    let stream = StreamID.category(category)
    try pair.reader.read { () throws(StoreError) in
      #expect(try pair.reader.head(of: stream)?.seq == 1)
      do { _ = try driver.post("milk", in: category, by: author) } catch { Issue.record(error) }
      #expect(try pair.reader.head(of: stream)?.seq == 1)
      #expect(try pair.reader.snapshot(of: stream)?.head.seq == 1)
    }
    #expect(try pair.reader.head(of: stream)?.seq == 2)
  }

  @Test(
    "a snapshot is the state: own object, members, posts by number", arguments: StoreKind.allCases)
  func snapshots(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let editor = try driver.person("editor")
    let category = try driver.category("groceries", by: author)
    let stream = StreamID.category(category)
    try driver.bring(editor, "editor", to: stream, by: author)
    var posts: [PostID] = []
    for title in ["milk", "bread", "eggs", "tea"] {
      posts.append(try driver.post(title, in: category, by: author))
    }
    try driver.run(.completePost(category, posts[0], ifVersion: nil), by: editor)
    try driver.run(.removePost(category, posts[1], ifVersion: nil), by: author)
    try driver.run(
      .invitation(
        .send(
          InvitationID(driver.name()), .group(try driver.group("home", by: author)),
          username: "editor",
          .editor
        )),
      by: author)

    let snapshot = try #require(try pair.reader.snapshot(of: stream))
    let objects = try snapshot.objects.map { try ObjectCodec.decode($0) }
    #expect(objects.map(\.key.kind) == [.category, .member, .member, .post, .post, .post])
    #expect(
      objects.compactMap { if case .post(let post) = $0 { post.number } else { nil } } == [1, 3, 4])
    #expect(try replica(of: stream, pair.reader).objects.count == objects.count)
    #expect(snapshot.head == (try pair.reader.head(of: stream)))

    let own = try #require(try pair.reader.snapshot(of: .user(editor)))
    let kinds = try own.objects.map { try ObjectCodec.decode($0).key.kind }
    #expect(kinds == [.profile, .invitation, .membership, .notice, .notice])
  }

  @Test("a snapshot is what the events make", arguments: StoreKind.allCases)
  func snapshotEqualsEvents(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let world = try busyWorldWithBot(driver)
    for stream in world.streams {
      let snapshot = try #require(try pair.reader.snapshot(of: stream))
      let objects = try snapshot.objects.map { try ObjectCodec.decode($0) }
      let made = try replica(of: stream, pair.reader).objects
      #expect(Dictionary(uniqueKeysWithValues: objects.map { ($0.key, $0) }) == made, "\(stream)")
    }
  }

  /// Returns the state that events 1…n make of nothing.
  private func replica(of stream: StreamID, _ store: any EventStore) throws -> StreamState {
    var state = StreamState(stream: stream)
    for event in try store.events(in: stream, after: 0, through: .max, bytesMax: .max) {
      _ = state.apply(try EventCodec.decode(event.body, seq: event.seq))
    }
    return state
  }

  @Test("two stores that were told the same hold the same bytes")
  func convergence() throws {
    let pairs = try StoreKind.allCases.map { try StorePair($0) }
    let worlds = try pairs.map { try busyWorldWithBot(LedgerDriver($0.writer)) }
    #expect(worlds[0].streams == worlds[1].streams)
    for stream in worlds[0].streams {
      #expect(try pairs[0].reader.snapshot(of: stream) == pairs[1].reader.snapshot(of: stream))
    }
    for user in worlds[0].people {
      #expect(try pairs[0].reader.streams(of: user) == pairs[1].reader.streams(of: user))
    }
  }
}

/// People, a group, lists and posts in every condition.
struct BusyWorld {
  var people: [UserID] = []
  var streams: [StreamID] = []
}

func busyWorld(_ driver: LedgerDriver) throws -> BusyWorld {
  let people = try ["author", "editor", "member"].map { try driver.person($0) }
  let (author, editor, member) = (people[0], people[1], people[2])
  let group = try driver.group("home", by: author)
  try driver.bring(editor, "editor", to: .group(group), by: author)
  let shared = try driver.category("groceries", by: author, in: group)
  let own = try driver.category("diary", by: editor)
  try driver.bring(member, "member", to: .category(own), by: editor)
  for (category, user) in [(shared, author), (own, member)] {
    let posts = try (1...6).map { try driver.post("post \($0)", in: category, by: user) }
    try driver.run(.completePost(category, posts[0], ifVersion: nil), by: user)
    try driver.run(.completePost(category, posts[1], ifVersion: nil), by: user)
    try driver.run(.reopenPost(category, posts[1], ifVersion: nil), by: user)
    try driver.run(.removePost(category, posts[2], ifVersion: nil), by: user)
    try driver.run(.removePost(category, posts[0], ifVersion: nil), by: user)
    try driver.run(.restorePost(category, posts[2], ifVersion: nil), by: user)
    try driver.run(
      .editPost(category, posts[3], PostEdit(title: "edited"), ifVersion: nil), by: user)
    let due = PostEdit(due: .set(.day(Day(number: 20_781))))
    try driver.run(.editPost(category, posts[4], due, ifVersion: nil), by: user)
  }
  try driver.run(.member(.leave(.category(own))), by: member)
  try driver.run(.member(.remove(.group(group), editor)), by: author)
  try driver.run(.account(.editProfile(ProfileEdit(name: "Author B."))), by: author)
  try driver.run(.markRead(.category(shared), seq: 3), by: author)
  try driver.run(.category(.remove(own)), by: editor)
  return BusyWorld(
    people: people,
    streams: people.map { .user($0) } + [.group(group), .category(shared), .category(own)])
}

/// A busy world and a list in which a bot works, with a token and a webhook: runs, a reaction, people who
/// mute, and talk.
/// The bot is the last of the people. (The databases of earlier versions have the world without it.)
func busyWorldWithBot(_ driver: LedgerDriver) throws -> BusyWorld {
  var world = try busyWorld(driver)
  let owner = world.people[0]
  let friend = try driver.person("friend")
  let list = try driver.category("builds", by: owner)
  try driver.bring(friend, "friend", to: .category(list), by: owner)
  let bot = try driver.bot("nightly", in: list, by: owner)
  let post = try driver.post("the build", in: list, by: owner)
  for outcome in [RunOutcome.failed, .ok] {
    let run = RunID(driver.name())
    try driver.run(.changeRun(list, post, run, .start(lease: 60_000, phase: "compile")), by: bot)
    try driver.run(.changeRun(list, post, run, .phase("test")), by: bot)
    try driver.run(.changeRun(list, post, run, .end(outcome, text: "42 tests")), by: bot)
  }
  let last = RunID(driver.name())
  try driver.run(.changeRun(list, post, last, .start(lease: 60_000, phase: nil)), by: bot)
  let chore = try driver.post("a chore", in: list, by: friend)
  let done = try driver.run(.completePost(list, chore, ifVersion: nil), by: friend)
  let event = try #require(done.events.first?.seq)
  try driver.run(.react(list, event: event, sign: "👏"), by: owner)
  try driver.talk(in: .category(list), about: chore, owner, friend)
  for user in [owner, friend] { try driver.mute([.category(list), .user(bot)], by: user) }
  world.people += [friend, bot]
  world.streams += [.user(friend), .user(bot), .category(list)]
  return world
}

extension LedgerDriver {
  /// Lets two people talk: a line, a comment that is changed, and one that is removed.
  func talk(in place: StreamID, about post: PostID, _ first: UserID, _ second: UserID) throws {
    let asked = try run(.line(.say(place, text: "Who does it?", post: post)), by: first)
    let line = try #require(asked.events.first?.seq)
    try run(.line(.edit(place, line: line, text: "Who does it today?")), by: first)
    let said = try run(.line(.say(place, text: "Not me", answers: line)), by: second)
    let wrong = try run(.line(.say(place, text: "Never")), by: second)
    #expect(said.events.count == 1)
    try run(.line(.remove(place, line: try #require(wrong.events.first?.seq))), by: second)
  }

  /// Makes a bot that is in a list, with a token and a webhook.
  func bot(_ username: String, in list: CategoryID, by owner: UserID) throws -> UserID {
    let bot = UserID(name())
    let new = NewBot(id: bot, username: username, name: "\(username)'s name", zone: "UTC")
    try run(.bot(.add(new)), by: owner)
    let invitation = InvitationID(name())
    try run(
      .invitation(.send(invitation, .category(list), username: username, .editor)), by: owner)
    try run(.bot(.addToken(bot, TokenID(name()), NewToken(name: "\(username)'s token"))), by: owner)
    let address = try WebhookAddress("https://\(username).example.org/hook")
    let webhook = NewWebhook(name: "\(username)'s chat", address: address)
    try run(.bot(.addWebhook(bot, WebhookID(name()), webhook)), by: owner)
    return bot
  }

  /// Lets a person be told nothing of places or people.
  func mute(_ muted: [StreamID], by user: UserID) throws {
    var edit = SettingsEdit()
    edit.levels = muted.map { .choose(LevelChoice(about: $0, level: .none)) }
    try run(.account(.editSettings(edit)), by: user)
  }
}
