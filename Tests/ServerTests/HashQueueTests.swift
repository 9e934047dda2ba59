import Net
import Sync
import Testing

@testable import Server

@Suite("DESIGN §6: who waits for a hash thread")
struct HashQueueTests {
  /// A bench whose jobs are numbered in the order in which they are made.
  private struct Bench {
    var queue: HashQueue
    private var made = 0
    var turnedAway: [Int] = []

    init(_ change: (inout SignInRules) -> Void = { _ in }) {
      var rules = SignInRules()
      change(&rules)
      queue = HashQueue(rules)
    }

    /// Adds a job and returns its number. `from` is `network.address` of a stranger, or `account/device` of a known
    /// client.
    @discardableResult
    mutating func come(
      _ from: String, at account: String? = nil, now: Int64 = 0
    ) -> Int {
      made += 1
      let isKnown = from.contains("/")
      let parts = from.split(separator: isKnown ? "/" : ".").map(String.init)
      let job = WaitingJob(
        visit: VisitID(number: made), job: HashJob(),
        place: LinePlace(group: parts[0], member: from), guessedAt: account, isKnown: isKnown,
        since: now)
      turnedAway += queue.add(job).map(\.visit.number)
      return made
    }

    mutating func next(_ now: Int64 = 0) -> Int? { queue.next(at: now)?.visit.number }

    /// Returns all jobs that go on at this moment, in order.
    mutating func all(_ now: Int64 = 0) -> [Int] {
      var order: [Int] = []
      while let number = next(now) { order.append(number) }
      return order
    }
  }

  @Test(
    "Strangers take turns by network and address, known people by account and device",
    arguments: [
      (["a.1", "a.1", "a.1", "a.2"], [1, 4, 2, 3]),
      (["a.1", "a.2", "a.3", "b.1"], [1, 4, 2, 3]),
      (["a.1", "a.1", "a.2", "b.1", "b.1"], [1, 4, 3, 5, 2]),
      (["x/1", "x/1", "x/1", "y/1", "x/2"], [1, 4, 5, 2, 3]),
      (["a.1", "a.1", "x/1", "x/1"], [3, 1, 4, 2]),
    ])
  func turns(from: [String], order: [Int]) {
    var bench = Bench()
    for place in from { bench.come(place) }
    #expect(bench.all() == order)
    #expect(bench.queue.count == 0)
  }

  @Test("A newcomer goes before those who have had a turn")
  func newcomer() {
    var bench = Bench()
    for address in 1...5 { for _ in 1...3 { bench.come("a.\(address)") } }
    for _ in 1...5 { _ = bench.next() }
    let newcomer = bench.come("a.9")
    #expect(bench.next() == newcomer)
  }

  @Test(
    "The newest job of whoever has most waiting gives way in a full line",
    arguments: [
      (["a.1", "a.1", "a.2", "b.1"], [2]),
      (["a.1", "a.2", "b.1", "b.1"], [4]),
      (["a.1", "a.2", "b.1", "c.1"], [2]),
      (["a.1", "b.1", "c.1", "d.1"], [4]),
      (["x/1", "x/1", "y/1", "a.1"], [2]),
      (["x/1", "x/2", "y/1", "z/1"], [2]),
    ])
  func full(from: [String], turnedAway: [Int]) {
    var bench = Bench {
      $0.waitingMax = 3
      $0.knownWaitingMax = 2
    }
    for place in from { bench.come(place) }
    #expect(bench.turnedAway.prefix(1) == turnedAway[...])
  }

  @Test("One address and one account have a part of the line")
  func parts() {
    var bench = Bench {
      $0.waitingPerAddressMax = 2
      $0.waitingPerAccountMax = 3
    }
    for _ in 1...3 { bench.come("a.1") }
    #expect(bench.turnedAway == [3])
    for address in 1...4 { bench.come("b.\(address)", at: "author") }
    #expect(bench.turnedAway == [3, 7])
    bench.come("b.1", at: "another")
    #expect(bench.turnedAway == [3, 7])
  }

