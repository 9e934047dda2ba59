import Client
import Domain
import Screen
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("screen: changes that are not confirmed or were refused are shown")
struct UnsentLinesTests {
  private func unsent(
    _ number: Int64, _ command: Command, _ kind: ErrorKind, object: Object? = nil
  ) throws -> UnsentCommand {
    let queued = QueuedCommand(
      number: number, command: command, key: try #require(CommandKey("k\(number)")),
      at: Demo.start, seenNotes: "rye")
    return UnsentCommand(
      queued: queued,
      reason: ServerError(
        kind: kind, code: kind.code, retry: .no, sentence: "The list is gone.", object: object))
  }

  private func situation() throws -> Situation {
    var situation = Demo.situation()
    let bread = Demo.post(2, "bread", notes: "theirs")
    let edit = PostEdit(notes: "mine\ntoo")
    situation.unsent = [
      try unsent(
        7, .post(.add(Demo.groceries, Demo.post(9, "").id, title: "cheese", notes: "old")),
        .gone),
      try unsent(
        8, .editPost(Demo.groceries, bread.id, edit, ifVersion: 1), .conflict,
        object: .post(bread)),
    ]
    var outbox = Outbox()
    for it in situation.unsent {
      outbox.apply(.queued(it.queued))
      outbox.apply(.refused(it.queued.number, it.reason))
    }
    situation.conflicts = outbox.conflicts { _ in ConfirmedPost(bread, epoch: nil) }
    situation.waitingCount = 2
    return situation
  }

