import Calendar
import Domain
import Sync
import Testing
import Wire

@testable import Store

/// The same seeds in every run. A failure names its seed.
private let seeds: [UInt64] = [1, 2, 3, 4, 5, 6, 7, 8]

/// A reminder that one person is to get of one post, whichever list it is in.
private struct Wanted: Hashable {
  let person: UserID
  let post: PostID
  let kind: ReminderKind
  let at: Timestamp
}

/// The settings of a person, and everything that they said of posts.
private struct Own {
  var settings: PersonalSettings
  var said: [PostID: [Personal]] = [:]
}

/// The doings of few people in two lists, and everything that there was to tell from then on, by a look at everything.
private struct Doings {
  let pair: StorePair
  var driver: LedgerDriver
  let people: [UserID]
  let lists: [CategoryID]
  /// Whether reminders are asked for at moments that have come.
  let asksLate: Bool
  private var numbers: UInt64
  private var posts: [PostID] = []
  /// The list where each post should be.
  private var places: [PostID: CategoryID] = [:]
  private var drivers: UInt64 = 0
  private(set) var past: [(from: Int64, wanted: Set<Wanted>)] = []
  /// The reminders that were asked for when their moment had come, and the moment of that.
  private(set) var late: [Wanted: Int64] = [:]
  /// The number of the event up to which each person's log was read for what was told.
  private var read: [UserID: Int64] = [:]
  private var reminded: [UserID: [Reminded]] = [:]

  init(_ kind: StoreKind, seed: UInt64) throws {
    pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    self.driver = driver
    numbers = seed
    asksLate = seed % 2 == 0
    people = try ["owner", "editor", "doer"].map { try driver.person($0) }
    let first = people[0]
    lists = try ["one", "two"].map { try driver.category($0, by: first) }
    try driver.bring(people[1], "editor", to: .category(lists[0]), by: first)
    try driver.bring(people[2], "doer", to: .category(lists[0]), by: first)
    try driver.bring(people[1], "editor", to: .category(lists[1]), by: first)
    past = [(driver.now, [])]
  }

  mutating func below(_ count: Int) -> Int {
    numbers = numbers &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((numbers >> 33) % UInt64(count))
  }

  mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

  // MARK: Their doings

  mutating func step() throws {
    if below(3) == 0 { pass() }
    // A server that has just started knows only what the store does.
    if below(8) == 0 { restart() }
    if below(16) == 0 { try comeAndGo() } else { try act() }
    past.append((driver.now, try wanted()))
  }

  mutating func pass() {
    let minutes = below(4) == 0 ? below(600) : below(40)
    driver.pass(to: Timestamp(milliseconds: driver.now + Int64(minutes) * 60_000))
  }

  private mutating func restart() {
    drivers += 1
    let now = driver.now
    driver = LedgerDriver(pair.writer, from: drivers)
    driver.pass(to: Timestamp(milliseconds: now))
  }

  private mutating func act() throws {
    let command = next()
    var person = pick(people)
    switch command {
    // Only owners may do these.
    case .category(.archive), .category(.unarchive), .category(.remove), .category(.restore),
      .category(.edit):
      person = people[0]
    default: break
    }
    let results = try driver.run([try driver.work(command, by: person)])
    guard case .changePersonal(let it, .remind(.at(let time))) = command,
      time.milliseconds <= driver.now, case .success(let result) = results[0], result.changed
    else { return }
    late[Wanted(person: person, post: it.post, kind: .reminder, at: time)] = driver.now
  }

  private mutating func comeAndGo() throws {
    let (index, list) = (1 + below(2), StreamID.category(pick(lists)))
    guard below(3) > 0 else {
      _ = try driver.run([try driver.work(.member(.leave(list)), by: people[index])])
      return
    }
    let id = InvitationID(driver.name())
    let name = index == 1 ? "editor" : "doer"
    let sent = try driver.run([
      try driver.work(.invitation(.send(id, list, username: name, .editor)), by: people[0])
    ])
    guard case .success = sent[0] else { return }
    _ = try driver.run([try driver.work(.invitation(.accept(id)), by: people[index])])
  }

