import Calendar
import Testing

@testable import Domain

private let day = Day("2026-11-16")!

private func at(_ hour: Int64, days: Int = 0) -> Timestamp {
  Timestamp(milliseconds: day.adding(days: days).startUTC.milliseconds + hour * 3_600_000)
}

/// One event, and the post as it was before each of its ops.
private struct Told {
  let event: Event
  let before: [Object?]

  init(_ time: Timestamp, by user: UserID?, _ ops: Op..., was: Post? = nil) {
    event = Event(
      seq: time.milliseconds, transaction: TransactionID(UUID(high: 0, low: 1)), at: time, by: user,
      key: nil, ops: ops)
    before = ops.map { _ in was.map { .post($0) } }
  }
}

private func post(
  _ number: Int, due: Due? = nil, parts: [UserID] = [], occurrence: Int? = nil,
  completed: Completion? = nil
) -> Post {
  var post = openPost(number)
  post.due = due
  post.parts = parts.map { PostPart(user: $0, at: at(1), seq: 1) }
  post.completed = completed
  if let occurrence {
    post.repeats = Repetition(
      try! RecurrenceRule("FREQ=DAILY"),
      occurrence: Occurrence(number: occurrence, due: due ?? .day(day), start: day))
  }
  return post
}

private func done(_ id: PostID, by user: UserID, at time: Timestamp) -> Op {
  .post(.completed(id, version: 2, Stamp(at: time, by: user), Counters()))
}

private func over(_ id: PostID, _ next: Int, by user: UserID, at time: Timestamp) -> Op {
  .post(
    .occurred(
      id, version: 2,
      NextOccurrence(
        next - 1, .completed(Stamp(at: time, by: user)),
        Occurrence(number: next, due: .day(day), start: day)), Counters()))
}

private func held(_ told: [Told]) -> [Achievement] {
  var tally = ScoreTally(start: at(0), categoryZone: "UTC", almanac: .system)
  for it in told.reversed() { tally.add(it.event, before: it.before) }
  return tally.held.sorted { ($0.at, $0.user) < ($1.at, $1.user) }
}

@Suite("statistics: only completions that hold are counted")
struct ScoreTallyTests {
  @Test("A completion that is taken back is none, and one that is done again is one, the last")
  func reopened() {
    let open = Op.post(.reopened(openPost(1), Counters()))
    let first = Told(at(1), by: "a", done(1, by: "a", at: at(1)), was: post(1))
    let back = Told(at(2), by: "a", open)
    let second = Told(at(3), by: "b", done(1, by: "b", at: at(3)), was: post(1))
    #expect(held([first]) == [Achievement(user: "a", at: at(1))])
    #expect(held([first, back]) == [])
    #expect(held([first, back, second]) == [Achievement(user: "b", at: at(3))])
    #expect(held([back]) == [])
  }

  @Test("a restored post says whether it is completed; what was before the days does not count")
  func restored() {
    let back = Told(at(5), by: "a", .post(.reopened(openPost(1), Counters())))
    func again(_ time: Timestamp) -> Told {
      let it = post(1, completed: Completion(at: time, by: "a", seq: 1))
      return Told(at(6), by: "a", .post(.restored(it, Counters())))
    }
    #expect(held([back, again(at(4))]) == [Achievement(user: "a", at: at(4))])
    #expect(held([back, again(at(-1))]) == [])
    // The post comes from the bin: it is known already, and what was known stays.
    let first = Told(at(1), by: "a", done(1, by: "a", at: at(1)), was: post(1, due: .day(day)))
    let known = held([first])
    #expect(known.map(\.lateness) == [-23 * 3_600_000] && held([first, again(at(1))]) == known)
    let removed = Op.post(.removed(1, version: 3, Stamp(at: at(2), by: "a"), Counters()))
    #expect(held([first, Told(at(2), by: "a", removed)]) == known)
  }