  @Test("The owner comes in while 60 addresses guess", arguments: ["n", "o", "author/laptop"])
  func owner(from: String) {
    var bench = Bench()
    let isKnown = from.contains("/")
    for round in Int64(0)..<12 {
      let now = round * 20_000
      for number in 0..<280 { bench.come("n.\(number % 60)", at: "author", now: now) }
      // From another address each time: once in, the owner would be known at it.
      let place = isKnown ? from : "\(from).\(100 + round)"
      let owner = bench.come(place, at: isKnown ? nil : "author", now: now)
      #expect(!bench.turnedAway.contains(owner))
      var before = 0
      var moment = now
      while let next = bench.next(moment) ?? step(&bench, &moment), next != owner { before += 1 }
      // The first round spends what one account has at once; from then on a guess is let on every five seconds.
      let most = isKnown ? 1 : round == 0 ? 61 : 1
      #expect(before <= most && moment - now <= 5_000, "round \(round): \(before), \(moment - now)")
      for job in bench.queue.overdue(at: now + 19_000) { _ = job }
    }
  }

  /// Lets the time go on until a job may begin.
  private func step(_ bench: inout Bench, _ now: inout Int64) -> Int? {
    guard let wait = bench.queue.wait(at: now), wait > 0 else { return nil }
    now += wait
    return bench.next(now)
  }

  @Test("Many addresses together get few guesses at one account", arguments: [1, 40, 60])
  func guesses(addresses: Int) {
    var bench = Bench()
    var tried = 0
    for second in Int64(0)..<120 {
      let now = second * 1_000
      for number in 0..<addresses {
        bench.come("n\(number).\(number)", at: "author", now: now)
      }
      tried += bench.all(now).count
      _ = bench.queue.overdue(at: now)
      #expect(bench.queue.count <= 128)
    }
    #expect(tried == 64 + 119 / 5)
    // Another account has its own guesses, and so has a client that guesses at none.
    #expect(bench.come("n1.1", at: "another", now: 119_000) == bench.next(119_000))
    #expect(bench.come("n1.1", now: 119_000) == bench.next(119_000))
  }

  @Test("A guess that is delayed goes on when its moment has come, or is told to come back")
  func delayed() {
    var bench = Bench { $0.guesses = TokenRate(count: 1, everyMilliseconds: 5_000, burst: 1) }
    #expect(bench.queue.wait(at: 0) == nil)
    for _ in 1...3 { bench.come("a.1", at: "author") }
    #expect(bench.all() == [1])
    #expect(bench.queue.wait(at: 1_000) == 4_000)
    #expect(bench.all(4_999) == [] && bench.all(5_000) == [2])
    #expect(bench.queue.wait(at: 5_000) == 3_000)
    #expect(bench.queue.overdue(at: 7_999).isEmpty)
    #expect(bench.queue.overdue(at: 8_000).map(\.visit.number) == [3])
    #expect(bench.queue.wait(at: 8_000) == nil)
  }

  @Test("A right guess takes nothing from an account")
  func right() {
    var bench = Bench { $0.guesses = TokenRate(count: 1, everyMilliseconds: 5_000, burst: 1) }
    for number in 1...20 {
      bench.come("a.1", at: "author")
      #expect(bench.next() == number)
      bench.queue.succeeded(at: "author")
    }
  }

  @Test("Known places are forgotten, the oldest first, when there are too many")
  func places() {
    var known = KnownPlaces()
    func place(_ number: Int) -> KnownPlaces.Place {
      KnownPlaces.Place(account: "author", from: "\(number)")
    }
    for number in 1...KnownPlaces.placesMax { known.note(place(number)) }
    #expect(known.count == KnownPlaces.placesMax && known.contains(place(1)))
    known.note(place(1))
    known.note(place(0))
    #expect(known.contains(place(1)) && known.contains(place(0)) && !known.contains(place(2)))
    #expect(known.count <= KnownPlaces.placesMax)
  }

  @Test(
    "Addresses belong to networks",
    arguments: [
      ("10.1.2.3", "10.1.2.200", true), ("10.1.2.3", "10.1.3.3", false),
      ("2001:db8:1:2::3", "2001:db8:1:ffff::1", true), ("2001:db8:1::3", "2001:db8:2::3", false),
    ])
  func networks(one: String, other: String, isSame: Bool) throws {
    let addresses = try [one, other].map {
      try #require(try ListenAddress($0.contains(":") ? "[\($0)]:1" : "\($0):1").socketAddress)
    }
    #expect((addresses[0].network == addresses[1].network) == isSame)
  }
}
