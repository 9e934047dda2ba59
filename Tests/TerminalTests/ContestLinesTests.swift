import Client
import Domain
import Screen
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

/// Author's view of a race or a coop in the groceries. Each event has a number of its own, because places go by it.
struct ContestDemo {
  static let stream = StreamID.category(Demo.groceries)
  static let milk = Demo.post(1, "").id
  static let bread = Demo.post(2, "").id
  static let doer = UserID(UUID(high: 1, low: 3))
  static let pages = Goal(amount: 300, unit: "pages")

  var situation = Demo.situation()
  private var seq: Int64 = 30

  static func edit(_ contest: FieldChange<Contest>, _ goal: FieldChange<Goal> = .keep) -> PostEdit {
    var edit = PostEdit()
    edit.contest = contest
    edit.goal = goal
    if contest == .set(.race) { edit.mode = .set(.each) }
    return edit
  }

  /// Returns the first post as a race, after the work that was done in it.
  static func race(_ goal: Goal? = pages, _ work: [(UserID, Op)] = []) -> ContestDemo {
    var demo = ContestDemo()
    demo.apply(.member(.added(Demo.member(doer, "doer", .doer))), by: Demo.author)
    let race = edit(.set(.race), goal.map { .set($0) } ?? .keep)
    demo.apply(.post(.edited(milk, version: 2, race)), by: Demo.editor)
    for (user, op) in work { demo.apply(op, by: user) }
    return demo
  }

  /// Returns the second post as a coop with two steps, of which editor has finished the first.
  static func coop(_ goal: Goal? = nil, _ work: [(UserID, Op)] = []) -> ContestDemo {
    var demo = ContestDemo()
    demo.situation = Demo.withSteps(demo.situation)
    let coop = edit(.set(.coop), goal.map { .set($0) } ?? .keep)
    demo.apply(.post(.edited(bread, version: 2, coop)), by: Demo.editor)
    for (user, op) in work { demo.apply(op, by: user) }
    return demo
  }

  static func reached(_ post: PostID, _ user: UserID, _ amount: Int64) -> (UserID, Op) {
    (user, .post(.contest(post, .reached(user, amount: amount, was: 0))))
  }

  static func finished(_ user: UserID) -> (UserID, Op) {
    (user, .post(.marked(milk, version: 3, .partCompleted(user))))
  }

  @discardableResult
  mutating func apply(_ op: Op, by user: UserID) -> AppliedEvent {
    seq += 1
    let event = Event(
      seq: seq, transaction: TransactionID(UUID(high: 7, low: UInt64(seq))), at: Demo.start,
      by: user, key: nil, ops: [op])
    let changes = situation.streams[Self.stream]?.apply(event) ?? []
    return AppliedEvent(event: event, changes: changes, notifications: [])
  }

  /// Returns the lines that the chat shows of an op.
  mutating func told(_ op: Op, by user: UserID) -> [String] {
    let applied = apply(op, by: user)
    return EventLines(situation: situation).lines(applied, in: Self.stream).map(\.plain)
  }

  func row(_ number: Int) throws -> String { try shown(number)[0] }

  func shown(_ number: Int) throws -> [String] {
    let list = try situation.list(nil)
    return ListLines.post(try situation.post(number, in: list), of: list, situation).map(\.plain)
  }
}

@Suite("races and coops, as the terminal tells them")
struct ContestLinesTests {
  private typealias Demos = ContestDemo
  private let milk = ContestDemo.milk
  private let bread = ContestDemo.bread

  @Test("The row of a race shows how far one is oneself, and without a goal how many are done")
  func race() throws {
    let done = Demos.finished(Demo.author)
    for (demo, shown) in [
      (Demos.race(nil), "milk  race 0/3 finished"),
      (Demos.race(nil, [done]), "milk  race 1/3 finished, yours ✔"),
      (Demos.race(), "milk  race ░░░░ 0/300 pages"),
      (
        Demos.race(Demos.pages, [Demos.reached(milk, Demo.author, 120)]),
        "milk  race ▓▓░░ 120/300 pages"
      ),
      (
        Demos.race(Demos.pages, [Demos.reached(milk, Demo.editor, 120)]),
        "milk  race ░░░░ 0/300 pages"
      ),
      (Demos.race(Demos.pages, [done]), "milk  race ▓▓▓▓ 300/300 pages, yours ✔"),
    ] as [(ContestDemo, String)] {
      let row = try demo.row(1)
      #expect(row.hasSuffix(shown), "\(row)")
    }
  }

