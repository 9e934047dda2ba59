import Domain
import Sync
import Testing
import Wire

@testable import Store

/// The same seeds in every run. A failure names its seed.
private let seeds: [UInt64] = [61, 62, 63]

/// The doings of few people on one list, which some leave and come back to. Posts go to another list and come back;
/// only the owner and the doer are in that one.
private struct Doings {
  let driver: LedgerDriver
  let people: [UserID]
  let list: CategoryID
  let elsewhere: CategoryID
  private var numbers: UInt64
  private var posts: [PostID] = []
  /// The steps. Every post has those of these that were added to it.
  private var steps: [StepID] = []

  var stream: StreamID { .category(list) }
  var owner: UserID { people[0] }

  init(_ driver: LedgerDriver, seed: UInt64) throws {
    self.driver = driver
    numbers = seed
    people = try ["owner", "editor", "doer", "admin"].map { try driver.person($0) }
    list = try driver.category("list", by: people[0])
    elsewhere = try driver.category("elsewhere", by: people[0])
    try driver.bring(people[2], "doer", to: .category(elsewhere), by: people[0])
    try driver.bring(people[3], "admin", to: .category(list), by: people[0])
    try driver.run(.member(.setRole(.category(list), people[3], .admin)), by: people[0])
    try driver.bring(people[1], "editor", to: .category(list), by: people[0])
  }

  mutating func below(_ count: Int) -> Int {
    numbers = numbers &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((numbers >> 33) % UInt64(count))
  }

  mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

  /// Does one thing, whatever comes of it.
  mutating func step() throws {
    if below(12) == 0 { return try comeAndGo() }
    if below(6) == 0, !posts.isEmpty { return try goElsewhere() }
    if below(25) == 0, !posts.isEmpty {
      _ = try driver.run([try driver.work(.erasePost(list, pick(posts)), by: owner)])
      return
    }
    let count = below(4) == 0 ? 2 + below(4) : 1
    let commands = (0..<count).map { _ in next() }
    let command = count == 1 ? commands[0] : .batch(commands)
    _ = try driver.run([try driver.work(command, by: pick(people))])
  }

  private mutating func next() -> Command {
    let post = posts.isEmpty ? PostID(driver.name()) : pick(posts)
    switch below(18) {
    case 0, 1, 2:
      posts.append(PostID(driver.name()))
      return .post(.add(list, posts[posts.count - 1], title: "p\(posts.count)", notes: ""))
    case 3: return .editPost(list, post, PostEdit(title: "t\(below(9))"), ifVersion: nil)
    case 4:
      let edits = [
        PostEdit(priority: .set(.low)), PostEdit(priority: .clear, location: .clear),
        PostEdit(due: .set(.day(Day(number: 20_781))), location: .set(Location(text: "l"))),
      ]
      return .editPost(list, post, pick(edits), ifVersion: nil)
    case 5, 6: return .completePost(list, post, ifVersion: nil)
    case 7: return .reopenPost(list, post, ifVersion: nil)
    case 8: return .removePost(list, post, ifVersion: nil)
    case 9: return .restorePost(list, post, ifVersion: nil)
    case 12:
      if steps.count < 3 { steps.append(StepID(driver.name())) }
      return .changeStep(list, post, pick(steps), .add(content: "s\(below(9))"))
    case 13, 14, 15: return changeStep(of: post)
    case 17:
      let lease = Int64(1_000 + below(60_000))
      return below(3) == 0
        ? .post(.claimNext(list, milliseconds: lease))
        : .post(.change(list, post, .claim(milliseconds: lease)))
    case 16: return .movePost(list, post, after: pick(posts + [post]), before: nil)
    case 10: return .category(.edit(list, name: "n\(below(3))"))
    default: return .markRead(stream, seq: 1)
    }
  }

  private mutating func changeStep(of post: PostID) -> Command {
    let changes: [StepChange] = [
      .complete, .complete, .reopen, .edit(content: "t\(below(9))"), .remove, .move(before: nil),
    ]
    let step = steps.isEmpty ? StepID(post.uuid) : pick(steps)
    return .changeStep(list, post, step, pick(changes))
  }

  /// Lets a post go to the other list, come back from there, or be removed or finished there.
  private mutating func goElsewhere() throws {
    let post = pick(posts)
    let commands: [Command] = [
      .movePost(list, post, to: elsewhere), .movePost(list, post, to: elsewhere),
      .movePost(elsewhere, post, to: list), .removePost(elsewhere, post, ifVersion: nil),
      .completePost(elsewhere, post, ifVersion: nil),
    ]
    _ = try driver.run([try driver.work(pick(commands), by: below(2) == 0 ? owner : people[2])])
  }

  private mutating func comeAndGo() throws {
    let person = people[1 + below(2)]
    if try driver.store.access(of: person, to: stream) == nil {
      return try driver.bring(
        person, person == people[1] ? "editor" : "doer", to: stream, by: owner)
    }
    let command: Command =
      below(2) == 0 ? .member(.leave(stream)) : .member(.remove(stream, person))
    _ = try driver.run([try driver.work(command, by: below(2) == 0 ? person : owner)])
  }

