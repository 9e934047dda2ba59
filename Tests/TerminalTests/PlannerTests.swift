import Domain
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("references: #name, name, number of /lists")
struct CatalogTests {
  static let found: [(String, String)] = [
    ("#groceries", "#groceries"), ("groceries", "#groceries"), ("GROCERIES", "#groceries"),
    ("gro", "#groceries"), ("big-shop", "#Big-Shop"), ("Big Shop", "#Big-Shop"), ("1", "#Big-Shop"),
    ("2", "#groceries"), ("3", "home"), ("home", "home"), ("ho", "home"),
  ]

  @Test("a place is found by name, by a clear beginning and by number", arguments: found)
  func place(text: String, label: String) throws {
    #expect(try Demo.situation().catalog.place(Reference(text)).label == label)
  }

  @Test(
    "A command about something that is not there says so",
    arguments: ["#home", "4", "0", "x", "", "#2"])
  func missing(text: String) {
    #expect(throws: Problem.self) { try Demo.situation().catalog.place(Reference(text)) }
  }

  @Test("two of the same name want a number")
  func twice() throws {
    var situation = Demo.situation()
    let twin = CategoryID(UUID(high: 2, low: 9))
    situation.streams[.category(twin)] = StreamState(
      stream: .category(twin), objects: [.category(Demo.category(twin, "Groceries"))])
    #expect(throws: Problem.self) { try situation.catalog.list(Reference("#groceries")) }
    #expect(try situation.catalog.list(Reference("3")).id == twin)
  }

  @Test("a removed list is not in the catalog")
  func removed() {
    var situation = Demo.situation()
    _ = Demo.applied(
      .category(.removed(Stamp(at: Demo.start, by: Demo.editor))), by: Demo.editor, &situation)
    #expect(situation.catalog.lists.map(\.name) == ["Big Shop"])
  }
}

@Suite("planner: from actions to requests")
struct PlannerTests {
  private func commands(_ action: Action, _ situation: Situation = Demo.situation()) throws
    -> [Command]
  {
    guard case .send(let requests) = try Planner(situation: situation).plan(action) else {
      return []
    }
    return requests.compactMap {
      if case .command(let command, _, _) = $0.request { command } else { nil }
    }
  }

