import Domain
import Testing

@testable import Sync

@Suite("protocol §13: stored bytes") struct StorageTests {
  private func house(_ change: (inout StorageRules) -> Void) -> LedgerBench {
    var rules = StorageRules()
    change(&rules)
    return LedgerBench.house(storage: rules)
  }

  private func long(_ number: Int) -> Command {
    .post(.add(1, PostID(number), title: "t", notes: String(repeating: "n", count: 10_000)))
  }

  private func refusal(of command: Command, by user: UserID, _ bench: inout LedgerBench) -> Refusal?
  {
    defer { bench.commit() }
    guard case .failure(let refusal) = bench.settle(bench.submission(of: command, by: user)).0
    else { return nil }
    return refusal
  }

  /// Adds posts from this number on, until one is refused. Returns how many were taken.
  private func fill(from first: Int, by user: UserID, _ bench: inout LedgerBench) -> Int {
    for number in first... {
      guard let refusal = refusal(of: long(number), by: user, &bench) else { continue }
      #expect(refusal == .quota(limit: "bytesPerDay", max: 60_000))
      return number - first
    }
    return 0
  }

  @Test("a person writes so many bytes in a day, and more on the next")
  func days() {
    var bench = house { $0.bytesPerDay = 60_000 }
    let taken = fill(from: 10, by: "a", &bench)
    #expect((3...5).contains(taken))
    bench.must(long(30), by: "b")
    bench.now = Timestamp(milliseconds: bench.now.milliseconds + 24 * 3_600_000)
    bench.must(long(31), by: "a")
  }

  @Test("whoever has written enough for a day may still complete and remove")
  func makesRoom() {
    var bench = house { $0.bytesPerDay = 60_000 }
    _ = fill(from: 10, by: "a", &bench)
    bench.must(.completePost(1, 10, ifVersion: nil), by: "a")
    bench.must(.removePost(1, 11, ifVersion: nil), by: "a")
  }

  @Test("Bytes in the lists of one owner in a day are counted whoever writes them")
  func ownersDay() {
    var bench = house { $0.ownerBytesPerDay = 40_000 }
    bench.stored = StoredBytes(payer: .user("a"), total: 0, state: 0)
    for (number, user) in [(10, "a"), (11, "b"), (12, "b")] as [(Int, UserID)] {
      bench.must(long(number), by: user)
    }
    #expect(
      refusal(of: long(13), by: "b", &bench) == .quota(limit: "ownerBytesPerDay", max: 40_000))
  }

  @Test("a refusal for stored bytes is by what the store says, not by what was written since")
  func exact() {
    var bench = house { $0.storedBytesMax = 100_000 }
    bench.stored = StoredBytes(payer: .user("a"), total: 70_000, state: 0)
    bench.must(long(10), by: "a")
    // Half of it was erased meanwhile.
    bench.stored = StoredBytes(payer: .user("a"), total: 50_000, state: 0)
    bench.must(long(11), by: "a")
    bench.must(long(12), by: "a")
    bench.stored = StoredBytes(payer: .user("a"), total: 95_000, state: 0)
    for number in 13..<16 where refusal(of: long(number), by: "a", &bench) != nil { return }
    Issue.record("nobody is refused")
  }

  @Test("Bytes that a batch has staged count for what comes behind them in it")
  func staged() {
    var bench = house { $0.storedBytesMax = 100_000 }
    bench.stored = StoredBytes(payer: .user("a"), total: 0, state: 0)
    var refused = 0
    for number in 10..<20 {
      let submission = bench.submission(of: long(number), by: "a")
      if case .failure = bench.settle(submission).0 { refused += 1 }
    }
    #expect(refused >= 5)
    bench.commit()
  }

  @Test("a group's lists are counted for the group")
  func groups() {
    var bench = house {
      $0.storedBytesMax = 1
      $0.groupStoredBytesMax = 100_000
    }
    bench.stored = StoredBytes(payer: .group(1), total: 99_000, state: 0)
    #expect(
      refusal(of: long(10), by: "a", &bench)
        == .quota(limit: "groupStoredBytes", max: 100_000))
    bench.stored = StoredBytes(payer: .group(1), total: 0, state: 0)
    #expect(refusal(of: long(10), by: "a", &bench) == nil)
  }

  @Test("a list's state has a limit, and removing from it has not")
  func listBytes() {
    var bench = house { $0.listBytesMax = 100_000 }
    bench.stored = StoredBytes(payer: .user("a"), total: 0, state: 98_000)
    #expect(refusal(of: long(10), by: "a", &bench) == .quota(limit: "listBytes", max: 100_000))
    bench.must(.removePost(1, 1, ifVersion: nil), by: "a")
  }
}