  mutating func undo() throws {
    let head = try #require(try driver.store.head(of: stream)).seq
    let event = max(1, head - Int64(below(6)))
    let person = pick(people)
    guard let undo = try driver.undo(event, of: stream, by: person) else { return }
    _ = try driver.run([try driver.work(undo, by: person)])
  }

  func events() throws -> [Event] {
    var (events, cursor): ([Event], Int64) = ([], 0)
    let head = try #require(try driver.store.head(of: stream)).seq
    while cursor < head {
      for stored in try driver.store.events(
        in: stream, after: cursor, through: head, bytesMax: 1 << 20)
      {
        events.append(try EventCodec.decode(stored.body, seq: stored.seq))
        cursor = stored.seq
      }
    }
    return events
  }
}

extension EventStore {
  fileprivate func ask(_ query: HistoryQuery, as user: UserID) throws -> HistoryAnswer {
    let actor = Actor(user: user, session: nil)
    return try read { () throws(StoreError) in
      try history(query, for: actor, at: Timestamp(milliseconds: 0))
    }.get()
  }

  /// Returns the objects of all pages.
  fileprivate func state(_ list: CategoryID, at seq: Int64, as user: UserID) throws -> [Object] {
    var (objects, page, pages): ([Object], Int, Int) = ([], 0, 1)
    while page < pages {
      page += 1
      let query = HistoryStateQuery(category: list, moment: .seq(seq), page: page)
      guard case .state(let answer) = try ask(.state(query), as: user) else { return [] }
      #expect(answer.seq == seq)
      objects += try answer.bodies.map { try ObjectCodec.decode($0) }
      pages = answer.pages
    }
    return objects
  }

  fileprivate func changes(
    _ list: CategoryID, from: Int64, to: Int64, as user: UserID
  ) throws -> [DifferencePage.Change] {
    var (changes, page, pages): ([DifferencePage.Change], Int, Int) = ([], 0, 1)
    while page < pages {
      page += 1
      let query = HistoryDifferenceQuery(category: list, from: from, to: to, page: page)
      guard case .difference(let answer) = try ask(.difference(query), as: user) else { return [] }
      changes += answer.changes
      pages = answer.pages
    }
    return changes
  }

  /// Returns the numbers of all pages, each page of at most `limit`.
  fileprivate func found(_ query: HistoryEventsQuery, as user: UserID) throws -> [Int64] {
    var query = query
    var numbers: [Int64] = []
    repeat {
      guard case .events(let page) = try ask(.events(query), as: user) else { return [] }
      #expect(page.lines.count <= query.limit)
      numbers += page.lines.map(\.seq)
      query.before = page.before
    } while query.before != nil
    return numbers
  }
}

@Suite("Random histories, asked about") struct HistoryPropertyTests {
  private func doings(_ kind: StoreKind, _ seed: UInt64) throws -> (Doings, StorePair) {
    let pair = try StorePair(kind)
    var doings = try Doings(LedgerDriver(pair.writer), seed: seed)
    for step in 0..<200 {
      try doings.step()
      if step % 5 == 0 { try doings.undo() }
    }
    return (doings, pair)
  }