  private mutating func next() -> Command {
    var list = below(4) == 0 ? lists[1] : lists[0]
    guard posts.count > 5, below(60) > 0 else {
      posts.append(PostID(driver.name()))
      places[posts[posts.count - 1]] = list
      return .post(.add(list, posts[posts.count - 1], title: "p\(posts.count)", notes: ""))
    }
    let post = pick(posts.suffix(8))
    if below(9) > 0 { list = places[post] ?? list }
    switch below(34) {
    case 0...8: return .editPost(list, post, PostEdit(due: due()), ifVersion: nil)
    case 9: return .completePost(list, post, ifVersion: nil)
    case 10, 11: return .reopenPost(list, post, ifVersion: nil)
    case 12: return .removePost(list, post, ifVersion: nil)
    case 13: return .restorePost(list, post, ifVersion: nil)
    case 14, 15: return .post(.change(list, post, .assign(pick(people))))
    case 16: return .post(.change(list, post, .unassign(pick(people))))
    case 17:
      let there = list == lists[0] ? lists[1] : lists[0]
      if below(2) == 0 { places[post] = there }
      return .movePost(list, post, to: there)
    case 18: return below(3) == 0 ? .category(.archive(list)) : .category(.unarchive(list))
    case 19, 20: return .category(.unarchive(pick(lists)))
    case 21: return below(4) == 0 ? .category(.remove(list)) : .category(.restore(list))
    case 22, 23: return .category(.restore(pick(lists)))
    case 24:
      let zone = pick(["UTC", "Pacific/Auckland", "Pacific/Honolulu", "Europe/Lisbon"])
      return .category(.edit(list, CategoryEdit(zone: zone)))
    case 25: return .account(.editSettings(settings()))
    default: return .changePersonal(list, post, personal())
    }
  }

  /// Makes a due that is near enough that its moments come within the test.
  private mutating func due() -> FieldChange<Due> {
    let minutes = Int(driver.now / 60_000) + below(1_200) - 60
    let day = Day(number: minutes / 1_440)
    switch below(6) {
    case 0: return .clear
    case 1, 2: return .set(.day(day))
    default: return .set(.time(day, minute: minutes % 1_440, zone: "UTC"))
    }
  }

  private mutating func settings() -> SettingsEdit {
    var edit = SettingsEdit()
    switch below(3) {
    case 0: edit.reminders = .set([below(30), 60 + below(60)])
    case 1: edit.dueSoonHours = .set(1 + below(5))
    default: edit.muted = .set(below(2) == 0 ? [] : [.planned, .dueSoon])
    }
    return edit
  }

  private mutating func personal() -> PersonalChange {
    let least = asksLate && below(4) == 0 ? -600 : 5
    let time = Timestamp(milliseconds: driver.now + Int64(least + below(600)) * 60_000)
    let minutes = Int(time.milliseconds / 60_000)
    switch below(9) {
    case 0, 1, 2: return .remind(.at(time))
    case 3, 4: return .remind(.before(minutes: below(300)))
    case 5: return .forget(.before(minutes: below(300)))
    case 6: return .snooze(until: below(3) == 0 ? nil : time)
    case 7:
      let due = Due.time(Day(number: minutes / 1_440), minute: minutes % 1_440, zone: "UTC")
      return .plan(Plan(at: due))
    default: return .watch(below(3) > 0)
    }
  }

  // MARK: The reminders that are due

  /// Returns everything that would be told when its moment came, as things are.
  func wanted() throws -> Set<Wanted> {
    var wanted: Set<Wanted> = []
    var own: [UserID: Own] = [:]
    for person in people { own[person] = try self.own(of: person) }
    for list in lists {
      let objects = try ObjectKind.allCases.flatMap { kind in
        try pair.reader.objects(kind, in: .category(list)).map { try ObjectCodec.decode($0) }
      }
      guard case .category(let head)? = objects.first(where: { $0.key.kind == .category }),
        head.isActive
      else { continue }
      var members: [UserID: Member] = [:]
      for case .member(let it) in objects where it.role != nil { members[it.id] = it }
      for case .post(let post) in objects
      where post.completed == nil && post.removed == nil && post.moved == nil {
        let workers = post.assignees.filter { members[$0.user]?.holds($0) == true }.map(\.user)
        for person in members.keys {
          let own = try #require(own[person])
          let said = said(of: own.said[post.id] ?? [], in: list)
          let isTheirs =
            workers.isEmpty
            ? post.addedBy == person || said?.watch == true : workers.contains(person)
          let due = post.due?.deadline(categoryZone: head.zone, almanac: .system)
          for (kind, at) in alarms(own.settings, said, due, isTheirs) {
            wanted.insert(Wanted(person: person, post: post.id, kind: kind, at: at))
          }
        }
      }
    }
    return wanted
  }

