import Calendar
import Testing

@testable import Domain

extension Scene {
  /// Returns everything that a person has said of post 1 of a list.
  fileprivate func personal(_ user: UserID, in category: CategoryID = 1) -> Personal? {
    let address = PostAddress(category: category, post: 1)
    guard case .personal(let it) = states[.user(user)]?.objects[address.personalKey] else {
      return nil
    }
    return it
  }

  fileprivate func settings(_ user: UserID) -> PersonalSettings? {
    guard case .settings(let it) = states[.user(user)]?.object(.settings, user.uuid) else {
      return nil
    }
    return it
  }
}

private let plan = Plan(
  at: .time(Day(number: 1_000), minute: 14 * 60, zone: "UTC"), minutes: 50)

/// A change, and the values that are there after it.
private struct Said: CustomTestStringConvertible {
  let change: PersonalChange
  /// The change that takes it away again.
  let back: PersonalChange
  let check: @Sendable (Personal) -> Bool
  var testDescription: String { "\(change)" }

  static let all = [
    Said(change: .plan(plan), back: .plan(nil)) { $0.plan == plan },
    Said(change: .remind(.before(minutes: 60)), back: .forget(.before(minutes: 60))) {
      $0.reminders == [.before(minutes: 60)]
    },
    Said(change: .snooze(until: Timestamp(milliseconds: 9)), back: .snooze(until: nil)) {
      $0.snooze == Timestamp(milliseconds: 9)
    },
    Said(change: .day(MyDay(day: Day(number: 1_000), order: 2)), back: .day(nil)) {
      $0.day == MyDay(day: Day(number: 1_000), order: 2)
    },
    Said(change: .note("the blue one"), back: .note("")) { $0.note == "the blue one" },
    Said(change: .watch(true), back: .watch(false)) { $0.watch },
  ]
}

@Suite("protocol §8: the personal part of a post is each member's own") struct PersonalTests {
  @Test("is set, once, and taken away again", arguments: Said.all)
  private func saying(row: Said) throws {
    var scene = Scene.house()
    let list = scene.events[.category(1)]
    scene.must(.changePersonal(1, 1, row.change), by: "a")
    #expect(row.check(try #require(scene.personal("a"))))
    #expect(scene.changes(.changePersonal(1, 1, row.change), by: "a") == false)
    scene.must(.changePersonal(1, 1, row.back), by: "a")
    #expect(scene.personal("a") == nil)
    #expect(scene.changes(.changePersonal(1, 1, row.back), by: "a") == false)
    // Nobody else hears of it.
    #expect(scene.events[.category(1)] == list)
  }

  @Test("each member says their own, and each of it stays when another is said")
  func together() throws {
    var scene = Scene.house()
    scene.admit("c", to: .category(1), as: .viewer, by: "a", number: 60)
    for row in Said.all { scene.must(.changePersonal(1, 1, row.change), by: "a") }
    scene.must(.changePersonal(1, 1, .note("mine")), by: "c")
    let own = try #require(scene.personal("a"))
    #expect(Said.all.allSatisfy { $0.check(own) })
    #expect(scene.personal("c")?.note == "mine")
  }

