import Calendar
import Domain
import TestRandom
import Testing
import Wire

@testable import Store
@testable import Sync

private let day = Day(number: 20_781)

private func at(_ hour: Int64, days: Int = 0) -> Timestamp {
  Timestamp(
    milliseconds: day.adding(days: days).startUTC.milliseconds + hour * 3_600_000)
}

/// The reading of an author and an editor, who share a list of a group.
private struct Reading {
  let driver: LedgerDriver
  let reader: Reader<[UInt8]>
  let author: UserID
  let editor: UserID
  let group: GroupID
  let list: CategoryID

  init(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    driver = LedgerDriver(pair.writer)
    author = try driver.person("author")
    editor = try driver.person("editor")
    group = try driver.group("home", by: author)
    list = try driver.category("groceries", by: author, in: group)
    try driver.bring(editor, "editor", to: .group(group), by: author)
    reader = Reader(of: pair.reader)
  }

  func outcome(_ query: StatsQuery, as user: UserID) throws -> RequestOutcome {
    let identity = Identity(user: user, session: SessionID(UUID(high: 0, low: 1)))
    return try reader.stats(.number(1), identity, query, at: Timestamp(milliseconds: driver.now))
  }

  func stats(
    _ stream: StreamID? = nil, _ from: Int = 0, _ to: Int = 0, as user: UserID, zone: String = "UTC"
  ) throws -> StatsResult {
    let query = StatsQuery(
      stream ?? .category(list), from: day.adding(days: from), to: day.adding(days: to), zone: zone)
    guard case .answer(let bytes) = try outcome(query, as: user),
      case .result(_, let node) = try ServerMessage(decoding: bytes)
    else { throw Unexpected() }
    return try StatsResult(decoding: node)
  }

  func refusal(_ stream: StreamID, as user: UserID) throws -> Failure? {
    guard case .failed(let it) = try outcome(StatsQuery(stream, from: day, to: day), as: user)
    else { return nil }
    return it
  }

  func post(_ title: String, due: Due? = nil, in category: CategoryID? = nil) throws -> PostID {
    let id = PostID(driver.name())
    let fields = PostEdit(due: due.map { .set($0) } ?? .keep)
    let address = PostAddress(category: category ?? list, post: id)
    try driver.run(.post(.add(address, NewPost(title: title, fields: fields))), by: author)
    return id
  }

  func complete(_ post: PostID, by user: UserID) throws {
    try driver.run(.completePost(list, post, ifVersion: nil), by: user)
  }
}

private struct Unexpected: Error {}

