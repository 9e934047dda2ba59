import Domain
import Testing
import Wire

@testable import Sync

@Suite("P12: when runs are lost") struct RunWatchTests {
  private func live(_ number: UInt64, lease: Int64 = 100_000, by user: UserID = "a") -> LiveRun {
    LiveRun(
      address: PostAddress(category: 1, post: PostID(UUID(high: 0xB, low: number))),
      id: RunID(UUID(high: 0xA, low: number)), user: user, lease: lease)
  }

  /// Returns a watch that has asked a store without runs.
  private func asked() -> RunWatch {
    var watch = RunWatch()
    watch.note([:], at: 0)
    return watch
  }

  /// Returns the runs that are lost at a moment, if no word was kept back.
  private func lost(_ watch: inout RunWatch, at now: Int64) -> [LiveRun] {
    watch.works(at: now + RunWords.everyMilliseconds, limit: 9).compactMap {
      if case .loseRun(let run) = $0 { run } else { nil }
    }
  }

  @Test("A run is lost after its lease, and each word gives it a whole one")
  func words() {
    var watch = asked()
    let run = live(1)
    watch.note([run.address: run], at: 0)
    #expect(lost(&watch, at: 99_999) == [])
    watch.heard(RunWord(user: "b", address: run.address), at: 50_000)
    watch.heard(RunWord(user: "a", address: live(2).address), at: 50_000)
    #expect(watch.wait(at: 40_000, most: 500) == 0, "the store is not asked yet")
    watch.heard(RunWord(user: "a", address: run.address), at: 60_000)
    #expect(lost(&watch, at: 150_000) == [])
    watch.note([run.address: run], at: 150_000)
    #expect(lost(&watch, at: 249_999) == [])
    #expect(lost(&watch, at: 251_000) == [run])
    #expect(lost(&watch, at: 252_000) == [], "it is being ended")
    #expect(lost(&watch, at: 251_000 + 30_000) == [run], "it was not, so it is tried again")
  }

  @Test("A run of a list of which nothing is left is watched no more")
  func dropped() {
    var watch = asked()
    for number in UInt64(1)...2 {
      let run = live(number)
      watch.note([run.address: run], at: 0)
    }
    watch.forget([.user("a")])
    #expect(watch.count == 2)
    watch.forget([live(1).address.stream])
    #expect(watch.count == 0)
  }

  @Test("A run that cannot be read now is tried again, and one that is refused is not")
  func failures() {
    var watch = asked()
    let run = live(1)
    watch.note([run.address: run], at: 0)
    let works: [LedgerWork] = [.loseRun(run)]
    #expect(watch.note(works, turn(.unavailable(afterMilliseconds: 1), .nothing)) == [])
    #expect(watch.note(works, turn(.refused(.notFound("post")), .failed)) == [])
    #expect(watch.count == 1)
    #expect(watch.note(works, turn(.refused(.notFound("post")), .nothing)) == [run.address])
    #expect(watch.count == 0)
  }

  private func turn(_ failure: Failure, _ commit: LedgerTurn.Commit) -> LedgerTurn {
    LedgerTurn(
      settlements: [Settlement(result: .failure(failure), repeated: false)],
      publication: Publication(), commit: commit, commitNanoseconds: 0, notes: [],
      leavesDuesToCheck: false, earliestClaimEnd: nil, runs: [:], dropped: [],
      earliestDeadline: nil,
      changesEnds: false, bins: false, leavesNames: false, webhooks: [])
  }

  @Test("Those are lost first whose time was over first, so many at a time")
  func order() {
    var watch = asked()
    for number in UInt64(1)...5 {
      let run = live(number, lease: Int64(100 - number))
      watch.note([run.address: run], at: 0)
    }
    let later = 1_000 + RunWords.everyMilliseconds
    let first = watch.works(at: later, limit: 3)
    #expect(first == [5, 4, 3].map { .loseRun(live($0, lease: Int64(100 - $0))) })
    #expect(watch.works(at: later, limit: 3).count == 2)
    #expect(watch.works(at: later, limit: 3).isEmpty)
  }

  @Test("A run that ended is watched no more, and another of the same post is")
  func ends() {
    var watch = asked()
    let run = live(1)
    let next = LiveRun(
      address: run.address, id: RunID(UUID(high: 0xA, low: 9)), user: "a", lease: 500_000)
    watch.note([run.address: run], at: 0)
    watch.note([run.address: next], at: 10_000)
    #expect(lost(&watch, at: 400_000) == [] && watch.count == 1)
    watch.note([run.address: nil], at: 20_000)
    #expect(watch.count == 0 && lost(&watch, at: 9_000_000) == [])
  }

  @Test("A word of progress is passed on at most once in a quarter of the shortest lease")
  func passedOn() {
    var words = RunWords()
    let progress = EphemeralRequest.progress(1, 7, Progress(done: 1))
    let every = RunWords.everyMilliseconds
    #expect(every * 4 == Int64(Limits.runLeaseMillisecondsMin))
    let word = RunWord(user: "a", address: PostAddress(category: 1, post: 7))
    #expect(words.word(of: progress, by: "a", at: 0) == word)
    #expect(words.word(of: progress, by: "a", at: every - 1) == nil)
    #expect(words.word(of: progress, by: "b", at: every - 1) != nil, "of each user")
    #expect(words.word(of: progress, by: "a", at: every) == word)
    #expect(words.word(of: .progress(1, 8, nil), by: "a", at: every) == nil, "it is taken back")
    #expect(words.word(of: .typing(1, 8, isTyping: true), by: "a", at: every) == nil)
  }
}
