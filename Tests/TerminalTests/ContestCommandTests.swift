import Client
import Domain
import Screen
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("commands about races and coops")
struct ContestCommandTests {
  private typealias Demos = ContestDemo
  private let list = Demo.groceries
  private let milk = ContestDemo.milk
  private let bread = ContestDemo.bread

  private func commands(_ line: String, _ situation: Situation) throws -> [Command] {
    guard case .action(let action) = Input(command: line) else {
      throw Problem("\(line) is not understood")
    }
    guard case .send(let requests) = try Planner(situation: situation).plan(action) else {
      return []
    }
    return requests.compactMap {
      if case .command(let command, _, _) = $0.request { command } else { nil }
    }
  }

  private func change(_ post: PostID, _ change: ContestChange) -> Command {
    .post(.change(list, post, .contest(change)))
  }

  @Test("A post becomes a race or a coop, and gets a goal")
  func edits() throws {
    var again = PostEdit()
    again.contest = .set(.race)
    again.restart = true
    var plain = PostEdit()
    plain.contest = .clear
    var race = PostEdit()
    race.contest = .set(.race)
    var coop = PostEdit()
    coop.contest = .set(.coop)
    for (line, edit) in [
      ("race 1", race), ("race #groceries #1", race), ("race 1 again", again),
      ("race 1 off", plain), ("coop 1", coop), ("coop 1 OFF", plain),
      ("goal 1 300 pages", Demos.edit(.keep, .set(Demos.pages))),
      ("goal #groceries 1 10500 m", Demos.edit(.keep, .set(Goal(amount: 10_500, unit: "m")))),
      ("goal 1 3 square km", Demos.edit(.keep, .set(Goal(amount: 3, unit: "square km")))),
      ("goal 1 off", Demos.edit(.keep, .clear)),
    ] as [(String, PostEdit)] {
      #expect(
        try commands(line, Demo.situation()) == [.editPost(list, milk, edit, ifVersion: nil)],
        "\(line)")
    }
    var mode = PostEdit(mode: .set(.each), modeRole: .clear)
    mode.restart = true
    #expect(
      try commands("each 1 all again", Demo.situation())
        == [.editPost(list, milk, mode, ifVersion: nil)])
  }

  @Test("An amount is said of the post, or of its time when it comes again")
  func amounts() throws {
    let race = Demos.race().situation
    #expect(try commands("at 1 120", race) == [change(milk, .reach(.init(120)))])
    #expect(try commands("at #groceries 1 0", race) == [change(milk, .reach(.init(0)))])
    #expect(
      try commands("at 1 100 correct", race)
        == [change(milk, .reach(.init(100, isCorrection: true)))])
    let today = Day(number: 20_000)
    let wish = try #require(RepeatWish("every week")?.repetition(today: today))
    let time = wish.at(Occurrence(number: 7, due: .day(today), start: today))
    var weekly = Demos.race()
    weekly.apply(
      .post(
        .edited(milk, version: 4, PostEdit(due: .set(.day(today)), repeats: .set(time)))),
      by: Demo.editor)
    #expect(
      try commands("at 1 120", weekly.situation)
        == [.changeOccurrence(list, milk, 7, .reach(.init(120)))])
  }

  @Test("People join races and withdraw, and a code is still a code")
  func people() throws {
    let race = Demos.race().situation
    #expect(try commands("join 1", race) == [change(milk, .join)])
    #expect(
      try commands("join #groceries 1 2", race)
        == [.batch([change(milk, .join), change(bread, .join)])])
    #expect(try commands("withdraw 1", race) == [change(milk, .withdraw)])
    #expect(
      Input(command: "join ABCD-EFGH-JKMN")
        == .action(.people(.code(.join("ABCD-EFGH-JKMN")))))
  }

  @Test("A step is claimed and given back by its number, beside posts or alone")
  func steps() throws {
    let coop = Demos.coop().situation
    #expect(try commands("claim 2.2", coop) == [change(bread, .claim(Demo.salt))])
    #expect(try commands("release 2.2", coop) == [change(bread, .release(Demo.salt))])
    #expect(
      try commands("release 1 2.2", coop)
        == [.batch([.post(.change(list, milk, .release)), change(bread, .release(Demo.salt))])])
    for line in ["claim 2.2 1h", "claim 2.9", "release 1.1", "at 9 1", "join 9", "race 9"] {
      #expect(throws: Problem.self, "\(line)") { try commands(line, coop) }
    }
  }

  static let wrong = [
    "goal 1 10.5 km", "goal 1 10,5 km", "goal 1 300", "goal 1 pages", "goal 1 0 pages",
    "goal 1 -3 pages", "goal 1 9007199254740993 pages", "goal 1 99999999999999999999 pages",
    "goal 1 3 twenty-one-characters", "goal 1 again", "goal pages", "goal", "at", "at 1 12.5",
    "at 1 -1", "at 1 9007199254740993", "at 1 120 pages", "at 1 100 correct now", "at noon",
    "race", "race 1 on", "race 1 off now", "race 1.2", "coop", "coop 1 x", "withdraw",
    "withdraw me", "withdraw 1 now", "claim 2.0", "claim 2.2 soon", "release 2.2 now",
  ]

  @Test("Words that are no amount, no goal or no contest are told with the usage", arguments: wrong)
  func usage(line: String) {
    guard case .wrong(let error) = Input(command: line) else {
      Issue.record("\(line) was understood as \(Input(command: line))")
      return
    }
    #expect(line.hasPrefix(error.command))
    guard error.command == "goal" else { return }
    #expect(
      error.sentence(slash: true)
        == "usage: /goal [#LIST] NUMBER [AMOUNT UNIT]: whole numbers only, "
        + "such as 10500 m for 10.5 km; off takes it away")
  }

  @Test("A goal is shown without a new one")
  func shown() throws {
    for (demo, line) in [
      (Demos.race(), "#1 milk: 300 pages"), (Demos.race(nil), "#1 milk: no goal"),
    ] {
      guard case .action(let action) = Input(command: "goal 1"),
        case .show(.value(let value)) = try Planner(situation: demo.situation).plan(action)
      else { throw Problem("no value is shown") }
      #expect(ValueLines.lines(value, demo.situation).map(\.plain) == [line])
    }
    guard case .action(.show(.post(nil, 1))) = Input(command: "at 1") else {
      throw Problem("the standing is not shown")
    }
  }

  private func told(_ line: String, _ situation: Situation, changed: Bool) throws -> [String] {
    guard case .action(let action) = Input(command: line),
      case .send(let requests) = try Planner(situation: situation).plan(action),
      let report = requests.first?.report
    else { throw Problem("nothing is sent") }
    let answer = ReplicaAnswer.command(CommandResult(changed: changed))
    return AnswerLines.lines(report, answer, situation, chat: false).map(\.plain)
  }

  @Test("A script is told what became of it")
  func reports() throws {
    let race = Demos.race().situation
    for (line, words) in [
      ("at 1 120", "✎ #1 milk: you are at 120 of 300 pages"), ("race 1", "✎ #1 milk: a race"),
      ("goal 1 9 km", "✎ #1 milk: the goal is 9 km"), ("race 1 off", "✎ #1 milk: a plain post"),
      ("race 1 again", "✎ #1 milk: a race, begun anew"),
      ("join 1", "+ #1 milk: you are in the race"),
      ("withdraw 1", "✘ #1 milk: you are not in the race any more"),
    ] { #expect(try told(line, race, changed: true) == [words]) }
    #expect(try told("claim 2.2", Demos.coop().situation, changed: true) == ["▸ 2.2 salt"])
  }
}