@Suite("protocol §8: a reader answers how much people have completed")
struct StatsReadingTests {
  @Test(
    "who completed how much and how much of it in time, of these days only",
    arguments: StoreKind.allCases)
  func table(_ kind: StoreKind) throws {
    let it = try Reading(kind)
    it.driver.pass(to: at(23, days: -1))
    let early = try it.post("early", due: .day(day.adding(days: 1)))
    let late = try it.post("late", due: .time(day, minute: 60, zone: "UTC"))
    let (plain, before) = (try it.post("plain"), try it.post("before"))
    try it.complete(before, by: it.editor)
    it.driver.pass(to: at(9))
    for post in [early, late] { try it.complete(post, by: it.editor) }
    it.driver.pass(to: at(9, days: 1))
    try it.complete(plain, by: it.author)
    try it.driver.run(
      .editPost(it.list, late, PostEdit(due: .clear), ifVersion: nil), by: it.author)
    it.driver.pass(to: at(9, days: 2))
    _ = try it.post("after")
    let result = try it.stats(nil, 0, 1, as: it.editor)
    #expect(result.zone == "UTC" && !result.more && result.added == 0 && result.completed == 3)
    // The deadline that it had then, though it has none now.
    #expect(result.punctuality == Punctuality(onTime: 1, late: 1))
    #expect(result.days.map(\.completed) == [2, 1])
    #expect(result.people.map(\.username) == ["editor", "author"])
    #expect(
      result.people.map(\.score) == [
        PersonScore(
          user: it.editor, added: 0, completed: 2,
          punctuality: Punctuality(onTime: 1, late: 1), streak: 0, best: 1,
          record: DayScore(day: day, completed: 2)),
        PersonScore(
          user: it.author, added: 0, completed: 1, streak: 1, best: 1,
          record: DayScore(day: day.adding(days: 1), completed: 1)),
      ])
    #expect(try it.stats(nil, -1, -1, as: it.author).added == 4)
    #expect(try it.stats(nil, -1, -1, as: it.author).completed == 1)
    #expect(try it.stats(nil, 5, 9, as: it.author).people == [])
    #expect(try it.stats(nil, -9, -5, as: it.author).completed == 0)
    // Ten hours behind, it is still the day before.
    #expect(try it.stats(nil, 0, 0, as: it.author, zone: "Etc/GMT+10").completed == 1)
    #expect(try it.stats(nil, -1, -1, as: it.author, zone: "Etc/GMT+10").completed == 3)
  }

  @Test("An undone completion is none, and the undo of the undo makes it the same one again")
  func undone() throws {
    let it = try Reading(.sqlite)
    it.driver.pass(to: at(9))
    let milk = try it.post("milk", due: .day(day))
    try it.complete(milk, by: it.editor)
    let done = try it.stats(as: it.author)
    func undo() throws {
      let stream = StreamID.category(it.list)
      let seq = try #require(try it.driver.store.head(of: stream)).seq
      try it.driver.run(
        .undo(UndoTarget(stream: stream, events: [seq], seen: nil)), by: it.editor)
    }
    try undo()
    #expect(try it.stats(as: it.author).completed == 0)
    try undo()
    let again = try it.stats(as: it.author)
    #expect(again == done && again.completed == 1)
  }

  @Test("only what a member may read: present members, and from the beginning of their history")
  func rights() throws {
    let it = try Reading(.sqlite)
    let third = try it.driver.person("third")
    it.driver.pass(to: at(9))
    try it.complete(try it.post("milk"), by: it.editor)
    var edit = CategoryEdit()
    edit.history = .joined
    try it.driver.run(.category(.edit(it.list, edit)), by: it.author)
    let list = StreamID.category(it.list)
    #expect(try it.refusal(list, as: third) == .refused(.notFound("category")))
    #expect(try it.refusal(.group(it.group), as: third) == .refused(.notFound("group")))
    try it.driver.bring(third, "third", to: list, by: it.author)
    #expect(try it.stats(as: third).completed == 0, "before they came")
    #expect(try it.refusal(.group(it.group), as: third) == .refused(.notFound("group")))
    try it.complete(try it.post("bread"), by: it.editor)
    #expect(try it.stats(as: third).completed == 1)
    try it.driver.run(.member(.leave(list)), by: third)
    #expect(try it.refusal(list, as: third) == .refused(.notFound("category")))
    #expect(try it.stats(as: it.editor).completed == 2)
    let query = StatsQuery(list, from: day, to: day, zone: "No/Zone")
    guard case .failed(let failure) = try it.outcome(query, as: it.editor) else {
      Issue.record("there is no such zone")
      return
    }
    #expect(failure == .refused(.invalid(field: "zone", reason: "names no time zone")))
  }

  @Test("A bot is in no score, whatever it completes", arguments: StoreKind.allCases)
  func bots(_ kind: StoreKind) throws {
    let it = try Reading(kind)
    let robot = try it.driver.person("robot", kind: .bot)
    try it.driver.bring(robot, "robot", to: .category(it.list), by: it.author)
    it.driver.pass(to: at(9))
    let late = try it.post("late", due: .time(day, minute: 60, zone: "UTC"))
    try it.complete(late, by: robot)
    try it.complete(try it.post("milk"), by: it.editor)
    _ = try it.driver.post("by the bot", in: it.list, by: robot)
    for stream in [StreamID.category(it.list), .group(it.group)] {
      let result = try it.stats(stream, as: it.author)
      #expect(result.people.map(\.username) == ["editor", "author"])
      #expect(result.completed == 1 && result.punctuality == nil && result.lateMedian == nil)
      #expect(result.days.map(\.completed) == [1])
      #expect(result.added == 3)
    }
    try it.driver.run(.member(.leave(.category(it.list))), by: robot)
    #expect(try it.stats(as: it.author).completed == 1)
  }

  @Test("a group is all its lists together, but for removed ones", arguments: StoreKind.allCases)
  func groups(_ kind: StoreKind) throws {
    let it = try Reading(kind)
    let other = try it.driver.category("chores", by: it.author, in: it.group)
    let apart = try it.driver.category("apart", by: it.author)
    it.driver.pass(to: at(9))
    try it.complete(try it.post("milk"), by: it.editor)
    for list in [other, apart] {
      let post = try it.post("it", in: list)
      try it.driver.run(.completePost(list, post, ifVersion: nil), by: it.author)
    }
    let result = try it.stats(.group(it.group), as: it.editor)
    #expect(result.completed == 2 && result.added == 2)
    #expect(result.people.map(\.username) == ["editor", "author"])
    try it.driver.run(.category(.archive(other)), by: it.author)
    #expect(try it.stats(.group(it.group), as: it.editor).completed == 2)
    try it.driver.run(.category(.remove(other)), by: it.author)
    #expect(try it.stats(.group(it.group), as: it.editor).completed == 1)
  }

  @Test("One's own are those of all lists, and nobody else's", arguments: StoreKind.allCases)
  func own(_ kind: StoreKind) throws {
    let it = try Reading(kind)
    let apart = try it.driver.category("apart", by: it.author)
    it.driver.pass(to: at(9))
    try it.complete(try it.post("milk"), by: it.editor)
    try it.complete(try it.post("bread"), by: it.author)
    let post = try it.post("alone", in: apart)
    try it.driver.run(.completePost(apart, post, ifVersion: nil), by: it.author)
    let own = try it.stats(.user(it.author), as: it.author)
    #expect(own.people.map(\.username) == ["author"] && own.completed == 2 && own.added == 3)
    #expect(own.people.map(\.score.record) == [DayScore(day: day, completed: 2)])
    let others = try it.stats(.user(it.editor), as: it.editor)
    #expect(others.people.map(\.username) == ["editor"] && others.completed == 1)
    #expect(others.added == 0)
    #expect(try it.refusal(.user(it.editor), as: it.author) != nil)
    try it.driver.run(.category(.remove(apart)), by: it.author)
    #expect(try it.stats(.user(it.author), as: it.author).completed == 1)
  }

  @Test("Posts that were added are counted for 92 days, and everything else for ten years")
  func years() throws {
    let it = try Reading(.sqlite)
    it.driver.pass(to: at(9))
    try it.complete(try it.post("milk"), by: it.editor)
    let quarter = try it.stats(nil, -91, 0, as: it.author)
    #expect(quarter.added == 1 && quarter.people.map(\.score.added) == [0, 1])
    let years = try it.stats(nil, -3_659, 0, as: it.author)
    #expect(years.added == nil && years.completed == 1)
    #expect(years.people.map(\.username) == ["editor"] && years.people[0].score.added == nil)
  }

  @Test("A completion counts also when its event is forgotten", arguments: StoreKind.allCases)
  func forgotten(_ kind: StoreKind) throws {
    let it = try Reading(kind)
    it.driver.pass(to: at(9))
    try it.complete(try it.post("milk"), by: it.editor)
    it.driver.pass(to: at(9, days: 3))
    _ = try it.post("later")
    while try !it.driver.store.trim(before: at(0, days: 2)).isDone {}
    #expect(try it.driver.store.head(of: .category(it.list))?.horizon ?? 0 > 0)
    let result = try it.stats(nil, 0, 3, as: it.author)
    #expect(result.completed == 1 && result.people.first?.username == "editor")
  }

  @Test("The latest is told of more than one request may look through")
  func bounded() throws {
    let it = try Reading(.memory)
    it.driver.pass(to: at(0))
    let count = ReadingLimits.stats.events + 20
    for number in 1...count { _ = try it.driver.post("\(number)", in: it.list, by: it.author) }
    let result = try it.stats(as: it.editor)
    let added = try #require(result.added)
    #expect(result.more && added < count && added > count - 40)
    it.driver.pass(to: at(1, days: 1))
    try it.complete(try it.post("last"), by: it.editor)
    let last = try it.stats(nil, 1, 1, as: it.editor)
    #expect(!last.more && last.completed == 1)
  }
}