  @Test("posts are found by number in the open list or a named one")
  func posts() throws {
    let first = Demo.post(1, "milk").id
    #expect(
      try commands(.post(.complete(nil, [1]))) == [
        .completePost(Demo.groceries, first, ifVersion: nil)
      ])
    #expect(
      try commands(.post(.complete(Reference("#groceries"), [1, 2])), Demo.situation(open: nil))
        == [
          .batch(
            [1, 2].map {
              .completePost(Demo.groceries, Demo.post($0, "").id, ifVersion: nil)
            })
        ])
    #expect(
      try commands(.field(.title(nil, 1, "oat milk")))
        == [.editPost(Demo.groceries, first, PostEdit(title: "oat milk"), ifVersion: nil)])
    #expect(
      try commands(.post(.remove(nil, [1]))) == [
        .removePost(Demo.groceries, first, ifVersion: nil)
      ])
  }

  @Test("posts of several lists are one command, and what is refused here is all of it")
  func several() throws {
    var situation = Demo.situation()
    _ = Demo.applied(
      .post(.added(Demo.post(7, "chairs"), Counters(open: 1))), by: Demo.author,
      in: .category(Demo.bigShop), &situation)
    let done: (CategoryID, Int) -> Command = {
      .completePost($0, Demo.post($1, "").id, ifVersion: nil)
    }
    let both: [Action] = [
      .post(.complete(nil, [1, 2])), .post(.complete(Reference("#big-shop"), [7])),
    ]
    #expect(
      try commands(.together(both), situation)
        == [.batch([done(Demo.groceries, 1), done(Demo.groceries, 2), done(Demo.bigShop, 7)])])
    let lists: [Action] = [
      .list(.archive(Reference("#groceries"))), .list(.archive(Reference("#big-shop"))),
    ]
    #expect(
      try commands(.together(lists), situation)
        == [.batch([.category(.archive(Demo.groceries)), .category(.archive(Demo.bigShop))])])
    let bigShop = try situation.catalog.list(Reference("#big-shop"))
    #expect(
      throws: Problem("there is no #8 in #Big-Shop", remedy: .whereabouts(of: 8, bigShop))
    ) {
      try commands(
        .together([.post(.complete(nil, [1])), .post(.complete(Reference("#big-shop"), [8]))]),
        situation)
    }
    #expect(throws: Problem("these can only be done one by one")) {
      try commands(
        .together([.post(.restore(Reference("#groceries"), [1])), .post(.restore(nil, [2]))]))
    }
  }

  @Test("an archived list is in no menu, and is opened again by its name")
  func archive() throws {
    var situation = Demo.situation()
    let stamp = Stamp(at: Demo.start, by: Demo.editor)
    let applied = Demo.applied(.category(.archived(stamp)), by: Demo.editor, &situation)
    #expect(situation.catalog.lists.map(\.name) == ["Big Shop"])
    #expect(
      EventLines(situation: situation).lines(applied, in: .category(Demo.groceries))
        .map(\.plain) == ["@editor ✘ archived #groceries: /show #groceries shows it"])
    #expect(ListLines.archived(situation).map(\.plain).first?.contains("#groceries") == true)
    #expect(
      try commands(.list(.unarchive(Reference("#groceries"))), situation)
        == [.category(.unarchive(Demo.groceries))])
    #expect(ListLines.archived(Demo.situation()).map(\.plain).count == 1)
    let shown = try Planner(situation: situation).plan(
      .show(.posts(Reference("#groceries"), done: false)))
    guard case .show(.posts(let list, done: false)) = shown else {
      Issue.record("its posts are not shown")
      return
    }
    #expect(list.id == Demo.groceries)
  }

  @Test("A command about a post that comes again means the occurrence on the screen")
  func repeating() throws {
    var situation = Demo.situation()
    let milk = Demo.post(1, "milk").id
    let wish = try #require(RepeatWish("every week"))
    let weekly = try #require(wish.repetition(today: Day(number: 0)))
    let setting = try commands(.field(.repeating(nil, 1, wish)), situation)
    let today = Day(number: 0)
    #expect(
      setting == [
        .editPost(
          Demo.groceries, milk, PostEdit(due: .set(.day(today)), repeats: .set(weekly)),
          ifVersion: nil)
      ])
    #expect(throws: Problem.self) { try commands(.post(.skip(nil, [1])), situation) }
    let occurrence = Occurrence(number: 7, due: .day(today), start: today)
    let edit = PostEdit(due: .set(.day(today)), repeats: .set(weekly.at(occurrence)))
    _ = Demo.applied(.post(.edited(milk, version: 2, edit)), by: Demo.editor, &situation)
    #expect(
      try commands(.post(.complete(nil, [1])), situation)
        == [.changeOccurrence(Demo.groceries, milk, 7, .complete)])
    #expect(
      try commands(.post(.skip(nil, [1])), situation)
        == [.changeOccurrence(Demo.groceries, milk, 7, .skip)])
    #expect(
      try commands(.field(.repeating(nil, 1, try #require(RepeatWish("off")))), situation)
        == [.editPost(Demo.groceries, milk, PostEdit(repeats: .clear), ifVersion: nil)])
  }

  @Test("a tag that there is not is made with its first posts, all as one change")
  func tags() throws {
    let (milk, bread) = (Demo.post(1, "milk").id, Demo.post(2, "bread").id)
    let known = try commands(.mark(.tag(nil, [1, 2], ["URGENT", "urgent"])))
    #expect(
      known == [
        .batch([milk, bread].map { .post(.change(Demo.groceries, $0, .tag(Demo.urgent.id))) })
      ])
    guard case .batch(let commands) = try commands(.mark(.tag(nil, [1], ["urgent", "uni"])))[0],
      case .changeTag(Demo.groceries, let made, .add(name: "uni", color: nil)) = commands[0]
    else {
      Issue.record("no tag is made")
      return
    }
    #expect(
      commands.dropFirst() == [
        .post(.change(Demo.groceries, milk, .tag(Demo.urgent.id))),
        .post(.change(Demo.groceries, milk, .tag(made))),
      ])
  }

  @Test("a tag is taken off, renamed, colored and removed by its name")
  func knownTags() throws {
    let (list, urgent) = (Demo.groceries, Demo.urgent.id)
    let milk = Demo.post(1, "milk").id
    #expect(
      try commands(.mark(.untag(nil, [1], ["urgent"]))) == [
        .post(.change(list, milk, .untag(urgent)))
      ]
    )
    let steps: [(TagStep, TagChange)] = [
      (.rename("now"), .edit(TagEdit(name: "now"))), (.remove, .remove),
      (.color(.red), .edit(TagEdit(color: .set(.red)))),
      (.color(.blue), .edit(TagEdit(color: .clear))),
    ]
    for (step, change) in steps {
      #expect(
        try commands(.mark(.changeTag(nil, "Urgent", step))) == [.changeTag(list, urgent, change)])
    }
  }

  @Test("posts are given to people of the list")
  func assignees() throws {
    let list = Demo.groceries
    let milk = Demo.post(1, "milk").id
    #expect(
      try commands(.mark(.assign(nil, [1], ["editor"])))
        == [.post(.change(list, milk, .assign(Demo.editor)))])
    #expect(
      try commands(.mark(.unassign(nil, [1], ["author"])))
        == [.post(.change(list, milk, .unassign(Demo.author)))])
    #expect(throws: Problem.self) { try commands(.mark(.assign(nil, [1], ["nobody"]))) }
  }

  @Test("posts are claimed and given back, or the next one is")
  func claims() throws {
    let list = Demo.groceries
    let milk = Demo.post(1, "milk").id
    let hour: Int64 = 3_600_000
    let rows: [(Action, Command)] = [
      (
        .post(.claim(nil, [1], minutes: nil)),
        .post(.change(list, milk, .claim(milliseconds: hour)))
      ),
      (
        .post(.claim(nil, [1], minutes: 2)),
        .post(.change(list, milk, .claim(milliseconds: 120_000)))
      ),
      (.post(.claimNext(nil, minutes: nil)), .post(.claimNext(list, milliseconds: hour))),
      (.post(.release(nil, [1])), .post(.change(list, milk, .release))),
    ]
    for (action, command) in rows { #expect(try commands(action) == [command]) }
  }

  @Test("a sign is for the event that completed the post")
  func reactions() throws {
    let tea = Demo.post(3, "tea", done: true)
    let seq = try #require(tea.completed?.seq)
    for sign in ["👏", nil] {
      #expect(
        try commands(.post(.react(nil, 3, sign)))
          == [.react(Demo.groceries, event: seq, post: tea.id, sign: sign)])
    }
    #expect(throws: Problem.self) { try commands(.post(.react(nil, 1, "👏"))) }
  }

  @Test("a sign is for nothing that was done elsewhere, before one came, or that is not confirmed")
  func reactionsToOthers() throws {
    let list = StreamID.category(Demo.groceries)
    func refusal(_ change: (inout Situation) -> Void) -> String? {
      var situation = Demo.situation()
      change(&situation)
      do throws(Problem) {
        _ = try Planner(situation: situation).react(3, with: "👏", in: nil)
        return nil
      } catch {
        return error.sentence
      }
    }
    func put(_ object: Object, in situation: inout Situation) {
      let objects = situation.streams[list]?.objects.values.filter { $0.key != object.key } ?? []
      situation.streams[list] = StreamState(stream: list, objects: objects + [object])
    }
    #expect(refusal { _ in } == nil)
    let cameHere = refusal {
      var tea = Demo.post(3, "tea", done: true)
      tea.came = tea.completed?.seq
      put(.post(tea), in: &$0)
    }
    #expect(cameHere == "#3 tea was done in the list from which it came")
    let before = refusal {
      var category = Demo.category(Demo.groceries, "groceries")
      category.history = .joined
      put(.category(category), in: &$0)
      var me = Demo.member(Demo.author, "author", .editor)
      me.joinedSeq = 10
      put(.member(me), in: &$0)
    }
    #expect(before == "#3 tea was done before you came to #groceries")
    let pending = refusal {
      $0.pending[list] = [ObjectKey(kind: .post, id: Demo.post(3, "").id.uuid)]
    }
    #expect(pending?.contains("not confirmed") == true)
  }

  @Test("a line goes to the open list or to a place, and a comment to its post")
  func talk() throws {
    let (list, home) = (StreamID.category(Demo.groceries), StreamID.group(Demo.home))
    let milk = Demo.post(1, "").id
    let rows: [(TalkAction, LineCommand)] = [
      (.say(nil, "hi"), .say(list, text: "hi")),
      (.say(Reference("home"), "hi"), .say(home, text: "hi")),
      (
        .say(Reference("#big-shop"), "hi"), .say(.category(Demo.bigShop), text: "hi")
      ),
      (.comment(nil, 1, "which?"), .say(list, text: "which?", post: milk)),
    ]
    for (action, command) in rows { #expect(try commands(.talk(action)) == [.line(command)]) }
    #expect(
      try commands(.talk(.set(nil, .off)))
        == [.category(.edit(Demo.groceries, CategoryEdit(talk: .off)))])
    #expect(
      try commands(.talk(.set(Reference("home"), .on))) == [.group(.edit(Demo.home, talk: .on))])
    #expect(throws: Problem.self) { try commands(.talk(.comment(nil, 9, "x"))) }
    #expect(throws: Problem.self) { try commands(.together([.talk(.say(nil, "x"))])) }
    #expect(
      throws: Problem("no list is open: /open one, or name it (#list)", remedy: .list)
    ) { try commands(.talk(.say(nil, "x")), Demo.situation(open: nil)) }
  }

  @Test("more than a batch takes is not sent at all")
  func tooMany() {
    let words = (0...Limits.batchCommandsMax).map { "tag\($0)" }
    #expect(throws: Problem.self) { try commands(.mark(.tag(nil, [1], words))) }
  }

  @Test("several numbers are all looked up before anything is sent")
  func allOrNothing() {
    #expect(throws: Problem.self) { try commands(.post(.complete(nil, [1, 99]))) }
  }

  @Test("a title goes to the open list, with an id of its own")
  func add() throws {
    guard case .post(.add(let first, let new)) = try commands(.post(.add(nil, title: "tea")))[0],
      case .post(.add(let second, _)) = try commands(.post(.add(nil, title: "tea")))[0]
    else {
      Issue.record("no post is added")
      return
    }
    #expect(first.category == Demo.groceries)
    #expect(new == NewPost(title: "tea"))
    #expect(first.post != second.post)
  }

  static let refused: [(Action, String)] = [
    (.post(.add(nil, title: "x")), "no list is open: /open one, or name it (#list)"),
    (.ask(.who(nil, .week)), "no list is open: /open one, or name it (#list)"),
    (.people(.accept(nil)), "nobody has invited you"),
    (.list(.new("x", group: Reference("work"))), "no group is called work; /lists shows them"),
    (
      .mark(.untag(Reference("#groceries"), [1], ["uni"])),
      "#groceries has no tag +uni; /tags shows them"
    ),
    (.post(.complete(Reference("#groceries"), [7])), "there is no #7 in #groceries"),
    (.people(.revoke("editor", from: Reference("home"))), "@editor has no open invitation to home"),
    (.people(.setRole("member", .doer, in: Reference("home"))), "@member is not in home"),
    (.group(.restore(Reference("home"))), "no removed group is called home; /bin lists shows them"),
    (.people(.remove("member", from: Reference("home"))), "@member is not in home"),
    (
      .people(.invite("editor", .doer, to: Reference("home"))),
      "@editor is in home already: /role changes what they may do"
    ),
    (
      .people(.invite("author", .doer, to: Reference("#groceries"))),
      "you are in #groceries already"
    ),
    (.people(.reach(.unblock("member"))), "@member is not blocked; /block shows who is"),
  ]

  @Test("A sentence says what cannot be", arguments: refused)
  func problems(action: Action, sentence: String) {
    do throws(Problem) {
      _ = try Planner(situation: Demo.situation(open: nil)).plan(action)
      Issue.record("planned")
    } catch {
      #expect(error.sentence == sentence)
    }
  }

  @Test("invitations go to the open list, a list or a group")
  func invite() throws {
    guard
      case .invitation(.send(_, .category(Demo.groceries), "guest", .editor)) = try commands(
        .people(.invite("guest", .editor, to: nil)))[0],
      case .invitation(.send(_, .group(Demo.home), "guest", .owner)) = try commands(
        .people(.invite("guest", .owner, to: Reference("home"))))[0]
    else {
      Issue.record("not invited")
      return
    }
  }

  @Test("one invitation needs no number, several do")
  func accept() throws {
    #expect(
      try commands(.people(.accept(nil)), Demo.situation(invitations: 1))
        == [.invitation(.accept(Demo.invitation(0, to: "").id))])
    #expect(throws: Problem.self) {
      try commands(.people(.accept(nil)), Demo.situation(invitations: 2))
    }
    #expect(
      try commands(.people(.decline(2)), Demo.situation(invitations: 2))
        == [.invitation(.decline(Demo.invitation(1, to: "").id))])
    #expect(throws: Problem.self) {
      try commands(.people(.accept(3)), Demo.situation(invitations: 2))
    }
  }

  @Test("Posts that are in no copy are looked up first")
  func followUps() throws {
    let planner = Planner(situation: Demo.situation())
    let posts = PostsResult(posts: [Demo.post(7, "gone")], before: nil)
    let list = try planner.situation.list(nil)
    let requests = try planner.followUp(.restorePosts(list, [7]), .posts(posts))
    #expect(requests?.count == 1)
    #expect(throws: Problem.self) {
      try planner.followUp(.restorePosts(list, [8]), .posts(posts))
    }
    let purge = try planner.followUp(.purgePosts(list, [7]), .posts(posts))?.first?.request
    guard case .command(let command, key: _, base: _)? = purge else {
      Issue.record("nothing is purged")
      return
    }
    #expect(command == .erasePost(list.id, Demo.post(7, "gone").id))
    let lists = ReplicaAnswer.categories([Demo.category(Demo.bigShop, "Big Shop")])
    #expect(try planner.followUp(.restoreLists([Reference("#big-shop")]), lists)?.count == 1)
    #expect(throws: Problem.self) { try planner.followUp(.restoreLists([Reference("#x")]), lists) }
    let two = ReplicaAnswer.categories([
      Demo.category(Demo.bigShop, "Big Shop"), Demo.category(Demo.groceries, "groceries"),
    ])
    let names = [Reference("#groceries"), Reference("#big-shop")]
    let both = try planner.followUp(.restoreLists(names), two)?.first
    guard case .command(let restoring, key: _, base: _)? = both?.request else {
      Issue.record("nothing is restored")
      return
    }
    #expect(
      restoring
        == .batch([.category(.restore(Demo.groceries)), .category(.restore(Demo.bigShop))]))
    #expect(try planner.followUp(.sessions, .sessions([])) == nil)
  }
}
