import Client
import Domain
import Testing

@testable import WhattodoTerminal

@Suite("protocol §5.19: signs for what was done, on the screen") struct ReactionLinesTests {
  private let list = StreamID.category(Demo.groceries)
  private let tea = Demo.post(3, "tea", done: true)

  private func reaction(_ sign: String?, to user: UserID = Demo.author) -> Op {
    let work = CompletedWork(post: tea.id, by: user)
    return .reaction(.reacted(event: tea.completed?.seq ?? 0, work, sign: sign))
  }

  @Test("A completed post has its signs, and who gave them stands below it")
  func posts() throws {
    var situation = Demo.situation()
    _ = Demo.applied(reaction("👏"), by: Demo.editor, in: list, &situation)
    _ = Demo.applied(reaction("👏"), by: Demo.author, in: list, &situation)
    let category = try #require(situation.streams[list]?.category)
    let lines = ListLines.post(tea, of: category, situation).map(\.plain)
    #expect(lines.first?.hasSuffix("👏2") == true)
    #expect(lines.last == "        👏 @editor, you")
    _ = Demo.applied(reaction("🎉"), by: Demo.editor, in: list, &situation)
    #expect(ListLines.post(tea, of: category, situation).first?.plain.hasSuffix("👏 🎉") == true)
  }

  @Test("A sign is a line for whom it is for and for who gives it, and later for all")
  func events() {
    var situation = Demo.situation()
    func lines(_ op: Op, by user: UserID, isPast: Bool = false) -> [String] {
      let applied = Demo.applied(op, by: user, in: list, &situation)
      return EventLines(situation: situation, past: isPast ? [] : nil).lines(applied, in: list)
        .map(\.plain)
    }
    #expect(lines(reaction("👏"), by: Demo.editor) == ["@editor 👏 tea (in #groceries)"])
    #expect(lines(reaction("👏", to: Demo.editor), by: Demo.author) == ["👏 tea (in #groceries)"])
    #expect(lines(reaction("👏", to: Demo.editor), by: Demo.editor) == [])
    #expect(
      lines(reaction("👏", to: Demo.editor), by: Demo.editor, isPast: true)
        == ["@editor 👏 tea (in #groceries)"])
    #expect(lines(reaction(nil), by: Demo.editor) == [])
  }

  @Test("The signs for one post are one line of the news")
  func news() {
    let fold = NotificationFold.fold(
      ["👏", "🎉"].enumerated().map { index, sign in
        Notification(
          kind: .reacted, stream: list, seq: Int64(index), opIndex: 0, at: Demo.start,
          by: index == 0 ? Demo.editor : UserID(UUID(high: 1, low: 9)), about: list, post: tea.id,
          sign: sign)
      })
    let lines = EventLines(situation: Demo.situation())
    #expect(
      fold.map { lines.notificationLine($0, verbose: true).plain }
        == ["@editor and somebody 👏 🎉 tea in #groceries"])
  }
}