// MARK: Random histories

/// A count of completions by the posts themselves, looked at before and after each change.
private struct Recount {
  struct Feat: Hashable {
    let post: PostID
    let occurrence: Int?
    let part: UserID?
  }

  var held: [Feat: Achievement] = [:]
  var added: [(user: UserID, at: Timestamp)] = []

  mutating func see(_ old: Post?, _ new: Post, by user: UserID, at now: Timestamp) {
    if old == nil { added.append((user, now)) }
    let (turn, was) = (new.occurrence?.number, old?.occurrence?.number)
    // A time that an undo lets be over again counts at the time of the undo.
    if let turn, let was, turn > was, let last = new.occurrence?.last {
      let it = achievement(last.by, last.at, old?.due)
      held[Feat(post: new.id, occurrence: turn - 1, part: nil)] = Achievement(
        user: it.user, at: now, lateness: it.lateness)
    }
    let whole = Feat(post: new.id, occurrence: turn, part: nil)
    if let done = new.completed, !new.parts.contains(done.by) {
      if held[whole] == nil { held[whole] = achievement(done.by, done.at, old?.due) }
    } else {
      held[whole] = nil
    }
    for feat in held.keys where feat.post == new.id && feat.occurrence == turn {
      if let part = feat.part, !new.parts.contains(part) { held[feat] = nil }
    }
    for part in new.parts {
      let feat = Feat(post: new.id, occurrence: turn, part: part.user)
      if held[feat] == nil { held[feat] = achievement(part.user, part.at, old?.due) }
    }
  }