  @Test(
    "a list as it was is its log until then, and a difference is that of two such",
    arguments: StoreKind.allCases, seeds)
  func states(kind: StoreKind, seed: UInt64) throws {
    var (doings, pair) = try self.doings(kind, seed)
    if let store = pair.writer as? SQLiteStore { #expect(try store.verify().differences == []) }
    var states = [StreamState(stream: doings.stream)]
    for event in try doings.events() {
      var next = states[states.count - 1]
      _ = next.apply(event)
      states.append(next)
    }
    #expect(states.count > 40, "seed \(seed) does too little")
    for (seq, state) in states.enumerated().dropFirst() {
      let objects = try pair.reader.state(doings.list, at: Int64(seq), as: doings.owner)
      let found = StreamState(stream: doings.stream, objects: objects)
      #expect(found == state, "seed \(seed) after \(seq)")
    }
    for _ in 0..<40 {
      let (one, other) = (1 + doings.below(states.count - 1), 1 + doings.below(states.count - 1))
      let (from, to) = (min(one, other), max(one, other))
      let changes = try pair.reader.changes(
        doings.list, from: Int64(from), to: Int64(to), as: doings.owner)
      var objects = states[from].objects
      for change in changes {
        let before = try change.before.map { try ObjectCodec.decode($0) }
        let after = try change.after.map { try ObjectCodec.decode($0) }
        let key = try #require((before ?? after)?.key)
        #expect(objects[key] == before && before != after, "seed \(seed) \(from) to \(to)")
        objects[key] = after
      }
      #expect(objects == states[to].objects, "seed \(seed) \(from) to \(to)")
    }
  }

  @Test("a difference of the longest texts goes into messages", arguments: StoreKind.allCases)
  func longest(kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let doings = try Doings(LedgerDriver(pair.writer), seed: 65)
    let (driver, list, post) = (doings.driver, doings.list, PostID(doings.driver.name()))
    let notes = String(repeating: "😀", count: Limits.notesScalarsMax)
    let line = String(repeating: "😀", count: Limits.stepScalarsMax)
    try driver.run(.post(.add(list, post, title: "p", notes: notes)), by: doings.owner)
    for _ in 0..<32 {
      let add = Command.changeStep(list, post, StepID(driver.name()), .add(content: line))
      try driver.run(add, by: doings.owner)
    }
    let from = try #require(try driver.store.head(of: doings.stream)).seq
    try driver.run(.editPost(list, post, PostEdit(title: "q"), ifVersion: nil), by: doings.owner)
    let changes = try pair.reader.changes(list, from: from, to: from + 1, as: doings.owner)
    #expect(
      changes.map { [$0.before != nil, $0.after != nil] } == [[true, false], [false, true]])
    #expect(
      changes.allSatisfy { ($0.before?.count ?? 0) + ($0.after?.count ?? 0) < 200 << 10 })
  }

  @Test("The history finds what a look at every event finds", arguments: StoreKind.allCases, seeds)
  func filters(kind: StoreKind, seed: UInt64) throws {
    var (doings, pair) = try self.doings(kind, seed)
    let events = try doings.events()
    let posts = Set(
      events.flatMap { $0.ops.flatMap { $0.touches(in: doings.stream) } }
        .filter { $0.kind == .post }.map { PostID($0.id) }
    ).sorted()
    var hits = 0
    for _ in 0..<40 {
      var query = HistoryEventsQuery(stream: doings.stream, limit: 1 + doings.below(12))
      if doings.below(2) == 0 { query.person = doings.pick(doings.people) }
      if doings.below(3) == 0 { query.post = doings.pick(posts) }
      if doings.below(2) == 0 {
        query.kinds = (0...doings.below(3)).map { _ in doings.pick(OpKind.allCases) }
      }
      if doings.below(3) == 0 { query.from = doings.pick(events).at }
      if doings.below(3) == 0 { query.until = doings.pick(events).at }
      if doings.below(3) == 0 { query.before = 1 + Int64(doings.below(events.count + 3)) }
      let expected = events.filter { query.isMet(by: $0) }.map(\.seq)
      #expect(
        try pair.reader.found(query, as: doings.owner) == expected.reversed(),
        "seed \(seed) \(query)")
      hits += expected.count
    }
    #expect(hits > 100, "seed \(seed) finds too little")
  }

  @Test(
    "Nobody reads what was before they came, where the list says so", arguments: StoreKind.allCases)
  func joined(kind: StoreKind) throws {
    let (doings, pair) = try self.doings(kind, 64)
    let (driver, person) = (doings.driver, doings.people[2])
    if try driver.store.access(of: person, to: doings.stream) != nil {
      try driver.run(.member(.leave(doings.stream)), by: person)
    }
    try driver.run(.category(.edit(doings.list, history: .joined)), by: doings.owner)
    try driver.bring(person, "doer", to: doings.stream, by: doings.owner)
    let access = try #require(try pair.reader.access(of: person, to: doings.stream))
    let all = HistoryEventsQuery(stream: doings.stream, limit: 5)
    #expect(try pair.reader.found(all, as: person) == [access.joinedSeq])
    let begun = try pair.reader.state(doings.list, at: access.joinedSeq, as: person)
    #expect(begun.count > 3)
    #expect(throws: Refusal.notFound("event")) {
      try pair.reader.state(doings.list, at: access.joinedSeq - 1, as: person)
    }
    #expect(throws: Refusal.notFound("event")) {
      try pair.reader.changes(
        doings.list, from: access.joinedSeq - 1, to: access.joinedSeq, as: person)
    }
    try driver.run(.category(.edit(doings.list, history: .all)), by: doings.owner)
    #expect(try pair.reader.found(all, as: person).last == 1)
    try driver.run(.member(.leave(doings.stream)), by: person)
    #expect(throws: Refusal.notFound("category")) { try pair.reader.found(all, as: person) }
  }
}

extension HistoryEventsQuery {
  /// Returns whether an event meets the query, by the specification's words, one after the other.
  fileprivate func isMet(by event: Event) -> Bool {
    if let before, event.seq >= before { return false }
    if let from, event.at < from { return false }
    if let until, event.at > until { return false }
    if let person, event.by != person { return false }
    return event.ops.contains { op in
      let isKind = kinds.map { kinds in kinds.contains { $0 == OpKind(op) } } ?? true
      let isAbout = post.map { op.touches(in: stream).first?.id == $0.uuid } ?? true
      return isKind && isAbout
    }
  }
}