  private func own(of person: UserID) throws -> Own {
    var own = Own(settings: PersonalSettings(user: person))
    for kind in [ObjectKind.settings, .personal] {
      for body in try pair.reader.objects(kind, in: .user(person)) {
        switch try ObjectCodec.decode(body) {
        case .settings(let settings): own.settings = settings
        case .personal(let it): own.said[it.address.post, default: []].append(it)
        default: break
        }
      }
    }
    return own
  }

  private func alarms(
    _ settings: PersonalSettings, _ said: Personal?, _ due: Timestamp?, _ isTheirs: Bool
  ) -> [(ReminderKind, Timestamp)] {
    var all: [(ReminderKind, Timestamp)] = []
    for reminder in said?.reminders ?? [] {
      switch reminder {
      case .at(let time): all.append((.reminder, time))
      case .before(let minutes): if let due { all.append((.reminder, due.less(minutes))) }
      }
    }
    if let time = said?.plan?.moment(.system) { all.append((.planned, time)) }
    if let time = said?.snooze { all.append((.snoozed, time)) }
    if isTheirs, let due {
      all += settings.reminderMinutes.map { (.reminder, due.less($0)) }
      all += [(.dueSoon, due.less(settings.soonHours * 60)), (.overdue, due)]
    }
    return all.filter { kind, at in
      !(kind.canBeMuted && settings.mutes(kind)) && said?.snooze.map { at >= $0 } ?? true
    }
  }

  /// Returns what a person said of a post where it was, which goes with it.
  private func said(of post: [Personal], in list: CategoryID) -> Personal? {
    let here = post.last { $0.address.category == list }
    let there = post.last { $0.address.category != list }
    guard let there else { return here }
    var both = there.moved(to: list)
    if let here { both.apply(PersonalEdit(from: Personal(here.address), to: here)) }
    return both
  }

  // MARK: The reminders that were told

  /// Compares everything that is told at this moment with the reminders that are due.
  mutating func tell(limit: Int) throws {
    let now = driver.now
    let before = try told()
    try driver.look(limit: limit)
    let open = try wanted()
    try driver.tell(through: Timestamp(milliseconds: now), limit: limit)
    let after = try told()
    for it in Set(after).subtracting(before) {
      #expect(open.contains(it) && it.at.milliseconds <= driver.now, "\(it) is told")
    }
    #expect(asksLate || Set(after).count == after.count, "something is told twice")
    let all = Set(after)
    for it in missed(until: now).subtracting(all) { Issue.record("\(it) was not told at \(now)") }
    late = [:]
    past = [past[past.count - 1], (driver.now, try wanted())]
    for one in reminded.values { #expect(Set(one).count == one.count, "something is told twice") }
  }

  /// Returns the reminders that were due all the time since their moment, or since they were asked for.
  private func missed(until now: Int64) -> Set<Wanted> {
    past[past.count - 1].wanted.filter { it in
      let since = late[it] ?? it.at.milliseconds
      guard since > past[0].from, since <= now else { return false }
      return past.indices.allSatisfy { index in
        let isOver = index + 1 < past.count && past[index + 1].from <= since
        return isOver || past[index].wanted.contains(it)
      }
    }
  }

  mutating func told() throws -> [Wanted] {
    try people.flatMap { person in
      let events = try driver.store.events(
        in: .user(person), after: read[person] ?? 0, through: .max, bytesMax: 1 << 24)
      for event in events {
        for op in try EventCodec.decode(event.body, seq: event.seq).ops {
          if case .personal(.fired(let it)) = op { reminded[person, default: []].append(it) }
        }
        read[person] = event.seq
      }
      return (reminded[person] ?? []).map {
        Wanted(person: person, post: $0.address.post, kind: $0.kind, at: $0.at)
      }
    }
  }
}

extension Timestamp {
  fileprivate func less(_ minutes: Int) -> Timestamp {
    Timestamp(milliseconds: milliseconds - Int64(minutes) * 60_000)
  }
}

@Suite("P12: reminders after random histories")
struct ReminderHistoryTests {
  @Test(
    "all that there is to tell is told, and once, whatever happens before it is",
    arguments: seeds, StoreKind.allCases)
  func all(_ seed: UInt64, _ kind: StoreKind) throws {
    var doings = try Doings(kind, seed: seed)
    for _ in 0..<150 {
      for _ in 0..<doings.below(12) { try doings.step() }
      doings.pass()
      try doings.tell(limit: doings.below(2) == 0 ? 3 : 200)
    }
    #expect(try doings.told().count > 30, "too little was told to say anything")
    if let store = doings.pair.writer as? SQLiteStore {
      #expect(try store.verify().differences == [])
    }
  }
}