@Suite("changes of races and coops that wait, are refused, or are taken back")
struct ContestChangeTests {
  private typealias Demos = ContestDemo
  private let address = PostAddress(category: Demo.groceries, post: ContestDemo.milk)

  private func command(_ change: PostChange) -> Command {
    .post(.change(address, change, ifVersion: nil))
  }

  @Test("Joining and claiming are taken back by their opposites, an amount by the server")
  func reversal() {
    let situation = Demos.race().situation
    let stream = Demos.stream
    for (change, back) in [
      (.join, .withdraw), (.withdraw, .join), (.claim(Demo.salt), .release(Demo.salt)),
      (.release(Demo.salt), .claim(Demo.salt)),
    ] as [(ContestChange, ContestChange)] {
      let again = command(.contest(change))
      #expect(
        Reversal(of: again, in: situation)
          == .set(back: command(.contest(back)), again: again, stream))
    }
    #expect(Reversal(of: command(.contest(.reach(.init(3)))), in: situation) == .undo(stream))
  }

  @Test("Each change has a noun for taking it back, and words while it waits")
  func words() {
    let situation = Demos.race().situation
    for (change, noun, what) in [
      (.join, "joining the race #1 milk", "+ milk: in the race"),
      (.withdraw, "withdrawing from the race #1 milk", "✘ milk: out of the race"),
      (.reach(.init(120)), "your amount in #1 milk", "✎ milk: at 120"),
      (.claim(Demo.salt), "your claim of a step of #1 milk", "▸ a step of milk"),
      (.release(Demo.salt), "giving back a step of #1 milk", "◂ a step of milk"),
    ] as [(ContestChange, String, String)] {
      let made = command(.contest(change))
      #expect(ChangeWords.of(made, situation) == noun)
      #expect(Line(UnsentLines.what(made, situation)).plain == what + " (#groceries)")
    }
  }

  private func advice(_ change: PostChange, _ situation: Situation) -> String? {
    let reason = ServerError(
      kind: .conflict, code: ErrorKind.conflict.code, retry: .no, sentence: "There is work.")
    return UnsentLines.advice(command(change), reason, situation)
  }

  @Test("Where the server tells programs what to send, a person is told what to type")
  func advice() {
    let work = Demos.race(Demos.pages, [Demos.reached(Demos.milk, Demo.author, 120)]).situation
    var again = Demos.edit(.clear)
    again.restart = true
    for (change, words) in [
      (
        .edit(Demos.edit(.clear)),
        "there is work in #1: the same line with again at its end takes it back"
      ),
      (.edit(again), nil), (.edit(PostEdit(title: "x")), nil),
      (
        .contest(.reach(.init(100))),
        "you are at 120 already: /at 1 100 correct sets less"
      ),
      (.contest(.reach(.init(100, isCorrection: true))), nil), (.contest(.join), nil),
    ] as [(PostChange, String?)] {
      #expect(advice(change, work) == words)
    }
    #expect(advice(.edit(Demos.edit(.clear)), Demos.race().situation) == nil)
  }

  @Test("A script is told which step was claimed or given back")
  func notes() {
    for change in [ContestChange.claim(Demo.salt), .release(Demo.salt)] {
      let request = Request.command(command(.contest(change)), key: CommandKey("k")!)
      let note = ChangeNote.of(
        request, CommandResult(changed: true), [:], in: Demos.race().situation)
      #expect(note == [ChangeNote(id: "\(Demos.milk)", step: "\(Demo.salt)")])
    }
  }
}
