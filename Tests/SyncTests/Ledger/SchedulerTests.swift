import Domain
import Testing

@testable import Sync

private let minute: Int64 = 60_000
private let start = Timestamp(milliseconds: 1_800_000_000_000)

extension Timestamp {
  fileprivate func adding(_ milliseconds: Int64) -> Timestamp {
    Timestamp(milliseconds: self.milliseconds + milliseconds)
  }
}

@Suite("Scheduler") struct SchedulerTests {
  @Test("it asks the store once, then sleeps until the earliest deadline")
  func wakes() {
    var it = Scheduler(newest: nil, wall: start)
    #expect(it.isDue(at: start))
    #expect(it.wait(at: start, most: 10_000) == 0)
    it.found(nil)
    #expect(!it.isDue(at: start.adding(1 << 40)))
    #expect(it.wait(at: start, most: 10_000) == 10_000)
    it.note(start.adding(5_000))
    #expect(it.wait(at: start, most: 10_000) == 5_000)
    it.note(start.adding(9_000))
    it.note(start.adding(4_000))
    #expect(it.wait(at: start, most: 10_000) == 4_000)
    #expect(it.wait(at: start, most: 3_000) == 3_000)
    #expect(!it.isDue(at: start.adding(3_999)))
    #expect(it.isDue(at: start.adding(4_000)))
    #expect(it.wait(at: start.adding(4_001), most: 10_000) == 0)
    it.found(start.adding(50_000))
    #expect(!it.isDue(at: start.adding(49_999)))
    it.forget()
    #expect(it.isDue(at: start))
    it.note(start.adding(9))
    #expect(it.isDue(at: start), "only the store knows what else there is")
  }

  @Test(
    "a clock that jumps by more than ten minutes pauses it, until it is back or confirmed",
    arguments: [
      (10 * minute, false), (10 * minute + 1, true), (-10 * minute, false),
      (-10 * minute - 1, true),
    ])
  func jumps(_ by: Int64, _ pauses: Bool) {
    var it = Scheduler(newest: nil, wall: start)
    it.found(start)
    let answer1 = it.look(wall: start, machine: 0)
    #expect(!answer1)
    // An hour passes on both clocks.
    let answer2 = it.look(wall: start.adding(60 * minute), machine: 60 * minute)
    #expect(!answer2)
    let answer3 = it.look(wall: start.adding(61 * minute + by), machine: 61 * minute)
    #expect(answer3 == pauses)
    #expect(it.isDue(at: start.adding(1 << 40)) == !pauses)
    guard pauses else { return }
    #expect(it.pause == .jumped(milliseconds: by))
    #expect(it.ahead == max(0, by))
    #expect(it.wait(at: start, most: 10_000) == 10_000)
    var confirmed = it
    let wasPutBack = confirmed.confirm()
    #expect(wasPutBack == (by < 0))
    #expect(confirmed.isDue(at: start))
    let stays = confirmed.look(wall: start.adding(62 * minute + by), machine: 62 * minute)
    #expect(!stays)
    let answer4 = it.look(wall: start.adding(62 * minute), machine: 62 * minute)
    #expect(answer4, "it is back")
    #expect(it.pause == nil && it.isDue(at: start))
  }

  @Test("a start far from the newest event pauses it")
  func starts() {
    let (hour, year): (Int64, Int64) = (60 * minute, 365 * 24 * 60 * minute)
    let month = 30 * 24 * hour
    let rows: [(Int64, Bool, Scheduler.Pause?)] = [
      (0, false, nil), (-24 * hour, true, nil),
      (-24 * hour - 1, true, .behind(milliseconds: 24 * hour + 1)),
      (month, false, nil), (month + 1, false, .ahead(milliseconds: month + 1)),
      (2 * month, false, .ahead(milliseconds: 2 * month)), (2 * month, true, nil),
      (year, true, nil), (year + 1, true, .ahead(milliseconds: year + 1)),
    ]
    for (since, isSynchronized, pause) in rows {
      var it = Scheduler(
        newest: start, wall: start.adding(since), isSynchronized: isSynchronized)
      #expect(it.pause == pause, "\(since)")
      #expect(it.ahead == (pause == nil ? 0 : max(0, since)))
      let answer5 = it.look(wall: start, machine: 0)
      #expect(!answer5)
      _ = it.look(wall: start.adding(minute), machine: minute)
      #expect(it.pause == pause, "it does not go by itself")
      it.confirm()
      #expect(it.isDue(at: start))
    }
  }