  @Test("outlasts the removal of the post, and ends with the membership in the same event")
  func ending() throws {
    var scene = Scene.house()
    scene.admit("c", to: .category(1), as: .viewer, by: "a", number: 60)
    scene.must(.changePersonal(1, 1, .note("mine")), by: "c")
    scene.must(.changePersonal(1, 2, .watch(true)), by: "c")
    scene.must(.removePost(1, 1, ifVersion: nil), by: "a")
    #expect(scene.refusal(of: .changePersonal(1, 1, .watch(true)), by: "c") == .gone("post"))
    #expect(scene.personal("c")?.note == "mine")
    scene.must(.restorePost(1, 1, ifVersion: nil), by: "a")
    scene.must(.member(.remove(.category(1), "c")), by: "a")
    #expect(scene.states[.user("c")]?.objects.keys.contains { $0.kind == .personal } == false)
    let ops = try #require(scene.events[.user("c")]?.last?.ops)
    #expect(
      ops == [
        .membership(.removed(.category(1), .removed)), .personal(.ended(1, [1, 2])),
      ])
    // A person who comes back begins anew.
    scene.admit("c", to: .category(1), as: .viewer, by: "a", number: 61)
    #expect(scene.personal("c") == nil)
  }

  @Test(
    "Kept reminders end with the membership in the same event, and those of other lists stay"
  )
  func keptEnding() throws {
    var scene = Scene.house()
    scene.admit("c", to: .category(1), as: .viewer, by: "a", number: 60)
    scene.must(.category(.add(70, name: "Other", group: nil)), by: "c")
    let told =
      [PostAddress(category: 1, post: 2), PostAddress(category: 1, post: 1)]
      + [PostAddress(category: 70, post: 1)]
    let ops = told.map {
      Op.personal(.kept(Reminded(address: $0, kind: .reminder, at: scene.now)))
    }
    scene.carryOut(Decision(drafts: [Draft(stream: .user("c"), ops: ops)]), by: .system)
    scene.must(.member(.remove(.category(1), "c")), by: "a")
    let last = try #require(scene.events[.user("c")]?.last?.ops)
    #expect(
      last == [.membership(.removed(.category(1), .removed)), .personal(.keptEnded(1, [1, 2]))])
    #expect(scene.rows[.user("c")]?.keys.filter { $0.kind == .reminder } == [told[2].reminderKey])
    scene.admit("c", to: .category(1), as: .viewer, by: "a", number: 61)
    scene.must(.member(.leave(.category(1))), by: "c")
    #expect(
      scene.events[.user("c")]?.last?.ops == [.membership(.removed(.category(1), .left))])
  }

  @Test("A setting for all posts is no wish, and a reminder of one post is")
  func wishes() throws {
    var scene = Scene.house()
    let due = Due.time(Day(number: 20_783), minute: 0, zone: "UTC")
    scene.must(.editPost(1, 1, PostEdit(due: .set(due)), ifVersion: nil), by: "a")
    func wished() throws -> [Timestamp] {
      let key = ReminderKey(person: "a", post: PostAddress(category: 1, post: 1))
      let alarms = try scene.answered { world throws(Halt) in try world.alarms(key, .system) }
      return try #require(try alarms.get()).all.filter {
        (try? alarms.get())?.isWish($0) == true
      }.map(\.at)
    }
    #expect(try wished().isEmpty)
    scene.must(.changePersonal(1, 1, .remind(.before(minutes: 60))), by: "a")
    let time = scene.now
    scene.must(.changePersonal(1, 1, .remind(.at(time))), by: "a")
    let plan = Plan(at: .time(Day(number: 20_782), minute: 0, zone: "UTC"))
    scene.must(.changePersonal(1, 1, .plan(plan)), by: "a")
    let day: Int64 = 86_400_000
    let all = try wished().map(\.milliseconds)
    #expect(all == [time.milliseconds, 20_782 * day, 20_783 * day - 3_600_000], "\(all)")
  }

  @Test("posts of two lists with one id have each their own")
  func twins() {
    var scene = Scene.house()
    scene.must(.category(.add(70, name: "Other", group: nil)), by: "a")
    scene.must(.post(.add(70, 1, title: "Twin", notes: "")), by: "a")
    scene.must(.changePersonal(1, 1, .note("one")), by: "a")
    scene.must(.changePersonal(70, 1, .note("other")), by: "a")
    #expect(scene.personal("a")?.note == "one")
    #expect(scene.personal("a", in: 70)?.note == "other")
    scene.must(.category(.remove(70)), by: "a")
    scene.must(.member(.leave(.category(70))), by: "a")
    #expect(scene.personal("a")?.note == "one")
    #expect(scene.personal("a", in: 70) == nil)
  }

  @Test("a post takes so many reminders, and a person so many of all")
  func limits() {
    var scene = Scene.house()
    for minutes in 0..<Limits.remindersPerPostMax {
      scene.must(.changePersonal(1, 1, .remind(.before(minutes: minutes))), by: "a")
    }
    let more = Command.changePersonal(1, 1, .remind(.before(minutes: 100)))
    #expect(
      scene.refusal(of: more, by: "a")
        == .quota(limit: "remindersPerPost", max: Limits.remindersPerPostMax))
    // A reminder that is there already is not another one.
    let again = Command.changePersonal(1, 1, .remind(.before(minutes: 0)))
    #expect(scene.changes(again, by: "a") == false)
  }

  @Test("Reminders that are over make room, the oldest first, and those that wait stay")
  func room() {
    let now = Timestamp(milliseconds: 86_400_000 * 9 + 1_000)
    let dayBefore = Day(number: 8)
    var all = (0..<300).map { number in
      var it = Personal(PostAddress(category: 1, post: PostID(UUID(high: 9, low: UInt64(number)))))
      it.day = MyDay(day: dayBefore.adding(days: -1))
      it.seq = Int64(300 - number)
      return it
    }
    all[299].note = "mine"
    all[298].reminders = [.before(minutes: 60)]
    all[297].snooze = Timestamp(milliseconds: now.milliseconds + 1)
    all[295].watch = true
    all[294].day = MyDay(day: dayBefore)
    all[296].snooze = now
    #expect(all.over(leaving: 300, at: now, .system) == [])
    let gone = all.over(leaving: 299, at: now, .system)
    #expect(gone == ([all[296]] + all[194...293].reversed()).map(\.address))
    #expect(all.over(leaving: 0, at: now, .system).count == 295)
  }

  @Test("A change that only takes away is taken in an archived list too")
  func archived() {
    var scene = Scene.house()
    scene.must(.changePersonal(1, 1, .note("mine")), by: "a")
    scene.must(.category(.archive(1)), by: "a")
    guard case .forbidden = scene.refusal(of: .changePersonal(1, 1, .watch(true)), by: "a") else {
      Issue.record("it is taken")
      return
    }
    scene.must(.changePersonal(1, 1, .note("")), by: "a")
    #expect(scene.personal("a") == nil)
  }

  @Test("settings are as for everybody until something is said, and again when it is taken back")
  func settings() {
    var scene = Scene.house()
    #expect(scene.settings("a") == nil)
    var said = SettingsEdit()
    said.reminders = .set([0])
    said.muted = .set([])
    scene.must(.account(.editSettings(said)), by: "a")
    #expect(scene.changes(.account(.editSettings(said)), by: "a") == false)
    #expect(scene.settings("a")?.reminderMinutes == [0])
    #expect(scene.settings("a")?.mutes(.dueSoon) == false)
    said.reminders = .clear
    said.muted = .clear
    scene.must(.account(.editSettings(said)), by: "a")
    #expect(scene.settings("a")?.reminderMinutes == [24 * 60])
    #expect(scene.settings("a")?.mutes(.dueSoon) == true)
    #expect(scene.settings("b") == nil)
  }
}