  private func achievement(_ user: UserID, _ time: Timestamp, _ due: Due?) -> Achievement {
    let deadline = due?.deadline(categoryZone: "Europe/Lisbon", almanac: .system)
    return Achievement(
      user: user, at: time, lateness: deadline.map { time.milliseconds - $0.milliseconds })
  }

  /// Expects the same of the days from `from` through `today`, the last of which goes on.
  func expectSame(_ result: StatsResult, from: Day, today: Day) {
    let start = from.startUTC
    let all = held.values.filter { $0.at >= start }
    let latenesses = all.compactMap(\.lateness).sorted()
    #expect(result.completed == all.count)
    #expect(result.added == added.count { $0.at >= start })
    #expect(result.punctuality?.late ?? 0 == latenesses.count { $0 >= 0 })
    #expect(result.punctuality?.onTime ?? 0 == latenesses.count { $0 < 0 })
    #expect(
      result.lateMedian == (latenesses.isEmpty ? nil : latenesses[(latenesses.count - 1) / 2]))
    var days: [Day: Int] = [:]
    for it in all { days[Day(number: Int(it.at.milliseconds / 86_400_000)), default: 0] += 1 }
    #expect(result.days == days.sorted { $0.key < $1.key }.map { DayScore(day: $0, completed: $1) })
    for person in result.people {
      let theirs = all.filter { $0.user == person.score.user }
      let own = Set(theirs.map { Int($0.at.milliseconds / 86_400_000) })
      var last = own.contains(today.number) ? today.number : today.number - 1
      var streak = 0
      while own.contains(last) { (streak, last) = (streak + 1, last - 1) }
      #expect(person.score.completed == theirs.count && person.score.streak == streak)
      #expect(
        person.score.added == added.count { $0.user == person.score.user && $0.at >= start })
    }
    #expect(result.people.reduce(0) { $0 + $1.score.completed } == all.count)
  }
}

@Suite("protocol §8: a reader counts completions right in random histories")
struct RandomStatsTests {
  @Test(
    "statistics are what the posts said day by day, of both stores", arguments: 1...4)
  func random(_ seed: UInt64) throws {
    var answers: [[StatsResult]] = []
    for kind in StoreKind.allCases {
      var random = SeededRandom(seed: seed)
      var history = try RandomDays(kind)
      for step in 0..<160 { try history.happen(step, &random) }
      answers.append(history.answers)
    }
    #expect(answers[0] == answers[1] && answers[0].contains { $0.completed > 5 })
    #expect(answers[0].contains { $0.people.contains { $0.score.streak > 2 } })
  }
}