  @Test("Who withdrew from a race sees how many are done, and is not counted")
  func withdrawn() throws {
    let out = Op.post(.contest(milk, .withdrew(Demo.author)))
    let demo = Demos.race(Demos.pages, [(Demo.author, out)])
    #expect(try demo.row(1).hasSuffix("milk  race 0/2 finished"))
    #expect(try demo.shown(1).last == "           you withdrew")
  }

  @Test("The row of a coop shows the sum of all, or how many steps are done, and that once")
  func coop() throws {
    let both = [
      Demos.reached(bread, Demo.author, 120), Demos.reached(bread, Demo.editor, 30),
    ]
    #expect(try Demos.coop(Demos.pages, both).row(2).contains("bread  coop ▓▓░░ 150/300 pages"))
    #expect(try Demos.coop(Demos.pages, both).row(2).contains("1/2 steps"))
    let steps = try Demos.coop().row(2)
    #expect(steps.contains("bread  coop ▓▓░░ 1/2") && !steps.contains("steps"), "\(steps)")
    var alone = ContestDemo()
    alone.apply(.post(.edited(milk, version: 2, Demos.edit(.set(.coop)))), by: Demo.editor)
    #expect(try alone.row(1).hasSuffix("milk  coop"))
  }

  @Test("Only what is finished has a full bar, and no amount makes one too long")
  func bars() {
    for (done, all, bar) in [
      (0, 300, "░░░░"), (120, 300, "▓▓░░"), (3, 4, "▓▓▓░"), (299, 300, "▓▓▓░"), (300, 300, "▓▓▓▓"),
      (900, 300, "▓▓▓▓"), (-5, 300, "░░░░"), (1 << 53, 1 << 53, "▓▓▓▓"), (1 << 52, 1 << 53, "▓▓░░"),
    ] as [(Int64, Int64, String)] {
      #expect(ContestWords.bar(done, of: all) == bar, "\(done) of \(all)")
    }
  }

