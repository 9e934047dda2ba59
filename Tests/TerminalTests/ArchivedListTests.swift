import Domain
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("archived lists: read, left and removed by their names")
struct ArchivedListTests {
  private static let groceries = Reference("#groceries")

  /// Groceries is archived, and no list is open.
  private func situation() -> Situation {
    var situation = Demo.situation(open: nil)
    archive(Demo.groceries, at: 5, &situation)
    return situation
  }

  private func archive(_ list: CategoryID, at time: Int64, _ situation: inout Situation) {
    let stamp = Stamp(at: Timestamp(milliseconds: time), by: Demo.author)
    _ = Demo.applied(
      .category(.archived(stamp)), by: Demo.author, in: .category(list), &situation)
  }

  /// Another one of that name.
  private func add(_ number: UInt64, _ name: String, _ situation: inout Situation) -> CategoryID {
    let id = CategoryID(UUID(high: 2, low: number))
    situation.streams[.category(id)] = StreamState(
      stream: .category(id), objects: [.category(Demo.category(id, name))])
    return id
  }

  private func request(_ action: Action, _ situation: Situation) throws -> Request {
    guard case .send(let requests) = try Planner(situation: situation).plan(action),
      let planned = requests.first
    else { throw Problem("it is no request") }
    return planned.request
  }

  private static let stream = StreamID.category(Demo.groceries)

  static let rows: [(Action, Command)] = [
    (.people(.leave(groceries)), .member(.leave(stream))),
    (
      .people(.leave(groceries, successor: "editor")),
      .member(.leave(stream, successor: Demo.editor))
    ),
    (.people(.remove("editor", from: groceries)), .member(.remove(stream, Demo.editor))),
    (
      .people(.setRole("editor", .viewer, in: groceries)),
      .member(.setRole(stream, Demo.editor, .viewer))
    ),
    (.list(.remove(groceries)), .category(.remove(Demo.groceries))),
    (.list(.unarchive(groceries)), .category(.unarchive(Demo.groceries))),
    // Refused, with words that say why.
    (
      .post(.complete(groceries, [1])),
      .completePost(Demo.groceries, Demo.post(1, "").id, ifVersion: nil)
    ),
  ]

  @Test("its people come and go", arguments: rows)
  func changes(action: Action, command: Command) throws {
    guard case .command(let made, key: _, base: _) = try request(action, situation()) else {
      Issue.record("\(action) is no change")
      return
    }
    #expect(made == command)
  }

  @Test("somebody is invited to it")
  func invite() throws {
    guard
      case .command(.invitation(.send(_, let stream, let name, _)), key: _, base: _) = try request(
        .people(.invite("bo", .editor, to: Reference("groceries"))), situation())
    else {
      Issue.record("nobody is invited")
      return
    }
    #expect(stream == Self.stream)
    #expect(name == "bo")
  }

  static let asked: [Action] = [
    .ask(.who(groceries, .week)), .ask(.history(groceries, nil)), .ask(.history(groceries, 1)),
    .ask(.find("milk", in: groceries)),
    .undo(groceries), .redo(groceries), .people(.code(.list(groceries))),
    .people(.code(.revoke(1, from: groceries))),
  ]

  @Test("it is read", arguments: asked)
  func questions(action: Action) throws {
    guard case .query = try request(action, situation()) else {
      Issue.record("\(action) asks nothing")
      return
    }
  }

  @Test("it is opened as one looks at any other")
  func open() throws {
    guard
      case .open(let list) = try Planner(situation: situation()).plan(.list(.open(Self.groceries)))
    else {
      Issue.record("it is not opened")
      return
    }
    #expect(list.id == Demo.groceries)
  }

  @Test("its whole name means it, and not a list whose name only begins so")
  func wholeName() throws {
    var situation = situation()
    let longer = add(8, "groceries 2", &situation)
    #expect(try situation.catalog.list(Self.groceries).id == Demo.groceries)
    #expect(try situation.catalog.place(Reference("groceries")).label == "#groceries")
    #expect(try situation.catalog.list(Reference("#groc")).id == longer)
    let again = add(9, "Groceries", &situation)
    #expect(try situation.catalog.list(Self.groceries).id == again)
  }

  @Test("a group of the same name is meant without the #")
  func group() throws {
    var situation = situation()
    archive(add(8, "home", &situation), at: 6, &situation)
    #expect(try situation.catalog.place(Reference("home")).label == "home")
    #expect(try situation.catalog.place(Reference("#home")).label == "#home")
  }

  @Test("The one put away last is opened first of several that are called so")
  func newest() throws {
    var situation = situation()
    for (number, time) in [(UInt64(8), Int64(9)), (9, 7)] {
      archive(add(number, "Groceries", &situation), at: time, &situation)
    }
    var opened: [UInt64] = []
    for _ in 0..<3 {
      let list = try situation.catalog.archivedList(Self.groceries)
      opened.append(list.id.uuid.low)
      _ = Demo.applied(
        .category(.unarchived), by: Demo.author, in: .category(list.id), &situation)
    }
    #expect(opened == [8, 9, 1])
    #expect(throws: Problem.self) { try situation.catalog.archivedList(Self.groceries) }
  }

  @Test("a plain line does not go there")
  func plainLine() throws {
    var situation = situation()
    situation.open = Demo.bigShop
    let requests = try Planner(situation: situation).quickAdd("eggs #groceries")
    guard case .addedQuickly(let it) = requests.first?.report else {
      Issue.record("no post is added")
      return
    }
    #expect(it.list.id == Demo.bigShop)
    #expect(it.reading.title == "eggs #groceries")
  }

  @Test("a filter of archived lists says so")
  func filter() throws {
    var situation = situation()
    let filter = Filter(
      id: FilterID(UUID(high: 9, low: 1)), name: "both", PostWhere(),
      in: [Demo.groceries, Demo.bigShop], sort: .due)
    let own = StreamID.user(Demo.author)
    _ = Demo.applied(.filter(.saved(filter)), by: Demo.author, in: own, &situation)
    guard case .query(.view(let query)) = try request(.filter(.show("both")), situation) else {
      Issue.record("it asks for no view")
      return
    }
    #expect(query.categories == [Demo.bigShop])
    archive(Demo.bigShop, at: 8, &situation)
    #expect(throws: Problem("its lists are archived: /unarchive #LIST opens them again")) {
      try request(.filter(.show("both")), situation)
    }
  }

  @Test("a tag's posts in it are not looked for where there are none to find")
  func tagged() throws {
    #expect(throws: Problem("#groceries is archived: /unarchive #groceries opens it again")) {
      try request(.ask(.view(.tagged(Self.groceries, "urgent"))), situation())
    }
  }
}