  @Test("each occurrence is one, until it is the post's again; the last one ends it")
  func occurrences() {
    let told = [
      Told(at(1), by: "a", over(1, 6, by: "a", at: at(1)), was: post(1, occurrence: 5)),
      Told(at(2), by: "b", over(1, 7, by: "b", at: at(2)), was: post(1, occurrence: 6)),
      Told(at(3), by: "a", done(1, by: "a", at: at(3)), was: post(1, occurrence: 7)),
    ]
    #expect(held(told).map(\.user) == ["a", "b", "a"])
    let last = Told(at(4), by: "a", .post(.reopened(post(1, occurrence: 7), Counters())))
    #expect(held(told + [last]).map(\.user) == ["a", "b"])
    let sixth = Told(at(4), by: "b", .post(.reopened(post(1, occurrence: 6), Counters())))
    #expect(held(told.prefix(2) + [sixth]).map(\.user) == ["a"])
    // When several are reopened at once, only the first one is told as open again.
    for back in [
      Op.post(.reopened(post(1, occurrence: 5), Counters())),
      .post(.restored(post(1, occurrence: 5), Counters())),
    ] {
      #expect(held(told.prefix(2) + [Told(at(4), by: "a", back)]) == [])
    }
    // Completed before it came again.
    let whole = Told(at(1), by: "a", done(1, by: "a", at: at(1)), was: post(1))
    let anew = Told(at(2), by: "a", .post(.reopened(post(1, occurrence: 3), Counters())))
    #expect(held([whole, anew]) == [])
    let next = Occurrence(number: 6, due: .day(day), start: day)
    let skipped = Op.post(
      .occurred(
        1, version: 2, NextOccurrence(5, .skipped(Stamp(at: at(1), by: "a")), next), Counters()))
    #expect(held([Told(at(1), by: "a", skipped, was: post(1, occurrence: 5))]) == [])
  }

  @Test("a post that is open again was not done for good, whatever it has become meanwhile")
  func openedAsAnother() {
    let earlier = Told(at(1), by: "b", over(1, 6, by: "b", at: at(1)), was: post(1, occurrence: 5))
    let last = Told(at(2), by: "a", done(1, by: "a", at: at(2)), was: post(1, occurrence: 6))
    #expect(held([earlier, last]).map(\.user) == ["b", "a"])
    // Another recurrence was set while it was completed, or none.
    for now in [post(1, occurrence: 9), post(1)] {
      let back = Told(at(3), by: "a", .post(.reopened(now, Counters())))
      #expect(held([earlier, last, back]).map(\.user) == ["b"])
    }
    let ninth = Told(at(4), by: "c", done(1, by: "c", at: at(4)), was: post(1, occurrence: 9))
    let back = Told(at(3), by: "a", .post(.reopened(post(1, occurrence: 9), Counters())))
    #expect(held([earlier, last, back, ninth]).map(\.user) == ["b", "c"])
    // From the bin it comes back completed, as it went there.
    let whole = post(
      1, occurrence: 9, completed: Completion(at: at(2), by: "a", seq: at(2).milliseconds))
    let restored = Told(at(3), by: "a", .post(.restored(whole, Counters())))
    #expect(held([earlier, last, restored]).count == 2)
  }

  @Test("everybody's part is one, and who closes the post by theirs has no other")
  func parts() {
    func part(_ user: UserID, _ was: Post) -> Told {
      Told(at(1), by: user, .post(.marked(1, version: 2, .partCompleted(user))), was: was)
    }
    let last = Told(at(2), by: "b", done(1, by: "b", at: at(2)), was: post(1, parts: ["a", "b"]))
    let told = [part("a", post(1)), part("b", post(1)), last]
    #expect(held(told).map(\.user) == ["a", "b"])
    let forAll = Told(at(2), by: "c", done(1, by: "c", at: at(2)), was: post(1, parts: ["a"]))
    #expect(held([told[0], forAll]).map(\.user) == ["a", "c"])
    let opened = Told(
      at(3), by: "a", .post(.marked(1, version: 3, .partReopened("a"))), was: post(1))
    #expect(held(told + [opened]).map(\.user) == ["b"])
    // When it is open for all again, each keeps their part. A part that the post does not name is none.
    let again = Told(at(3), by: "c", .post(.reopened(post(1, parts: ["a"]), Counters())))
    #expect(held([told[0], forAll, again]).map(\.user) == ["a"])
    #expect(held(told + [again]).map(\.user) == ["a"])
  }

  @Test("A confirmed completion is that of who submitted it, at that time")
  func confirmed() {
    let due = Due.time(day, minute: 120, zone: "UTC")
    let it = Told(
      at(30), by: "a", over(1, 6, by: "b", at: at(1)), was: post(1, due: due, occurrence: 5))
    #expect(held([it]) == [Achievement(user: "b", at: at(30), lateness: -3_600_000)])
  }