  @Test("Places have words")
  func places() {
    for (place, word) in [
      (1, "first"), (2, "second"), (10, "tenth"), (11, "11th"), (13, "13th"), (21, "21st"),
      (22, "22nd"), (103, "103rd"), (112, "112th"),
    ] { #expect(ContestWords.place(place) == word) }
  }

  @Test("A unit with controls or from right to left harms no row")
  func hostile() throws {
    for unit in ["\u{1B}[2Jpages", "\u{202E}segap", "\u{0301}\u{0301}x", "דפים", ""] {
      let demo = Demos.race(Goal(amount: 300, unit: unit), [Demos.reached(milk, Demo.author, 9)])
      for line in try demo.shown(1) {
        #expect(line.unicodeScalars.allSatisfy { !["\u{1B}", "\u{202E}", "\n"].contains($0) })
      }
      #expect(try demo.row(1).contains("9/300"))
    }
  }

  @Test("A race by itself shows the places, how far everybody is behind, and who withdrew last")
  func standing() throws {
    let work = [
      Demos.reached(milk, Demo.editor, 260), Demos.reached(milk, Demos.doer, 220),
      Demos.finished(Demo.author),
    ]
    let all = try Demos.race(Demos.pages, work).shown(1)
    #expect(
      all.suffix(3) == [
        "        1. you finished", "        2. @editor 260 pages, 40 behind",
        "        3. @doer 220 pages, 40 behind",
      ])
    let out = (Demos.doer, Op.post(.contest(milk, .withdrew(Demos.doer))))
    let rest = try Demos.race(Demos.pages, work + [out]).shown(1)
    #expect(
      rest.suffix(2) == [
        "        2. @editor 260 pages, 40 behind", "           @doer withdrew",
      ])
    let plain = try Demos.race(nil, [Demos.finished(Demo.editor)]).shown(1)
    #expect(plain.contains("        1. @editor finished"))
    #expect(plain.contains("           you not yet"))
    #expect(!plain.contains { $0.contains("not yet:") }, "\(plain)")
  }

  @Test("A coop by itself shows who has done how much, and who is on which step")
  func shares() throws {
    let claim = (Demo.editor, Op.post(.contest(bread, .claimed(Demo.salt, Demo.editor))))
    let work = [Demos.reached(bread, Demo.author, 120), claim]
    let lines = try Demos.coop(Demos.pages, work).shown(2)
    #expect(lines.contains { $0.hasSuffix("2.2  salt  · @editor is on it") }, "\(lines)")
    #expect(lines.suffix(2) == ["        you 120 pages", "        @editor 1 step"])
    let back = (Demo.editor, Op.post(.contest(bread, .released(Demo.salt))))
    #expect(try Demos.coop(nil, [claim, back]).shown(2).contains { $0.hasSuffix("2.2  salt") })
  }

  @Test("A script reads the contest, the goal, the standing and who is on which step")
  func json() throws {
    let work = [Demos.reached(milk, Demo.editor, 260), Demos.finished(Demo.author)]
    let race = Demos.race(Demos.pages, work).situation
    let written = JSONOutput.view(.posts(try race.list(nil), done: false), race)
    let goal = #""goal":{"amount":300,"unit":"pages"}"#
    #expect(written.contains(#""contest":"race",\#(goal),"entries":[{"id""#))
    #expect(
      written.contains(
        #""username":"editor","place":2,"amount":260,"behind":40,"finished":false}"#), "\(written)")
    let claim = (Demo.editor, Op.post(.contest(bread, .claimed(Demo.salt, Demo.editor))))
    let coop = Demos.coop(nil, [claim]).situation
    let steps = JSONOutput.view(.posts(try coop.list(nil), done: false), coop)
    #expect(steps.contains(#""done":false,"claimedBy":"# + Demo.person(Demo.editor)), "\(steps)")
  }
}

@Suite("events of races and coops, as the terminal tells them")
struct ContestEventTests {
  private typealias Demos = ContestDemo
  private let milk = ContestDemo.milk
  private let bread = ContestDemo.bread

  @Test("Each op of a race has a line that begins with whom it is about")
  func race() {
    let end = " (in #groceries)"
    for (op, user, line) in [
      (.joined(Demo.editor), Demo.editor, "@editor joined the race #1 milk" + end),
      (.joined(Demo.author), Demo.author, "you joined the race #1 milk" + end),
      (.withdrew(Demo.editor), Demo.editor, "@editor withdrew from the race #1 milk" + end),
      (
        .reached(Demo.editor, amount: 120, was: 0), Demo.editor,
        "@editor is at 120 of 300 pages in #1 milk" + end
      ),
      (
        .reached(Demo.author, amount: 120, was: 0), Demo.author,
        "you are at 120 of 300 pages in #1 milk" + end
      ),
      (
        .reached(Demo.author, amount: 120, was: 0), Demo.editor,
        "you are at 120 of 300 pages in #1 milk" + end + ", says @editor"
      ),
    ] as [(ContestOp, UserID, String)] {
      var demo = Demos.race()
      let told = demo.told(.post(.contest(milk, op)), by: user)
      #expect(told == [line])
    }
  }

