import Client
import Domain
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("terminal: who is there, and what they did")
struct WhoTests {
  private static let groceries = StreamID.category(Demo.groceries)
  private static let day = Day("2026-11-22")!

  private static func id(_ number: UInt64) -> UserID { UserID(UUID(high: 1, low: number)) }

  private func member(
    _ number: UInt64, _ username: String, _ role: Role?, bot: Bool = false
  ) -> MemberLine {
    // The counts of `member.list` are of posts as they stand, and must not be shown.
    MemberLine(
      id: Self.id(number), username: username, name: username, kind: bot ? .bot : .person,
      role: role, added: 77, completed: 88, joinedSeq: 1)
  }

  private var members: [MemberLine] {
    [
      member(2, "editor", .editor), member(1, "author", .owner), member(3, "member", nil),
      member(4, "robot", .doer, bot: true), member(5, "viewer", .viewer),
    ]
  }

  private func result(_ people: [(UInt64, String, Int, Int)], more: Bool = false) -> StatsResult {
    StatsResult(
      stream: Self.groceries, from: Self.day.adding(days: -6), to: Self.day, zone: "UTC",
      added: 25, completed: 8,
      people: people.map {
        StatsPerson(
          username: $0.1, score: PersonScore(user: Self.id($0.0), added: $0.2, completed: $0.3))
      }, more: more)
  }

  private var counted: StatsResult {
    result([(2, "editor", 0, 3), (3, "member", 1, 3), (1, "author", 12, 2)])
  }

  private func lines(_ result: StatsResult, _ situation: Situation) throws -> [String] {
    let report = Report.who(try situation.place(nil), .week, members)
    return AnswerLines.lines(report, .stats(result), situation, chat: true).map(\.plain)
  }

  @Test("A line for each who is there or has left has the counts of the score, and a bot has none")
  func rows() throws {
    #expect(
      try lines(counted, Demo.situation()) == [
        "#groceries, 7 days: 8 done, 25 added", "@author  owner     2 done  12 added  (you)",
        "@editor  editor    3 done", "@robot   doer      (bot)", "@viewer  viewer    0 done",
        "@member  left      3 done  1 added",
      ])
  }

  @Test("The score and the people have the same heading and the same words about each person")
  func agreement() throws {
    let situation = Demo.situation()
    let place = try situation.place(nil)
    let score = AnswerLines.lines(
      .stats(place, .week, .score), .stats(counted), situation, chat: true
    ).map(\.plain)
    let who = try lines(counted, situation)
    #expect(score[0] == who[0])
    for (name, counts) in [
      ("@editor", "3 done"), ("@author", "2 done  12 added"), ("@member", "3 done  1 added"),
    ] {
      for lines in [score, who] {
        #expect(lines.contains { $0.contains(name) && $0.contains(counts) }, "\(name): \(lines)")
      }
    }
  }

  @Test("An answer that may lack somebody's row says nothing of them, and one that was cut says so")
  func long() throws {
    let many = (0..<UInt64(StatsResult.peopleMax)).map { (100 + $0, "p\($0)", 0, 1) }
    let told = try lines(result(many, more: true), Demo.situation())
    #expect(told[2] == "@editor  editor  ")
    #expect(told.last == "there was too much to look through all of it")
  }

  @Test("Over a long time it is not told how much was added")
  func year() throws {
    let result = StatsResult(
      stream: Self.groceries, from: Self.day.adding(days: -364), to: Self.day, zone: "UTC",
      added: nil, completed: 3,
      people: [
        StatsPerson(
          username: "editor", score: PersonScore(user: Self.id(2), added: nil, completed: 3))
      ])
    let situation = Demo.situation()
    let report = Report.who(try situation.place(nil), .year, members)
    let told = AnswerLines.lines(report, .stats(result), situation, chat: true).map(\.plain)
    #expect(told[0] == "#groceries, 365 days: 3 done")
    #expect(told[1] == "@author  owner     0 done  (you)")
    #expect(!JSONOutput.answers([(report, .stats(result))]).contains("added"))
  }

  @Test("Whoever looks at the list now is marked, but for oneself")
  func here() throws {
    var situation = Demo.situation()
    let topic = EphemeralTopic(stream: Self.groceries, kind: .presence)
    situation.ephemerals[topic] = EphemeralSet(
      stream: Self.groceries, kind: .presence, count: 2,
      entries: [Demo.author, Demo.editor].map { EphemeralEntry(user: $0) })
    let told = try lines(counted, situation)
    #expect(told[1].hasSuffix("  (you)") && told[2] == "@editor  editor    3 done  here now")
    #expect(told.count { $0.hasSuffix("here now") } == 1)
  }

  @Test("A script is told the counts of the score, and none of a bot")
  func json() throws {
    let report = Report.who(try Demo.situation().place(nil), .week, members)
    let text = JSONOutput.answers([(report, .stats(counted))])
    func person(_ name: String, _ rest: String) -> String {
      #"username":"\#(name)","name":"\#(name)",\#(rest)"#
    }
    #expect(text.hasPrefix(#"{"ok":true,"from":"2026-11-16","to":"2026-11-22","members":[{"id":"#))
    for told in [
      person("editor", #""role":"editor","added":0,"completed":3},"#),
      person("robot", #""bot":true,"role":"doer"},"#),
      person("member", #""added":1,"completed":3},"#),
      person("viewer", #""role":"viewer","added":0,"completed":0}"#),
    ] { #expect(text.contains(told), "\(told)") }
  }

  @Test("The people are asked for, and then what they did on the days of the score")
  func asked() throws {
    var situation = Demo.situation()
    situation.clock = Clock(zone: "UTC", now: Self.day.startUTC)
    for (line, score) in [
      ("who", "score"), ("who home month", "score home month"),
      ("who #big-shop today", "score #big-shop today"),
    ] {
      let first = try request(line, situation)
      guard case .query(.members(let stream)) = first.request,
        case .members(let place, _) = first.report
      else {
        Issue.record("\(line) does not ask for the members")
        return
      }
      #expect(stream == place.stream)
      let planner = Planner(situation: situation)
      let more = try #require(try planner.followUp(first.report, .members(members)))
      #expect(more.map(\.request) == [try request(score, situation).request])
      guard case .who(place, _, members)? = more.first?.report else {
        Issue.record("\(line) does not tell the members")
        return
      }
    }
  }

  private func request(_ line: String, _ situation: Situation) throws -> PlannedRequest {
    guard case .action(let action) = Input(command: line),
      case .send(let requests) = try Planner(situation: situation).plan(action)
    else { throw Problem("nothing is sent") }
    return try #require(requests.first)
  }
}
