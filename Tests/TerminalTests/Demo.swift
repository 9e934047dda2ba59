import Client
import Domain
import QuickAdd
import Screen
import Sync
import Wire

@testable import WhattodoTerminal

/// Author's view of two lists and a group: what the tests of planning and of lines look at.
struct Demo {
  static let author = UserID(UUID(high: 1, low: 1))
  static let editor = UserID(UUID(high: 1, low: 2))
  static let groceries = CategoryID(UUID(high: 2, low: 1))
  static let bigShop = CategoryID(UUID(high: 2, low: 2))
  static let home = GroupID(UUID(high: 3, low: 1))
  static let start = Timestamp(milliseconds: 0)
  static let urgent = Domain.Tag(id: TagID(UUID(high: 6, low: 1)), name: "urgent", color: .red)

  static func member(_ id: UserID, _ username: String, _ role: Role?) -> Member {
    Member(
      id: id, username: username, name: username, kind: .person, grants: Grants(direct: role),
      joinedSeq: 1)
  }

  /// The JSON of the author or the editor, as scripts get it.
  static func person(_ id: UserID) -> String {
    #"{"id":"\#(id)","username":"\#(id == author ? "author" : "editor")"}"#
  }

  static func post(_ number: Int, _ title: String, done: Bool = false, notes: String = "") -> Post {
    Post(
      id: PostID(UUID(high: 4, low: UInt64(number))), number: number, title: title, notes: notes,
      addedBy: number == 1 ? author : editor, createdAt: start, updatedAt: start, version: 1,
      completed: done ? Completion(at: start, by: editor, seq: 9) : nil)
  }

  /// Post 2 with the steps flour and salt, of which editor has finished the first.
  static func withSteps(_ situation: Situation) -> Situation {
    var situation = situation
    for op: StepOp in [
      .added(Step(id: flour, content: "flour")), .added(Step(id: salt, content: "salt")),
      .completed([flour], StepFinish(at: start, by: editor)),
    ] { _ = applied(.step(post(2, "").id, version: 2, op), by: editor, &situation) }
    return situation
  }

  static let flour = StepID(UUID(high: 6, low: 1))
  static let salt = StepID(UUID(high: 6, low: 2))

  static func category(_ id: CategoryID, _ name: String, group: GroupID? = nil) -> Category {
    Category(
      id: id, name: name, group: group, added: Stamp(at: start, by: author), lastPost: 3,
      counters: Counters(open: 2, done: 1))
  }

  static func invitation(_ number: UInt64, to name: String) -> Invitation {
    Invitation(
      id: InvitationID(UUID(high: 5, low: number)), stream: .group(GroupID(UUID(high: 3, low: 9))),
      streamName: name, user: author, username: "author", role: .editor,
      sent: Stamp(at: Timestamp(milliseconds: Int64(number)), by: editor), senderUsername: "editor")
  }

  static func situation(open: CategoryID? = groceries, invitations: Int = 0) -> Situation {
    var situation = Situation()
    situation.me = author
    situation.open = open
    let people: [Object] = [
      .member(member(author, "author", .owner)), .member(member(editor, "editor", .editor)),
    ]
    let posts: [Object] = [
      .post(post(1, "milk")), .post(post(2, "bread", notes: "rye\nor oat")),
      .post(post(3, "tea", done: true)),
    ]
    let states = [
      StreamState(
        stream: .category(groceries),
        objects: [.category(category(groceries, "groceries", group: home)), .tag(urgent)] + people
          + posts),
      StreamState(
        stream: .category(bigShop), objects: [.category(category(bigShop, "Big Shop"))] + people),
      StreamState(
        stream: .group(home),
        objects: [.group(Group(id: home, name: "home", added: Stamp(at: start, by: author)))]
          + people
      ),
      StreamState(
        stream: .user(author),
        objects: (0..<invitations).map { .invitation(invitation(UInt64($0), to: "place \($0)")) }),
    ]
    for state in states { situation.streams[state.stream] = state }
    return situation
  }

  /// An event of groceries, applied; what the chat is told of it.
  static func applied(
    _ op: Op, by user: UserID?, in stream: StreamID = .category(groceries),
    _ situation: inout Situation
  ) -> AppliedEvent {
    applied([op], by: user, in: stream, &situation)
  }

  /// The same with several ops.
  static func applied(
    _ ops: [Op], by user: UserID?, in stream: StreamID = .category(groceries),
    _ situation: inout Situation
  ) -> AppliedEvent {
    let event = Event(
      seq: 20, transaction: TransactionID(UUID(high: 7, low: 1)), at: start, by: user, key: nil,
      ops: ops)
    let changes = situation.streams[stream]?.apply(event) ?? []
    let viewer = Viewer(user: author, joinedSeq: 1)
    return AppliedEvent(
      event: event, changes: changes, notifications: notify(event, in: stream, viewer: viewer))
  }
}

extension Demo {
  /// The answer of the server about what happened, the newest first. The first post has another title now.
  static func page(_ events: [Event], before: Int64? = nil) -> HistoryPage {
    HistoryPage(
      lines: events.map { HistoryPage.Line(seq: $0.seq, body: EventCodec.encode($0)) },
      people: [HistoryPage.Person(id: editor, username: "editor", name: "editor")],
      posts: [HistoryPage.Subject(id: post(1, "").id, number: 1, title: "oat milk")],
      before: before)
  }

  /// Returns what the chat says of such an answer to this line.
  static func told(
    _ line: String, _ events: [Event], before: Int64? = nil, _ situation: Situation
  ) throws -> [String] {
    guard case .action(let action) = Input(command: line),
      case .send(let requests) = try Planner(situation: situation).plan(action),
      let report = requests.first?.report
    else { throw Problem("nothing is asked") }
    let answer = ReplicaAnswer.history(.events(page(events, before: before)))
    return AnswerLines.lines(report, answer, situation, chat: true).map(\.plain)
  }
}

// As somebody says it whose profile names no language.

extension DueWish {
  func due(today: Day, now: Int, zone: String) -> Due? {
    due(today: today, now: now, zone: zone, languages: Language.tables(for: ""))
  }
}

extension RepeatWish {
  func repetition(today: Day) -> Repetition? {
    repetition(today: today, languages: Language.tables(for: ""))
  }
}
