import Calendar
import Domain
import Sync
import Testing
import Wire

@testable import Store

/// The same seeds in every run. A failure names its seed.
private let seeds: [UInt64] = [1, 2, 3, 4, 5, 6, 7, 8]

/// The settings of a person for their digest, and the zone where they are.
private struct Wish {
  var time: String?
  var zone = "UTC"
  /// The moment at which they began to want one.
  var since: Int64 = 0
}

/// Three people with two lists who change their minds and their zones, and a server that is not always there.
private struct Days {
  let pair: StorePair
  var driver: LedgerDriver
  let people: [UserID]
  let lists: [CategoryID]
  private var wishes: [UserID: Wish] = [:]
  private var numbers: UInt64
  private var drivers: UInt64 = 0
  /// The moment at which the server told for the last time.
  private var lastTold: Int64

  init(_ kind: StoreKind, seed: UInt64) throws {
    pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    self.driver = driver
    numbers = seed
    people = try ["author", "editor", "viewer"].map { try driver.person($0) }
    let author = people[0]
    lists = try ["one", "two"].map { try driver.category($0, by: author) }
    for list in lists {
      try driver.bring(people[1], "editor", to: .category(list), by: author)
    }
    for person in people { wishes[person] = Wish() }
    lastTold = driver.now
  }

  mutating func below(_ count: Int) -> Int {
    numbers = numbers &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
    return Int((numbers >> 33) % UInt64(count))
  }

  private mutating func pick<Value>(_ values: [Value]) -> Value { values[below(values.count)] }

  // MARK: Their doings

  mutating func step() throws {
    if below(2) == 0 { pass(hours: 6) }
    switch below(8) {
    case 0: try wish()
    case 1: try move()
    case 2: restart()
    default: try write()
    }
  }

  mutating func pass(hours: Int) {
    driver.pass(to: Timestamp(milliseconds: driver.now + Int64(below(hours * 60)) * 60_000))
  }

  private mutating func wish() throws {
    let person = pick(people)
    let time = pick([nil, "00:00", "07:30", "12:00", "18:00", "23:59"])
    var edit = SettingsEdit()
    edit.digest = time.flatMap { ClockTime($0) }.map { .set($0) } ?? .clear
    try driver.run(.account(.editSettings(edit)), by: person)
    if wishes[person]?.time == nil { wishes[person]?.since = driver.now }
    wishes[person]?.time = time
  }

  private mutating func move() throws {
    let (person, zone) = (pick(people), pick(["UTC", "Pacific/Auckland", "Pacific/Honolulu"]))
    var edit = ProfileEdit()
    edit.zone = zone
    try driver.run(.account(.editProfile(edit)), by: person)
    wishes[person]?.zone = zone
  }

  /// Starts the server again. It knows only what the store does.
  private mutating func restart() {
    drivers += 1
    let now = driver.now
    driver = LedgerDriver(pair.writer, from: drivers)
    driver.pass(to: Timestamp(milliseconds: now))
  }

  private mutating func write() throws {
    _ = try driver.post("post", in: pick(lists), by: people[0])
  }

  // MARK: The news that there is

  /// Returns the last day whose time has come, as a person wants it.
  private func latest(_ wish: Wish, _ now: Timestamp) throws -> (day: Day, at: Timestamp)? {
    guard let time = wish.time.flatMap({ ClockTime($0) }) else { return nil }
    let moments = (-3...3).compactMap { days -> (day: Day, at: Timestamp)? in
      let day = Day(number: Int(now.milliseconds / 86_400_000) + days)
      let about = time.minute < 720 ? day.adding(days: -1) : day
      return Almanac.system.moment(day, time.minute, wish.zone).map { (about, $0) }
    }
    return moments.last { $0.at <= now }
  }

  /// Returns whether anything was written since the day began in a list that they are in.
  private func hasNews(_ person: UserID, since day: Day, _ zone: String) throws -> Bool {
    let start = try #require(Almanac.system.startOfDay(day, zone))
    return try pair.reader.streams(of: person).contains { access in
      guard case .category = access.stream else { return false }
      return access.head.at >= start
    }
  }

  /// Compares everything that is told at this moment with the news that there is.
  mutating func tell() throws {
    let before = try told()
    let now = Timestamp(milliseconds: driver.now)
    var (may, must): (Set<Told>, Set<Told>) = ([], [])
    for person in people {
      guard let wish = wishes[person], let (day, at) = try latest(wish, now),
        try hasNews(person, since: day, wish.zone)
      else { continue }
      let it = Told(person: person, day: day)
      may.insert(it)
      if at.milliseconds > lastTold, at.milliseconds > wish.since { must.insert(it) }
    }
    try driver.remind(at: now)
    lastTold = now.milliseconds
    let after = try told()
    let all = Set(after)
    #expect(all.count == after.count, "a day is told twice")
    #expect(all.subtracting(before).isSubset(of: may), "a day is told that should not be")
    #expect(must.isSubset(of: all), "a day is not told")
  }

  private struct Told: Hashable {
    let person: UserID
    let day: Day
  }

  private func told() throws -> [Told] {
    try people.flatMap { person in
      try driver.digests(person).map { Told(person: person, day: $0) }
    }
  }

  func count() throws -> Int { try told().count }
}

@Suite("P12: digests after random histories")
struct DigestHistoryTests {
  @Test(
    "each day that is to be told is told, and once, whatever people want before it is",
    arguments: seeds, StoreKind.allCases)
  func all(_ seed: UInt64, _ kind: StoreKind) throws {
    var days = try Days(kind, seed: seed)
    for _ in 0..<120 {
      for _ in 0..<days.below(6) { try days.step() }
      days.pass(hours: days.below(5) == 0 ? 80 : 12)
      try days.tell()
    }
    #expect(try days.count() > 30, "too little was told to say anything")
    if let store = days.pair.writer as? SQLiteStore {
      #expect(try store.verify().differences == [])
    }
  }
}
