import Domain
import Screen
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("search, as the terminal means and tells it")
struct FoundLinesTests {
  private func found(
    _ title: String, done: Bool = false, notes: String = "", steps: [String] = [],
    _ words: String
  ) throws -> FoundLine {
    let query = try #require(SearchQuery(words))
    var post = Demo.post(3, title, done: done, notes: notes)
    post.steps = steps.enumerated().map { index, content in
      Step(id: StepID(UUID(high: 6, low: UInt64(index))), content: content)
    }
    return FoundLine(post, in: Demo.groceries, query.words)
  }

  @Test("the list, the number, the title with the words, and the row of the notes that has one")
  func lines() throws {
    let lines = FoundLines.lines(
      SearchResult(
        found: [
          try found("oat milk, Milk", notes: "no\nmilky way\nmilk", "mil"),
          try found("tea", done: true, "te"), try found("list", steps: ["no", "oat milk"], "milk"),
        ], after: nil, omitted: 0), Demo.situation())
    #expect(
      lines.map(\.plain) == [
        "#groceries #3  oat milk, Milk  milky way", "#groceries #3  ✔ tea",
        "#groceries #3  list  ☐ oat milk",
      ])
    let strong = lines[0].runs.filter { $0.style == .strong }.map(\.text)
    #expect(strong == ["mil", "Mil"])
  }

  @Test("letters that run from right to left stay together")
  func rightToLeft() throws {
    let line = try #require(
      FoundLines.lines(
        SearchResult(found: [try found("חלב שיבולת", "שיבולת")], after: nil, omitted: 0),
        Demo.situation()
      ).first)
    #expect(line.runs.filter(\.isIsolated).map(\.text) == ["חלב שיבולת"])
  }

  @Test("The terminal tells what is left out")
  func left() {
    let nothing = SearchResult(found: [], after: nil, omitted: 0)
    #expect(FoundLines.lines(nothing, Demo.situation()).map(\.plain) == ["nothing is found"])
    let more = SearchResult(found: [], after: "x", omitted: 2)
    #expect(
      FoundLines.lines(more, Demo.situation()).map(\.plain) == [
        "nothing is found", "… there is more; more words find less",
        "not looked through: 2 of your lists",
      ])
  }

  @Test("all lists are meant, or the one that is named")
  func plan() throws {
    let planner = Planner(situation: Demo.situation())
    for (list, expected) in [
      (nil, nil), (Reference("#big-shop"), [Demo.bigShop]),
    ] as [(Reference?, [CategoryID]?)] {
      guard case .send(let requests) = try planner.plan(.ask(.find("oat milk", in: list))),
        case .query(.search(let query))? = requests.first?.request
      else {
        Issue.record("nothing is asked")
        return
      }
      #expect(query.text == "oat milk" && query.categories == expected)
      #expect(requests.first?.report == .found)
    }
    #expect(throws: Problem("there is no word in that")) {
      try planner.plan(.ask(.find("+", in: nil)))
    }
    #expect(throws: Problem.self) {
      try planner.plan(.ask(.find("milk", in: Reference("#nowhere"))))
    }
  }
}