  @Test("each refused change has its number, its texts and what can be done")
  func lines() throws {
    #expect(
      UnsentLines.all(try situation()).map(\.plain) == [
        "2 changes wait to be sent",
        "  1  ✘ + cheese (#groceries): The list is gone.",
        "     old",
        "     /unsent 1 again or drop",
        "  2  ✘ ✎ bread (#groceries): somebody else changed the notes at the same time",
        "     yours:  mine / too",
        "     theirs: theirs",
        "     /unsent 2 mine, theirs or both",
      ])
    #expect(UnsentLines.all(Demo.situation()).map(\.plain) == ["nothing was refused"])
  }

  @Test("A change about a time that is over is dropped; sent again it would be refused again")
  func over() throws {
    let milk = Demo.post(1, "").id
    let skip = Command.changeOccurrence(Demo.groceries, milk, 7, .skip)
    let copy = Command.post(
      .change(
        PostAddress(category: Demo.groceries, post: milk),
        .copy(as: Demo.post(9, "").id, to: Demo.groceries), ifVersion: 3))
    let edit = Command.editPost(Demo.groceries, milk, PostEdit(title: "x"), ifVersion: 1)
    let own = Command.editPost(
      Demo.groceries, Demo.post(9, "").id, PostEdit(title: "x"), ifVersion: nil)
    for (command, kind, choices) in [
      (skip, ErrorKind.conflict, "drop"), (.batch([copy, own, skip]), .conflict, "drop"),
      (skip, .forbidden, "again or drop"), (edit, .conflict, "again or drop"),
    ] {
      var situation = Demo.situation()
      situation.unsent = [try unsent(7, command, kind)]
      let lines = UnsentLines.all(situation).map(\.plain)
      #expect(lines.last == "     /unsent 1 \(choices)")
      let isOver = choices == "drop"
      #expect(lines[0].contains("that time is over by now, or it was changed") == isOver)
      if case .batch = command { #expect(lines[0].contains("x (#groceries), this time only")) }
    }
  }

  static let refused: [(Command, ErrorKind, String)] = [
    (
      .post(.add(Demo.groceries, Demo.post(9, "").id, title: "jam", notes: "")), .forbidden,
      "+ jam (#groceries): a viewer may not do that there"
    ),
    (
      .batch([
        .completePost(Demo.groceries, Demo.post(1, "").id, ifVersion: nil),
        .completePost(Demo.groceries, Demo.post(2, "").id, ifVersion: nil),
      ]), .forbidden,
      "✔ milk (#groceries) and 1 more: a viewer may not do that there"
    ),
    (
      .post(.change(Demo.groceries, Demo.post(1, "").id, .claim(milliseconds: 9))), .conflict,
      "▸ milk (#groceries): @editor is on it until 01:00"
    ),
    (
      .post(.change(Demo.groceries, Demo.post(1, "").id, .remove)), .forbidden,
      "remove milk (#groceries): a viewer may not do that there"
    ),
    (
      .member(.leave(.group(Demo.home), successor: nil)), .forbidden,
      "leave home: The list is gone."
    ),
    (
      .member(.remove(.category(Demo.bigShop), Demo.editor)), .forbidden,
      "take @editor out of #Big-Shop: The list is gone."
    ),
    (
      .member(.setRole(.category(Demo.bigShop), Demo.editor, .admin)), .forbidden,
      "@editor as admin of #Big-Shop: The list is gone."
    ),
    (
      .line(.say(.category(Demo.bigShop), text: "one\ntwo")), .forbidden,
      "say: one / two (#Big-Shop): The list is gone."
    ),
    (
      .line(.say(.category(Demo.groceries), text: "which?", post: Demo.post(1, "").id)), .forbidden,
      "say on #1 milk: which? (#groceries): a viewer may not do that there"
    ),
    (
      .line(.edit(.category(Demo.bigShop), line: 5, text: "x")), .gone,
      "say instead of line 5: x (#Big-Shop): The list is gone."
    ),
    (
      .line(.remove(.category(Demo.bigShop), line: 5)), .gone,
      "take line 5 back (#Big-Shop): The list is gone."
    ),
    (
      .line(.react(.category(Demo.bigShop), line: 5, sign: "👏")), .gone,
      "👏 for line 5 (#Big-Shop): The list is gone."
    ),
    (
      .line(.react(.category(Demo.bigShop), line: 5, sign: nil)), .gone,
      "no sign for line 5 (#Big-Shop): The list is gone."
    ),
    (.category(.remove(Demo.bigShop)), .forbidden, "remove #Big-Shop: The list is gone."),
    (.group(.edit(Demo.home, name: "x")), .forbidden, "home is called x: The list is gone."),
  ]

  @Test(
    "a person reads what was refused, and why, without the words of programs", arguments: refused)
  func words(command: Command, kind: ErrorKind, line: String) throws {
    var situation = Demo.situation()
    _ = Demo.applied(
      .member(.granted(Demo.author, Grants(direct: .viewer))), by: Demo.editor, &situation)
    let until = Timestamp(milliseconds: 3_600_000)
    var milk = Demo.post(1, "milk")
    milk.claim = PostClaim(user: Demo.editor, seq: 9, until: until)
    situation.unsent = [try unsent(7, command, kind, object: .post(milk))]
    #expect(UnsentLines.all(situation)[0].plain == "  1  ✘ " + line)
    if case .member(.leave) = command { return }
    #expect(UnsentLines.all(situation).count == 2)
  }

  @Test("an edit is told by what it sets")
  func edits() throws {
    let today = try #require(Demo.situation().clock.today?.day)
    let due = PostEdit(due: .set(.day(today.adding(days: 1))), repeats: .clear)
    let milk = Demo.post(1, "").id
    let own = Demo.post(9, "").id
    let apart = Command.batch([
      .post(
        .change(
          PostAddress(category: Demo.groceries, post: milk),
          .copy(as: own, to: Demo.groceries), ifVersion: 3)),
      .editPost(Demo.groceries, own, due, ifVersion: nil),
      .changeOccurrence(Demo.groceries, milk, 7, .skip),
    ])
    let rows: [(Command, String)] = [
      (
        .editPost(
          Demo.groceries, milk, PostEdit(title: "x", priority: .set(.high)), ifVersion: nil),
        "✎ x, high priority (#groceries)"
      ),
      (
        .changeOccurrence(Demo.groceries, milk, 7, .edit(due)),
        "✎ milk: due tomorrow, not again (#groceries)"
      ),
      (apart, "✎ milk: due tomorrow (#groceries), this time only"),
      (
        .editPost(Demo.groceries, milk, PostEdit(notes: "n"), ifVersion: nil),
        "✎ milk (#groceries)"
      ),
    ]
    for (command, told) in rows {
      var situation = Demo.situation()
      situation.unsent = [try unsent(7, command, .forbidden)]
      #expect(UnsentLines.all(situation)[0].plain.hasPrefix("  1  ✘ \(told): "))
    }
  }

  @Test("who may not claim a post is told who is on it")
  func claimed() throws {
    var situation = Demo.situation()
    let stream = StreamID.category(Demo.groceries)
    let command = Command.post(
      .change(
        Demo.groceries, Demo.post(1, "").id, .claim(milliseconds: 1_000)))
    for (seconds, told) in [
      (60, "@editor is on it until 00:01"), (-60, "The list is gone."),
    ] as [(Int64, String)] {
      var milk = Demo.post(1, "milk")
      let until = Timestamp(milliseconds: Demo.start.milliseconds + seconds * 1_000)
      milk.claim = PostClaim(user: Demo.editor, seq: 9, until: until)
      situation.unsent = [try unsent(7, command, .conflict, object: .post(milk))]
      let lines = UnsentLines.all(situation).map(\.plain)
      #expect(lines.first == "  1  ✘ ▸ milk (#groceries): \(told)")
      #expect(lines.count == 2 && situation.streams[stream] != nil)
    }
  }

  @Test("who may not leave is told how")
  func leaving() throws {
    var situation = Demo.situation()
    let stream = StreamID.category(Demo.groceries)
    for (command, kind, isTold) in [
      (Command.member(.leave(stream)), ErrorKind.forbidden, true),
      (.member(.leave(stream)), .notFound, false),
      (.category(.remove(Demo.groceries)), .forbidden, false),
    ] {
      situation.unsent = [try unsent(7, command, kind)]
      let lines = UnsentLines.all(situation).map(\.plain)
      let advice = "     /leave #groceries to PERSON makes somebody else its owner first"
      #expect(lines.contains(advice) == isTold)
    }
  }

  @Test("A refusal of an archived list says how it is opened again")
  func archived() throws {
    let (groceries, bigShop) = (Demo.groceries, Demo.bigShop)
    let milk = Demo.post(1, "").id
    let change = { (list: CategoryID, change: PostChange) in
      Command.post(.change(list, milk, change))
    }
    let rows: [(Command, Bool)] = [
      (.post(.add(groceries, milk, title: "x", notes: "")), true),
      (change(groceries, .release), true),
      (.batch([.group(.add(Demo.home, name: "x")), change(groceries, .release)]), true),
      (change(bigShop, .moveTo(groceries)), true), (change(groceries, .moveTo(bigShop)), true),
      (change(bigShop, .copy(as: milk, to: groceries)), true),
      (.category(.edit(groceries, name: "x")), true),
      (.post(.claimNext(groceries, milliseconds: 1)), true),
      (.changeTag(groceries, Demo.urgent.id, .remove), true),
      (change(bigShop, .release), false), (change(groceries, .copy(as: milk, to: bigShop)), false),
      (.category(.unarchive(groceries)), false), (.category(.remove(groceries)), false),
    ]
    var situation = Demo.situation()
    let stamp = Stamp(at: Demo.start, by: Demo.author)
    _ = Demo.applied(.category(.archived(stamp)), by: Demo.author, &situation)
    let opening = "/unarchive #groceries opens it again"
    for (command, isTold) in rows {
      let reason = try unsent(7, command, .forbidden).reason
      #expect(UnsentLines.advice(command, reason, situation) == (isTold ? opening : nil))
      let other = try unsent(7, command, .gone).reason
      #expect(UnsentLines.advice(command, other, situation) == nil)
      #expect(UnsentLines.advice(command, reason, Demo.situation()) == nil)
    }
    for (command, isTold) in rows where isTold {
      situation.unsent = [try unsent(7, command, .forbidden)]
      let lines = UnsentLines.all(situation).map(\.plain)
      #expect(lines.contains("     " + opening))
      #expect(!lines.joined().contains(command.method.name))
    }
    situation.me = Demo.editor
    let reason = try unsent(7, rows[0].0, .forbidden).reason
    #expect(UnsentLines.advice(rows[0].0, reason, situation) == opening + ": its admins may")
  }

  @Test("a step finds its change, or says what is wrong")
  func steps() throws {
    let planner = Planner(situation: try situation())
    guard case .decide(let first, .drop(1)) = try planner.plan(.unsent(.drop(1))) else {
      Issue.record("no decision")
      return
    }
    #expect(first.queued.number == 7)
    #expect(throws: Problem.self) { try planner.plan(.unsent(.drop(3))) }
    #expect(throws: Problem.self) { try planner.plan(.unsent(.choose(1, .mine))) }
    guard case .decide(let second, .choose(2, .both)) = try planner.plan(.unsent(.choose(2, .both)))
    else {
      Issue.record("no decision")
      return
    }
    #expect(second.queued.number == 8)
  }

  @Test("a post that is not confirmed has a mark")
  func mark() {
    var situation = Demo.situation()
    let milk = ObjectKey(kind: .post, id: Demo.post(1, "").id.uuid)
    situation.pending = [.category(Demo.groceries): [milk]]
    let lines = ListLines.posts(
      of: Demo.category(Demo.groceries, "groceries"), done: false, situation)
    #expect(lines.map(\.plain).contains("    #1  milk  … not sent yet"))
    #expect(lines.count { $0.plain.contains("not sent yet") } == 1)
  }
}