/// Two people who do this and that for some days, and what they are told of it.
private struct RandomDays {
  let it: Reading
  var posts: [PostID] = []
  var recount = Recount()
  var answers: [StatsResult] = []

  init(_ kind: StoreKind) throws {
    it = try Reading(kind)
    it.driver.pass(to: at(0))
  }

  private var today: Day { Day(number: Int(it.driver.now / 86_400_000)) }

  private func known(_ post: PostID) throws -> Post? {
    let key = ObjectKey(kind: .post, id: post.uuid)
    guard let body = try it.driver.store.object(key, in: .category(it.list)),
      case .post(let found) = try ObjectCodec.decode(body)
    else { return nil }
    return found
  }

  mutating func happen(_ step: Int, _ random: inout SeededRandom) throws {
    it.driver.pass(
      to: Timestamp(milliseconds: it.driver.now + .random(in: 0..<9_000_000, using: &random)))
    let user = Bool.random(using: &random) ? it.author : it.editor
    let id = posts.randomElement(using: &random) ?? PostID(UUID(high: 9, low: 0))
    let old = try known(id)
    func change(_ change: PostChange) throws -> Bool {
      let address = PostAddress(category: it.list, post: id)
      let works = [try it.driver.work(.post(.change(address, change, ifVersion: nil)), by: user)]
      if case .success = try it.driver.run(works)[0] { return true }
      return false
    }
    switch Int.random(in: 0..<20, using: &random) {
    case 0...4: try add(step, by: user, &random)
    case 5...11:
      guard let old, old.completed == nil else { break }
      let one = old.occurrence.map { OccurrenceName($0.number) }
      _ = try change(one.map { .occurrence($0, .complete) } ?? .complete)
    case 12: _ = try change(.completeForAll)
    case 13, 14: _ = try change(.reopen)
    case 15: _ = try change(.remove)
    case 16: _ = try change(.restore)
    case 17: _ = try change(.edit(PostEdit(due: .set(.day(today.adding(days: step % 3 - 1))))))
    default:
      let stream = StreamID.category(it.list)
      let seq = try #require(try it.driver.store.head(of: stream)).seq
      let befores = try posts.map { try known($0) }
      let undo = Command.undo(UndoTarget(stream: stream, events: [seq], seen: nil))
      _ = try it.driver.run([try it.driver.work(undo, by: it.author)])
      for (post, before) in zip(posts, befores) where post != id {
        if let new = try known(post) { see(before, new, by: it.author) }
      }
    }
    if let new = try known(id) { see(old, new, by: user) }
    if step % 8 == 7 { try ask() }
  }

  private mutating func see(_ old: Post?, _ new: Post, by user: UserID) {
    guard old != new else { return }
    recount.see(old, new, by: user, at: Timestamp(milliseconds: it.driver.now))
  }

  /// Adds a post: some have a deadline, some come again, some are for each.
  private mutating func add(_ step: Int, by user: UserID, _ random: inout SeededRandom) throws {
    let id = PostID(UUID(high: 8, low: UInt64(step + 1)))
    let due = FieldChange.set(Due.day(today.adding(days: Int.random(in: -1...1, using: &random))))
    let fields =
      switch step % 4 {
      case 0: PostEdit(due: due)
      case 1: PostEdit(mode: .set(.each))
      case 2: PostEdit(due: due, repeats: .set(Repetition(try RecurrenceRule("FREQ=DAILY"))))
      default: PostEdit()
      }
    try it.driver.run(
      .post(
        .add(PostAddress(category: it.list, post: id), NewPost(title: "\(step)", fields: fields))),
      by: user)
    posts.append(id)
    see(nil, try #require(try known(id)), by: user)
  }

  private mutating func ask() throws {
    for days in [0, 3, 40] {
      let from = today.adding(days: -days)
      let offset = today.number - day.number
      let result = try it.stats(nil, offset - days, offset, as: it.editor)
      recount.expectSame(result, from: from, today: today)
      answers.append(result)
    }
  }
}
