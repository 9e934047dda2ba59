import Domain
import Testing

@testable import Store
@testable import Sync

/// Somebody with many lists has another name (Domain/Decide/OtherName.swift).
@Suite("another name")
struct OtherNameTests {
  /// A person in two groups, with so many lists of their own and a list in one of the groups.
  private struct House {
    let driver: LedgerDriver
    let person: UserID
    let group: GroupID
    var places: [StreamID]

    init(_ driver: LedgerDriver, lists: Int) throws {
      self.driver = driver
      person = try driver.person("editor")
      group = try driver.group("group", by: person)
      places = [.group(group), .group(try driver.group("other", by: person))]
      places.append(.category(try driver.category("shared", by: person, in: group)))
      for number in 1..<lists {
        places.append(.category(try driver.category("list \(number)", by: person)))
      }
    }

    @discardableResult
    func rename(_ name: String) throws -> CommandResult {
      try driver.run(.account(.editProfile(ProfileEdit(name: name))), by: person)
    }

    /// Does one step of the ledger. Returns whether there was one.
    func step(_ names: inout UntoldNames) throws -> Bool {
      guard let work = try names.work(in: driver.store) else { return false }
      for result in try driver.run([work]) { _ = try result.get() }
      return true
    }

    func steps() throws -> Int {
      var (names, count) = (UntoldNames(), 0)
      while try step(&names) { count += 1 }
      return count
    }

    /// Returns the name of the person in each place.
    func shown() throws -> [String] {
      try places.map { place in
        let key = ObjectKey(kind: .member, id: person.uuid)
        let loaded = try driver.store.load([.domain(.object(place, key))]).first
        guard case .domain(.object(.member(let member)?))? = loaded else { return "" }
        return member.name
      }
    }
  }

  @Test(
    "the change tells all groups and three lists, and the ledger the others, three at a time",
    arguments: StoreKind.allCases)
  func spread(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let house = try House(LedgerDriver(pair.writer), lists: 20)
    let told = try house.rename("Other")
    #expect(told.events.count == 1 + 2 + 3)
    #expect(try house.shown().count { $0 == "Other" } == 5)
    #expect(try pair.writer.untoldNames(limit: 9).map(\.user) == [house.person])
    #expect(try house.steps() == 6)
    #expect(try house.shown() == Array(repeating: "Other", count: 22))
    #expect(try pair.writer.untoldNames(limit: 9) == [])
  }

  @Test("who has few lists is told of at once", arguments: StoreKind.allCases)
  func few(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let house = try House(LedgerDriver(pair.writer), lists: 3)
    try house.rename("Other")
    #expect(try house.shown() == Array(repeating: "Other", count: 5))
    #expect(try house.steps() == 0)
  }

  @Test(
    "a third name before the second is told everywhere begins anew", arguments: StoreKind.allCases)
  func again(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let house = try House(LedgerDriver(pair.writer), lists: 20)
    try house.rename("Second")
    var names = UntoldNames()
    #expect(try house.step(&names))
    try house.rename("Third")
    #expect(try house.steps() == 6)
    #expect(try house.shown() == Array(repeating: "Third", count: 22))
  }

  @Test("a list that is made meanwhile shows the name of now", arguments: StoreKind.allCases)
  func made(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    var house = try House(LedgerDriver(pair.writer), lists: 20)
    try house.rename("Other")
    house.places.append(
      .category(try house.driver.category("new", by: house.person, in: house.group)))
    house.places.append(.category(try house.driver.category("own", by: house.person)))
    #expect(try house.shown().suffix(2) == ["Other", "Other"])
    _ = try house.steps()
    #expect(try house.shown() == Array(repeating: "Other", count: 24))
  }

  @Test("after a restart the ledger goes on")
  func restart() throws {
    let folder = try TemporaryFolder()
    let person: UserID
    do {
      let house = try House(LedgerDriver(try writer(folder.data)), lists: 20)
      try house.rename("Other")
      var names = UntoldNames()
      #expect(try house.step(&names))
      person = house.person
    }
    let store = try writer(folder.data)
    let later = LedgerDriver(store, from: 5)
    var (names, steps) = (UntoldNames(), 0)
    while let work = try names.work(in: store) {
      for result in try later.run([work]) { #expect(try result.get().events.count > 0) }
      steps += 1
    }
    #expect(steps == 5)
    for membership in try store.streams(of: person) where membership.stream != .user(person) {
      let body = try #require(
        try store.object(ObjectKey(kind: .member, id: person.uuid), in: membership.stream))
      #expect(String(decoding: body, as: UTF8.self).contains("\"Other\""))
    }
    #expect(try store.verify().differences == [])
  }

  @Test("an account that has ended leaves nothing to tell", arguments: StoreKind.allCases)
  func ended(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let house = try House(LedgerDriver(pair.writer), lists: 20)
    try house.rename("Other")
    try house.driver.run(.account(.delete(days: 0)), by: house.person)
    for _ in 0..<40 {
      for result in try house.driver.run([.endAccount(house.person, mark: "mark")]) {
        _ = try result.get()
      }
    }
    _ = try house.steps()
    #expect(try pair.writer.untoldNames(limit: 9) == [])
  }

  @Test("it counts as one request for every ten lists, told now or later")
  func requests() throws {
    let store = MemoryStore(MemoryDatabase(identity: testIdentity))
    let house = try House(LedgerDriver(store), lists: 99)
    var ledger = Ledger(storeEpoch: store.identity.epoch, cacheBytesMax: 1 << 20, almanac: .system)
    let tools = LedgerTools(
      newTransaction: { _ in TransactionID(UUID(high: 3, low: 1)) }, isZone: { _ in true },
      hasRoom: { _ in true })
    let work = try house.driver.work(
      .account(.editProfile(ProfileEdit(name: "Other"))), by: house.person)
    let now = Timestamp(milliseconds: house.driver.now)
    let turn = ledger.turn([work], at: now, in: store, tools) { transaction throws(StoreError) in
      try store.commit(transaction)
    }
    #expect(turn.settlements.map(\.streams) == [1 + 2 + 99])
    #expect(turn.settlements.map(\.requests) == [10])
    #expect(turn.leavesNames)
  }
}
