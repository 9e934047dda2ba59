import Client
import Domain
import Testing

@testable import WhattodoTerminal

@Suite("DESIGN §8: the progress of others, as the terminal sums it up") struct ProgressLinesTests {
  private let milk = Demo.post(1, "").id
  private let bread = Demo.post(2, "").id
  private let group = StreamID.group(Demo.home)

  /// The lines for what happened while nobody looked.
  private func summary(
    of news: [(by: UserID, op: Op)], in stream: StreamID = .category(Demo.groceries),
    _ start: Situation = Demo.situation()
  ) -> [String] {
    var situation = start
    let applied = news.map { Demo.applied($0.op, by: $0.by, in: stream, &situation) }
    // Each line begins with the time.
    return EventLines(situation: situation).summary(applied).map {
      $0.plain.split(separator: " ", maxSplits: 1).last.map(String.init) ?? ""
    }
  }

  private func completed(_ number: Int) -> Notification {
    Notification(
      kind: .completed, stream: .category(Demo.groceries), seq: Int64(number), opIndex: 0,
      at: Demo.start, by: Demo.editor, about: .category(Demo.groceries), post: milk)
  }

  @Test("A burst is one line, which counts each post once")
  func bursts() {
    let lines = EventLines(situation: Demo.situation())
    let posts = (1...6).map { number in
      Notification(
        kind: .completed, stream: .category(Demo.groceries), seq: Int64(number), opIndex: 0,
        at: Demo.start, by: Demo.editor, about: .category(Demo.groceries),
        post: Demo.post(number, "").id)
    }
    let many = NotificationFold.fold(posts)
    #expect(
      many.map { lines.notificationLine($0, verbose: true).plain }
        == ["@editor ✔ 6 posts in #groceries"])
    let same = NotificationFold.fold([completed(1), completed(2)])
    #expect(
      same.map { lines.notificationLine($0, verbose: true).plain }
        == ["@editor ✔ milk in #groceries"])
  }

  @Test("The steps of a post are one line with how many are done by now")
  func steps() {
    let finish = StepFinish(at: Demo.start, by: Demo.editor)
    let done = Op.step(bread, version: 3, .completed([Demo.salt], finish))
    let open = Op.step(bread, version: 3, .reopened(Demo.salt))
    let situation = Demo.withSteps(Demo.situation())
    let line = "@editor ✔ steps of bread in #groceries (2/2 done)"
    #expect(
      summary(of: [(Demo.editor, done), (Demo.editor, open), (Demo.editor, done)], situation)
        == [line])
    #expect(summary(of: [(Demo.author, done)], situation) == [], "one's own are no news")
    let none = Op.step(bread, version: 4, .set([Step(id: Demo.salt, content: "salt")]))
    #expect(
      summary(of: [(Demo.editor, done), (Demo.author, none)], situation)
        == ["@editor ✔ steps of bread in #groceries"], "none is done by now")
  }

  @Test("The parts of a post are one line with those who completed them")
  func parts() {
    let each = Op.post(.edited(milk, version: 2, PostEdit(mode: .set(.each))))
    let part = Op.post(.marked(milk, version: 3, .partCompleted(Demo.editor)))
    #expect(
      summary(of: [(Demo.editor, each), (Demo.editor, part)])
        == ["@editor ✔ own part of milk in #groceries (1/2)"])
    let people = (1...5).map { UserID(UUID(high: 9, low: $0)) }
    let all = people.map { ($0, Op.post(.marked(milk, version: 3, .partCompleted($0)))) }
    for (count, names) in [
      (2, "somebody and somebody"), (3, "somebody, somebody and 1 other"),
      (5, "somebody, somebody and 3 others"),
    ] {
      let lines = summary(of: all.prefix(count).map { (by: $0.0, op: $0.1) })
      #expect(lines == ["\(names) ✔ own parts of milk in #groceries"])
    }
  }

  @Test("People who are on a post, or not any more, are told of")
  func claims() {
    let taken = Op.claim(milk, .taken(Demo.editor, until: Demo.start, version: 2))
    #expect(
      summary(of: [(Demo.editor, taken), (Demo.editor, taken)])
        == ["@editor ▸ on it: milk in #groceries"])
    #expect(
      summary(of: [(Demo.editor, .claim(milk, .released(version: 3)))])
        == ["@editor ◂ nobody is on it any more: milk in #groceries"])
  }

  @Test("A list that is new in a group, and people who left it, are told of")
  func groups() {
    let lists = [Demo.groceries, Demo.bigShop].map {
      (by: Demo.editor, op: Op.group(.categoryAdded($0)))
    }
    #expect(summary(of: [lists[0]], in: group) == ["@editor + new list #groceries"])
    #expect(summary(of: lists, in: group) == ["@editor → made 2 lists"])
    #expect(
      summary(of: [(Demo.author, .member(.removed(Demo.editor, .left)))], in: group) == [])
    let gone = summary(of: [(Demo.editor, .member(.removed(Demo.editor, .left)))], in: group)
    #expect(gone == ["@editor left home"])
    let other = UserID(UUID(high: 9, low: 1))
    let taken = summary(
      of: [Demo.editor, other].map { (other, .member(.removed($0, .removed))) }, in: group)
    #expect(taken == ["somebody ✘ took @editor out of home", "somebody left home"])
  }
}
