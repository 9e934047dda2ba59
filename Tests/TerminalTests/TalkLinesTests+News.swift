import Domain
import Screen
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

// The number of comments on a post, and the news of talk.
extension TalkLinesTests {
  private func counted(_ count: Int, _ world: Situation) -> Situation {
    var world = world
    let comments = Comments(on: milk.id, count: count, last: Self.minutes(2, 60), seq: 57)
    let objects = world.streams[list].map { Array($0.objects.values) } ?? []
    world.streams[list] = StreamState(stream: list, objects: objects + [.comments(comments)])
    return world
  }

  @Test("A post says how many comments it has, and when the last one was said")
  func counts() throws {
    let world = counted(3, world(said))
    let place = try world.list(nil)
    let state = try #require(world.streams[list])
    #expect(
      ListLines.row(milk, of: place, in: state, world)[0].plain.hasSuffix("milk  💬 3"))
    #expect(
      ListLines.post(milk, of: place, world).last?.plain
        == "        3 comments, the last one at 01:00: /talk 1")
    let one = counted(1, self.world(said))
    #expect(
      ListLines.post(milk, of: place, one).last?.plain
        == "        1 comment, at 01:00: /talk 1")
    let bread = ListLines.post(Demo.post(2, "bread"), of: place, world)
    #expect(!bread.map(\.plain).joined().contains("comment"))
    // The copy holds two of the three.
    #expect(try shown("talk 1", world).first == "… 1 older: /talk #groceries 1 older")
    #expect(
      try shown("talk 1", counted(2, self.world([said[2]])))
        == ["… 2 older: /talk #groceries 1 older"])
    #expect(
      JSONOutput.view(.post(milk, place), world)
        .contains(#""comments":{"count":3,"last":176400000}"#))
  }

  private func news(
    _ kind: Domain.Notification.Kind, _ lines: [(Int64, UserID)], post: PostID? = nil,
    sign: String? = nil, verbose: Bool = true
  ) -> [String] {
    let all = lines.map { line, user in
      Notification(
        kind: kind, stream: list, seq: line, opIndex: 0, at: Demo.start, by: user, about: list,
        post: post, sign: sign, line: line)
    }
    let teller = EventLines(situation: world(said))
    return NotificationFold.fold(all).map {
      teller.notificationLine($0, verbose: verbose).plain
    }
  }

  @Test("News of talk tell who said it to whom, with its words where the copy has them")
  func talkNews() {
    let (editor, author) = (Demo.editor, Demo.author)
    #expect(
      news(.mentioned, [(57, editor)]) == ["@editor mentioned you: thanks! (in #groceries)"])
    #expect(
      news(.mentioned, [(7, editor), (57, editor)], verbose: false)
        == ["@editor mentioned you 2 times: thanks!"])
    #expect(
      news(.answered, [(3, editor)]) == ["@editor answered you (in #groceries)"])
    #expect(
      news(.commented, [(7, editor)], post: milk.id)
        == ["@editor on milk: which milk? (in #groceries)"])
    #expect(
      news(.commented, [(7, editor), (21, author)], post: milk.id, verbose: false)
        == ["2 comments on milk (@editor, you)"])
    #expect(news(.said, [(57, editor)]) == ["@editor: thanks! (in #groceries)"])
    #expect(
      news(.said, [(7, editor), (57, editor)]) == ["2 lines of @editor in #groceries"])
    #expect(
      news(.reacted, [(57, editor)], sign: "👍") == ["@editor 👍 \"thanks!\" in #groceries"])
    #expect(
      news(.reacted, [(3, editor)], sign: "👍") == ["@editor 👍 what you said in #groceries"])
  }

  @Test("A line that is meant for oneself says so when one looks at another list")
  func forMe() {
    let (open, closed) = (Demo.situation(), Demo.situation(open: Demo.bigShop))
    let mention = LineOp.said(
      SaidLine(line: 20, text: "hi @author", mentions: [Mention(Demo.author, at: 3, length: 7)]))
    #expect(
      told(mention, by: Demo.editor, closed)
        == ["@editor mentions you: hi @author (in #groceries)"])
    #expect(told(mention, by: Demo.editor, open) == ["@editor: hi @author"])
    let answer = LineOp.said(
      SaidLine(line: 20, text: "yes", post: milk.id, answers: 7, to: Demo.author))
    #expect(
      told(answer, by: Demo.editor, closed)
        == ["@editor answers you (7) on #1 milk: yes (in #groceries)"])
    #expect(told(answer, by: Demo.editor, open) == ["@editor answers 7 on #1 milk: yes"])
    #expect(
      told(answer, by: Demo.author, closed) == ["you answer 7 on #1 milk: yes (in #groceries)"])
  }

  @Test("A quiet list tells the lines that are meant for one, and no others")
  func quiet() {
    var situation = Demo.situation(open: Demo.bigShop)
    let choice = LevelChoice(about: list, level: .directed)
    var edit = SettingsEdit()
    edit.levels = [.choose(choice)]
    let own = StreamID.user(Demo.author)
    _ = Demo.applied(.personal(.settings(edit)), by: Demo.author, in: own, &situation)
    let me = [Mention(Demo.author, at: 0, length: 7)]
    // The author of the list has added milk, and the editor the bread.
    let rows: [(SaidLine, Bool)] = [
      (SaidLine(line: 20, text: "hi all"), false),
      (SaidLine(line: 20, text: "@author hi", mentions: me), true),
      (SaidLine(line: 20, text: "yes", answers: 7, to: Demo.author), true),
      (SaidLine(line: 20, text: "which?", post: milk.id), true),
      (SaidLine(line: 20, text: "which?", post: Demo.post(2, "").id), false),
    ]
    for (line, isTold) in rows {
      var now = situation
      let applied = Demo.applied(.line(.said(line)), by: Demo.editor, in: list, &now)
      #expect((now.shown(applied, in: list) != nil) == isTold, "\(line)")
    }
  }
}