  @Test("A step that is taken or given back is told by its number and its words")
  func steps() {
    let claim = Op.post(.contest(bread, .claimed(Demo.salt, Demo.editor)))
    let back = Op.post(.contest(bread, .released(Demo.salt)))
    var demo = Demos.coop()
    let own = Op.post(.contest(bread, .claimed(Demo.salt, Demo.author)))
    let gone = Op.post(.contest(bread, .claimed(StepID(UUID(high: 6, low: 9)), Demo.editor)))
    for (op, user, line) in [
      (claim, Demo.editor, #"@editor takes step 2.2 "salt" (in #groceries)"#),
      (back, Demo.author, #"you give back step 2.2 "salt" of @editor (in #groceries)"#),
      (own, Demo.author, #"you take step 2.2 "salt" (in #groceries)"#),
      (gone, Demo.editor, "@editor takes a step of #2 bread (in #groceries)"),
    ] {
      let told = demo.told(op, by: user)
      #expect(told == [line])
    }
  }

  @Test("An edit of the contest or the goal is told as such, and beside others in short")
  func edits() {
    let pages = Demos.pages
    var titled = Demos.edit(.set(.race), .set(pages))
    titled.title = "oat milk"
    for (edit, words) in [
      (Demos.edit(.set(.race)), "made #1 milk a race"),
      (Demos.edit(.set(.coop), .set(pages)), "made #1 milk a coop to 300 pages"),
      (Demos.edit(.keep, .set(pages)), "set the goal of #1 milk to 300 pages"),
      (Demos.edit(.keep, .clear), "took the goal of #1 milk away"),
      (Demos.edit(.clear), "made #1 milk a plain post again"),
      (titled, "milk → oat milk, a race, the goal is 300 pages"),
    ] as [(PostEdit, String)] {
      var demo = ContestDemo()
      let told = demo.told(.post(.edited(milk, version: 9, edit)), by: Demo.editor)
      #expect(told == ["@editor ✎ \(words) (in #groceries)"])
    }
  }

  @Test("A finish in a race has its place")
  func finishes() {
    var demo = Demos.race()
    for (user, line) in [
      (Demo.author, "✔ finished #1 milk, first (in #groceries)"),
      (Demo.editor, "@editor ✔ finished #1 milk, second (in #groceries)"),
    ] {
      let told = demo.told(Demos.finished(user).1, by: user)
      #expect(told == [line])
    }
  }

  private func news(
    _ kind: Domain.Notification.Kind, _ demo: ContestDemo, about posts: [PostID]
  ) -> String {
    let all = posts.enumerated().map { index, post in
      Domain.Notification(
        kind: kind, stream: Demos.stream, seq: Int64(50 + index), opIndex: 0, at: Demo.start,
        by: Demo.editor, about: Demos.stream, post: post, user: Demo.editor)
    }
    let events = EventLines(situation: demo.situation)
    return events.notificationLine(NotificationFold(notifications: all), verbose: false).plain
  }

  @Test("The news of an amount tell the place by the present state")
  func reached() {
    let ahead = Demos.reached(milk, Demo.author, 160)
    let own = Demos.reached(milk, Demo.editor, 120)
    for (demo, posts, line) in [
      (
        Demos.race(Demos.pages, [ahead, own]), [milk],
        "@editor is second in #1 milk, 40 pages behind"
      ),
      (Demos.race(Demos.pages, [own]), [milk], "@editor is first in #1 milk with 120 pages"),
      (
        Demos.coop(Demos.pages, [Demos.reached(bread, Demo.editor, 120)]), [bread],
        "@editor is at 120 pages in #2 bread, 120 of 300 pages together"
      ),
      (Demos.race(nil), [milk], "@editor got on with milk"),
      (Demos.race(), [milk, bread], "@editor got on with 2 posts: milk, bread"),
    ] as [(ContestDemo, [PostID], String)] { #expect(news(.reached, demo, about: posts) == line) }
  }

  @Test("The news of a finish tell its place")
  func finished() {
    let demo = Demos.race(Demos.pages, [Demos.finished(Demo.author), Demos.finished(Demo.editor)])
    #expect(
      news(.partCompleted, demo, about: [milk]) == "@editor ✔ finished #1 milk, second")
  }

  @Test("/why names the race that one is in, and the step that one is on")
  func why() throws {
    let out = (Demo.author, Op.post(.contest(milk, .withdrew(Demo.author))))
    let claim = (Demo.author, Op.post(.contest(bread, .claimed(Demo.salt, Demo.author))))
    for (demo, number, words) in [
      (Demos.race(), 1, ["you are in the race"]), (Demos.race(Demos.pages, [out]), 1, []),
      (Demos.coop(), 2, []), (Demos.coop(nil, [claim]), 2, ["you are on a step of it"]),
    ] as [(ContestDemo, Int, [Phrase])] {
      let post = try demo.situation.post(number, in: demo.situation.list(nil))
      #expect(demo.situation.contestReasons(post, in: Demos.stream) == words)
    }
  }
}