  @Test("the deadline is that of the post just before, a day until its end")
  func deadlines() {
    func lateness(_ due: Due?) -> [Int64?] {
      held([Told(at(24), by: "a", done(1, by: "a", at: at(24)), was: post(1, due: due))])
        .map(\.lateness)
    }
    #expect(lateness(nil) == [nil])
    #expect(lateness(.day(day)) == [0])
    #expect(lateness(.day(day.adding(days: 1))) == [-86_400_000])
    #expect(lateness(.time(day, minute: 60, zone: "Etc/GMT+2")) == [21 * 3_600_000])
  }

  @Test("who added is counted, and the system for nobody")
  func added() {
    var tally = ScoreTally(start: at(0), categoryZone: "UTC", almanac: .system)
    for user in ["a", "a", nil] as [UserID?] {
      tally.add(Told(at(1), by: user, .post(.added(openPost(1), Counters()))).event, before: [])
    }
    #expect(tally.added == ["a": 2] && tally.addedInAll == 3 && tally.held.isEmpty)
  }
}

@Suite("statistics: completions come to scores, days and streaks")
struct StatisticsTests {
  private func window(_ count: Int, now: Timestamp = at(0, days: 90)) -> StatsWindow {
    StatsWindow(from: day, to: day.adding(days: count - 1), now: now) { $0.startUTC }
  }

  private func on(_ days: [Int], by user: UserID = "a") -> [Achievement] {
    days.map { Achievement(user: user, at: at(12, days: $0)) }
  }

  @Test(
    "a streak reaches to the last day, or to the day before while that one goes on",
    arguments: [
      ([0, 1, 2, 4, 5, 6], 24 * 7, 3, 3), ([0, 1, 2, 3, 5, 6], 24 * 7, 2, 4),
      ([4, 5], 24 * 7, 0, 2), ([4, 5], 24 * 7 - 1, 2, 2), ([4], 24 * 7 - 1, 0, 1),
      ([1, 2], 24 * 3 + 1, 2, 2), ([1], 24 * 3 + 1, 0, 1), ([0], 1, 1, 1), ([], 1, 0, 0),
      ([2, 2, 3], 24 * 4, 2, 2), ([2, 3], -1, 0, 2),
    ] as [([Int], Int64, Int, Int)])
  func streaks(days: [Int], now: Int64, streak: Int, best: Int) {
    let person = Statistics(on(days), added: ["a": 1], in: window(7, now: at(now))).people.first
    #expect(person?.streak == streak && person?.best == best)
  }

  @Test("who completed most is first, of equals who had so many first")
  func order() {
    let it = Statistics(
      on([0, 3], by: "a") + on([0, 1, 2], by: "b") + on([1, 2], by: "c"),
      added: ["a": 9, "d": 1, "e": 2, "f": 1], in: window(7))
    #expect(it.people.map(\.user) == ["b", "c", "a", "e", "d", "f"])
    #expect(it.people.map(\.completed) == [3, 2, 2, 0, 0, 0] && it.completed == 7)
    #expect(it.people.map(\.added) == [0, 0, 9, 2, 1, 1])
  }

  @Test("each day has what was completed between its midnights")
  func days() {
    let moments = [at(0), at(23), at(24), at(24 * 6), at(24 * 7 - 1)]
    let it = Statistics(
      moments.map { Achievement(user: "a", at: $0) }, added: [:], in: window(7))
    #expect(
      it.days == [
        DayScore(day: day, completed: 2), DayScore(day: day.adding(days: 1), completed: 1),
        DayScore(day: day.adding(days: 6), completed: 2),
      ])
  }

  @Test(
    "in time is before the deadline; of two in the middle the lower one",
    arguments: [
      ([-1, 0, 1], 1, 2, 0), ([-5, -1], 2, 0, -5), ([7], 0, 1, 7), ([-9, -3, 4, 5], 2, 2, -3),
    ] as [([Int64], Int, Int, Int64)])
  func punctuality(latenesses: [Int64], onTime: Int, late: Int, median: Int64) {
    let achievements =
      latenesses.map { Achievement(user: "a", at: at(1), lateness: $0) } + on([0], by: "b")
    let it = Statistics(achievements, added: [:], in: window(1))
    #expect(it.punctuality == Punctuality(onTime: onTime, late: late) && it.lateMedian == median)
    #expect(it.people.last?.punctuality == nil || it.people.first?.punctuality == nil)
    let none = Statistics(on([0]), added: [:], in: window(1))
    #expect(none.punctuality == nil && none.lateMedian == nil)
  }
}