  @Test(
    "a clock that is asked about is believed when it is set right, or becomes one that is kept right"
  )
  func setRight() {
    let day = 24 * 60 * minute
    for (since, by) in [(60 * day, -60 * day), (-60 * day, 60 * day), (60 * day, -31 * day)] {
      var it = Scheduler(newest: start, wall: start.adding(since))
      #expect(it.pause != nil)
      _ = it.look(wall: start.adding(since), machine: 0)
      _ = it.look(wall: start.adding(since + 10 * minute), machine: 0)
      #expect(it.pause != nil, "a little is no answer")
      let hasEnded = it.look(wall: start.adding(since + by), machine: 0)
      #expect(hasEnded && it.pause == nil)
    }
    var behind = Scheduler(newest: start, wall: start.adding(60 * day))
    _ = behind.look(wall: start.adding(60 * day), machine: 0)
    _ = behind.look(wall: start.adding(-60 * day), machine: 0)
    #expect(behind.pause == .behind(milliseconds: 60 * day))
    let isBelieved = behind.synchronized()
    #expect(!isBelieved, "what was written later may be right as well")
    var month = Scheduler(newest: start, wall: start.adding(60 * day))
    let isRight = month.synchronized()
    #expect(isRight && month.pause == nil)
    var year = Scheduler(newest: start, wall: start.adding(366 * day))
    let isEnough = year.synchronized()
    #expect(!isEnough && year.pause != nil)
  }

  @Test("A clock that was confirmed once holds at the next start")
  func startsAgain() {
    let (hour, year): (Int64, Int64) = (60 * minute, 365 * 24 * 60 * minute)
    let month = 30 * 24 * hour
    // The newest event is from ten years ahead, or before.
    for newest in [start.adding(10 * year), start.adding(-10 * year)] {
      let rows: [(Int64, Bool)] = [
        (0, true), (-24 * hour, true), (-24 * hour - 1, false), (month, true), (month + 1, false),
      ]
      let confirmed = ClockConfirmation(at: start, newest: newest)
      for (since, goesOn) in rows {
        let it = Scheduler(newest: newest, confirmed: confirmed, wall: start.adding(since))
        #expect((it.pause == nil) == goesOn, "\(since)")
      }
    }
    // Later events count by themselves.
    let confirmed = ClockConfirmation(at: start, newest: start)
    let later = start.adding(100 * 24 * hour)
    let back = Scheduler(newest: later, confirmed: confirmed, wall: start.adding(50 * 24 * hour))
    #expect(back.pause == .behind(milliseconds: 50 * 24 * hour))
    #expect(Scheduler(newest: later, confirmed: confirmed, wall: later).pause == nil)
  }

  @Test("a turn is cut into events of one list")
  func works() {
    let (one, two): (CategoryID, CategoryID) = (1, 2)
    let posts = (0..<140).map { index in
      DuePost(
        category: index % 10 == 0 ? two : one, post: PostID(UUID(high: 1, low: UInt64(index))),
        deadline: start)
    }
    let works = Deadlines.works(for: posts)
    let sizes = works.map { work -> Int in
      guard case .tellOverdue(let list, let posts) = work else { return 0 }
      #expect(posts.allSatisfy { $0.category == list })
      return posts.count
    }
    #expect(sizes == [14, 64, 62])
    #expect(Deadlines.works(for: []).isEmpty)
  }
}
