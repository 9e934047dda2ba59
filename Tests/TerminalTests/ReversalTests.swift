import Client
import Domain
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("undo: a change is taken back by another one")
struct ReversalTests {
  private static let milk = Demo.post(1, "").id
  private static let address = PostAddress(category: Demo.groceries, post: milk)
  private static let own = StreamID.user(Demo.author)

  private func personal(_ change: PersonalChange) -> Command {
    .changePersonal(Self.address, change)
  }

  private func back(_ command: Command, _ situation: Situation) -> Command? {
    guard case .set(let back, _, _)? = Reversal(of: command, in: situation) else { return nil }
    return back
  }

  @Test("A private value is set to what it was before")
  func privately() {
    let world = ShownValueTests.world()
    let plan = Domain.Plan(at: nil, minutes: 50)
    #expect(back(personal(.note("x")), world) == personal(.note("the blue one")))
    #expect(back(personal(.plan(nil)), world) == personal(.plan(plan)))
    #expect(back(personal(.watch(true)), world) == personal(.watch(false)))
    #expect(
      back(personal(.snooze(until: Timestamp(milliseconds: 9))), world)
        == personal(.snooze(until: nil)))
    #expect(back(personal(.day(MyDay(day: Day(number: 1)))), world) == personal(.day(nil)))
    let hour = Reminder.before(minutes: 60)
    #expect(back(personal(.forget(hour)), world) == personal(.remind(hour)))
    #expect(
      back(personal(.remind(.before(minutes: 5))), world) == personal(.forget(.before(minutes: 5))))
    // It was so already: nothing to take back.
    #expect(Reversal(of: personal(.remind(hour)), in: world) == nil)
    let both = Command.batch([personal(.plan(nil)), personal(.day(nil))])
    #expect(back(both, world) == .batch([personal(.day(nil)), personal(.plan(plan))]))
  }

  @Test("Settings and profile get back the fields that were changed, and no others")
  func account() {
    var world = Demo.situation()
    let profile = Profile(
      id: Demo.author, username: "author", name: "Author", location: "", zone: "UTC",
      kind: .person,
      registeredAt: Demo.start)
    world.streams[Self.own] = StreamState(stream: Self.own, objects: [.profile(profile)])
    #expect(
      back(.account(.editProfile(ProfileEdit(name: "B", zone: "Europe/Lisbon"))), world)
        == .account(.editProfile(ProfileEdit(name: "Author", zone: "UTC"))))
    var edit = SettingsEdit()
    edit.dueSoonHours = .set(24)
    var reverse = SettingsEdit()
    reverse.dueSoonHours = .clear
    #expect(back(.account(.editSettings(edit)), world) == .account(.editSettings(reverse)))
  }

  @Test("The server takes back what a list shares")
  func shared() {
    let world = Demo.situation()
    let stream = StreamID.category(Demo.groceries)
    let complete = Command.completePost(Demo.groceries, Self.milk, ifVersion: nil)
    for command: Command in [
      complete, .batch([complete, .removePost(Demo.groceries, Self.milk, ifVersion: nil)]),
      .category(.edit(Demo.groceries, name: "x")), .category(.archive(Demo.groceries)),
      .category(.remove(Demo.groceries)), .changeTag(Demo.groceries, Demo.urgent.id, .remove),
    ] { #expect(Reversal(of: command, in: world) == .undo(stream)) }
    // A copy is an event of the list that it comes to.
    let copy = PostChange.copy(as: Demo.post(9, "").id, to: Demo.bigShop)
    #expect(
      Reversal(of: .post(.change(Self.address, copy, ifVersion: nil)), in: world)
        == .undo(.category(Demo.bigShop)))
  }

  @Test("Places and people get back what they had, and what is new goes")
  func places() {
    let world = Demo.situation()
    let stream = StreamID.category(Demo.groceries)
    let invitation = InvitationID(UUID(high: 9, low: 1))
    #expect(
      back(.member(.setRole(stream, Demo.editor, .viewer)), world)
        == .member(.setRole(stream, Demo.editor, .editor)))
    #expect(
      back(.invitation(.send(invitation, stream, username: "lima", .editor)), world)
        == .invitation(.revoke(invitation, stream)))
    #expect(
      back(.group(.edit(Demo.home, name: "x")), world) == .group(.edit(Demo.home, name: "home")))
    #expect(
      back(.group(.edit(Demo.home, talk: .off)), world) == .group(.edit(Demo.home, talk: .on)))
    #expect(back(.group(.remove(Demo.home)), world) == .group(.restore(Demo.home)))
    let list = CategoryID(UUID(high: 9, low: 2))
    let new = Command.category(.add(list, name: "x", group: nil))
    #expect(back(new, world) == .category(.remove(list)))
    #expect(
      back(.batch([new, .category(.remove(Demo.groceries))]), world) == .category(.remove(list)))
    let claim = PostChange.claim(milliseconds: 1)
    #expect(
      back(.post(.change(Self.address, claim, ifVersion: nil)), world)
        == .post(.change(Self.address, .release, ifVersion: nil)))
  }

  @Test("A sign goes back to the one before, or to none")
  func signs() {
    var world = Demo.situation()
    let stream = StreamID.category(Demo.groceries)
    func react(_ sign: String?) -> Command {
      .react(Demo.groceries, event: 5, post: Demo.post(3, "").id, sign: sign)
    }
    #expect(back(react("👏"), world) == react(nil))
    let work = CompletedWork(post: Demo.post(3, "").id, by: Demo.editor)
    let op = Op.reaction(.reacted(event: 5, work, sign: "🎉"))
    _ = Demo.applied(op, by: Demo.author, in: stream, &world)
    #expect(back(react("👏"), world) == react("🎉"))
  }

  @Test("A sign for a line goes back to the one before, or to none")
  func signsOfLines() {
    var world = Demo.situation()
    let stream = StreamID.category(Demo.groceries)
    func react(_ sign: String?) -> Command { .line(.react(stream, line: 20, sign: sign)) }
    _ = Demo.applied(
      .line(.said(SaidLine(line: 20, text: "x"))), by: Demo.editor, in: stream, &world)
    #expect(back(react("👏"), world) == react(nil))
    _ = Demo.applied(
      .line(.reacted(line: 20, to: Demo.editor, sign: "🎉")), by: Demo.author, in: stream, &world)
    #expect(back(react("👏"), world) == react("🎉"))
    #expect(ChangeWords.of(react("👏"), world) == "your sign for a line in #groceries")
  }

  static let final: [Command] = [
    .post(.change(address, .erase, ifVersion: nil)), .member(.leave(.category(Demo.groceries))),
    .member(.remove(.category(Demo.groceries), Demo.editor)), .account(.keep),
    .invitation(.accept(InvitationID(UUID(high: 9, low: 1)))),
    .invitation(.decline(InvitationID(UUID(high: 9, low: 1)))), .person(.block(username: "lima")),
    .invitation(.redeem(CodeInHand(text: "X"))),
    .line(.remove(.category(Demo.groceries), line: 5)),
    .line(.edit(.category(Demo.groceries), line: 5, text: "what it said is not held")),
  ]

  @Test("A change that nothing takes back says why", arguments: final)
  func never(command: Command) {
    guard case .never(let why)? = Reversal(of: command, in: Demo.situation()) else {
      Issue.record("\(command)")
      return
    }
    #expect(!why.isEmpty)
    #expect(!ChangeWords.of(command, Demo.situation()).isEmpty)
  }

  @Test("Reading is no change") func read() {
    let mark = Command.markRead(.category(Demo.groceries), seq: 1)
    #expect(Reversal(of: mark, in: Demo.situation()) == nil)
  }

  // MARK: The trail

  private func change(_ key: String, _ command: Command) throws -> DoneChange {
    let world = ShownValueTests.world()
    return DoneChange(
      key: try #require(CommandKey(key)), what: ChangeWords.of(command, world),
      reversal: try #require(Reversal(of: command, in: world)))
  }

  @Test("A trail is read from its lines as it was, and what it does not know is left out")
  func lines() throws {
    let changes = [
      try change("a", .completePost(Demo.groceries, Self.milk, ifVersion: nil)),
      try change("b", personal(.note("two\nlines\tand a tab"))), try change("c", Self.final[1]),
      try change("d", .batch([personal(.plan(nil)), personal(.day(nil))])),
      try change("f", .line(.say(.group(Demo.home), text: "x"))),
    ]
    let text = changes.map(\.line).joined() + "chnaged\te\nfuture\tf\tx\n"
    let trail = ChangeTrail(text)
    #expect(trail.changes == changes)
    #expect(ChangeTrail(trail.text) == trail)
    #expect(trail.newest()?.key == changes[4].key)
    #expect(trail.newest(before: changes[1].key)?.key == changes[0].key)
    #expect(trail.newest(before: changes[0].key) == nil)
  }

  @Test("A change that was taken back is passed over, and comes last when it is done again")
  func undone() throws {
    let one = try change("a", .completePost(Demo.groceries, Self.milk, ifVersion: nil))
    let two = try change("b", personal(.note("x")))
    let text = one.line + two.line
    #expect(ChangeTrail(text + "undone\tb\n").newest() == one)
    #expect(ChangeTrail(text + "undone\tb\n").lastUndone == two)
    #expect(ChangeTrail(text + "undone\tb\nundone\ta\n").newest() == nil)
    let again = ChangeTrail(text + "undone\ta\nredone\ta\tc\n")
    #expect(again.newest()?.key.text == "c")
    #expect(again.newest()?.reversal == one.reversal)
    #expect(again.lastUndone == nil)
  }

  private func planned(_ line: String, _ trail: String) throws -> Report? {
    guard case .action(let action) = Input(command: line) else { return nil }
    let planner = Planner(situation: ShownValueTests.world(), trail: ChangeTrail(trail))
    guard case .send(let requests) = try planner.plan(action) else { return nil }
    return requests.first?.report
  }

  @Test(
    "Undo asks about the newest change, and refuses what nothing takes back instead of an older one"
  )
  func plan() throws {
    let shared = try change("a", .completePost(Demo.groceries, Self.milk, ifVersion: nil))
    let note = try change("b", personal(.note("x")))
    let left = try change("c", Self.final[1])
    let list = try Demo.situation().list(nil)
    #expect(try planned("undo", "") == .undo(list))
    #expect(try planned("undo", shared.line) == .undoChange(shared))
    #expect(try planned("undo", shared.line + note.line) == .undoChange(note))
    #expect(try planned("undo #groceries", shared.line + note.line) == .undo(list))
    #expect(
      throws: Problem(
        "leaving #groceries is not taken back by /undo: somebody there has to invite you again. "
          + "Nothing was done. /undo #LIST takes back what you changed in a list before.")
    ) { try planned("undo", shared.line + left.line) }
    var trail = ChangeTrail(shared.line + note.line)
    trail.waiting = [note.key]
    #expect(
      throws: Problem(
        "your private note on #1 milk is still on its way: /undo again when it is done")
    ) {
      try Planner(situation: ShownValueTests.world(), trail: trail).plan(.undo(nil))
    }
    #expect(try planned("redo", note.line + "undone\tb\n") == .doneAgain(note))
    #expect(try planned("redo", shared.line + "undone\ta\n") == .redo(list))
  }

  @Test("A change that was not made is passed over, and one that was made is taken back")
  func followUp() throws {
    let shared = try change("a", .completePost(Demo.groceries, Self.milk, ifVersion: nil))
    let note = try change("b", personal(.note("x")))
    var world = ShownValueTests.world()
    var own = PersonalEdit()
    own.note = "x"
    _ = Demo.applied(
      .personal(.edited(Self.address, own)), by: Demo.author, in: Self.own, &world)
    let planner = Planner(situation: world, trail: ChangeTrail(shared.line + note.line))
    let page = { (events: [Event]) in
      HistoryPage(
        lines: events.reversed().map { HistoryPage.Line(seq: $0.seq, body: EventCodec.encode($0)) },
        people: [], posts: [], before: nil)
    }
    let event = { (seq: Int64, key: String, op: Op) in
      Event(
        seq: seq, transaction: TransactionID(UUID(high: 7, low: UInt64(seq))), at: Demo.start,
        by: Demo.author, key: CommandKey(key), ops: [op])
    }
    let noted = event(5, "b", .personal(.edited(Self.address, PersonalEdit())))
    guard case .command(let back, _, _) = try planner.takeBack(note, page([noted])).request else {
      Issue.record("no command")
      return
    }
    #expect(back == personal(.note("the blue one")))
    #expect(try planner.takeBack(note, page([])).report == .undoChange(shared))
    // Changed since, on another device.
    own.note = "y"
    _ = Demo.applied(
      .personal(.edited(Self.address, own)), by: Demo.author, in: Self.own, &world)
    let later = Planner(situation: world, trail: ChangeTrail(shared.line + note.line))
    #expect(
      throws: Problem(
        "your private note on #1 milk was changed since, or is over. Nothing was done.")
    ) { try later.takeBack(note, page([noted])) }
    let done = Stamp(at: Demo.start, by: Demo.author)
    let completed = event(
      3, "a", .post(.completed(Self.milk, version: 2, done, Counters(open: 1, done: 1))))
    let report = try planner.takeBack(shared, page([completed])).report
    guard case .undone(let position, isRedo: false, of: shared.key) = report else {
      Issue.record("\(report)")
      return
    }
    #expect(position.seq == 3)
  }

  @Test("An invitation that was answered is not taken back, and nothing else is instead")
  func answered() throws {
    let stream = StreamID.category(Demo.groceries)
    let invite = Command.invitation(
      .send(
        InvitationID(UUID(high: 9, low: 1)), stream, username: "lima", .editor))
    let change = try change("a", invite)
    let event = Event(
      seq: 5, transaction: TransactionID(UUID(high: 7, low: 5)), at: Demo.start, by: Demo.author,
      key: CommandKey("a"), ops: [])
    let page = HistoryPage(
      lines: [HistoryPage.Line(seq: 5, body: EventCodec.encode(event))], people: [], posts: [],
      before: nil)
    let planner = Planner(situation: Demo.situation(), trail: ChangeTrail(change.line))
    #expect(
      throws: Problem(
        "the invitation of @lima to #groceries is answered, or over: /kick takes somebody out. "
          + "Nothing was done.")
    ) { try planner.takeBack(change, page) }
  }
}
