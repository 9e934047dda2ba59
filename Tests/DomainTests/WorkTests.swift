import Testing

@testable import Domain

@Suite("protocol §8 `category.list`: a post is one's own work while one has something to do in it")
struct WorkTests {
  private static let me = UserID(UUID(high: 1, low: 1))
  private static let other = UserID(UUID(high: 1, low: 2))
  private static let start = Timestamp(milliseconds: 0)

  private static func member(
    _ id: UserID, _ role: Role? = .editor, kind: UserKind = .person
  ) -> Member {
    Member(
      id: id, username: "x", name: "x", kind: kind, grants: Grants(direct: role), joinedSeq: 5)
  }

  private static func post(_ change: (inout Post) -> Void) -> Post {
    var post = Post(
      id: PostID(UUID(high: 4, low: 1)), number: 1, title: "milk", notes: "", addedBy: other,
      createdAt: start, updatedAt: start, version: 1)
    change(&post)
    return post
  }

  private static func assigned(_ people: (UserID, Int64)...) -> [Assignment] {
    people.map { Assignment(user: $0.0, seq: $0.1) }
  }

  struct Row: Sendable {
    let name: String
    let isWork: Bool
    var role: Role? = .editor
    var kind = UserKind.person
    var otherLeft = false
    let change: @Sendable (inout Post) -> Void
  }

  private static func race(_ post: inout Post, isIn: Bool, seq: Int64 = 6) {
    post.mode = .each
    post.contest = .race
    post.entries = [ContestEntry(user: me, seq: seq, isIn: isIn)]
  }

  static let rows: [Row] = [
    Row(name: "a race that I have joined, of others", isWork: true) {
      $0.assignees = assigned((other, 6))
      race(&$0, isIn: true)
    },
    Row(name: "a race that I had joined before I left", isWork: false) {
      $0.assignees = assigned((other, 6))
      race(&$0, isIn: true, seq: 4)
    },
    Row(
      name: "a race that I have joined as a doer who is a viewer now", isWork: false, role: .viewer
    ) {
      race(&$0, isIn: true)
    },
    Row(name: "a race from which I have withdrawn", isWork: false) {
      $0.assignees = assigned((me, 6))
      race(&$0, isIn: false)
    },
    Row(name: "a race for all", isWork: true) {
      race(&$0, isIn: false)
      $0.entries = []
    },
    Row(name: "nobody's", isWork: false) { _ in },
    Row(name: "mine", isWork: true) { $0.assignees = assigned((me, 6)) },
    Row(name: "mine, of a viewer", isWork: true, role: .viewer) {
      $0.assignees = assigned((me, 6))
    },
    Row(name: "mine before I came in anew", isWork: false) { $0.assignees = assigned((me, 4)) },
    Row(name: "mine, and I am no member", isWork: false, role: nil) {
      $0.assignees = assigned((me, 6))
    },
    Row(name: "another's", isWork: false) { $0.assignees = assigned((other, 6)) },
    Row(name: "of us both", isWork: true) { $0.assignees = assigned((me, 6), (other, 6)) },
    Row(name: "done", isWork: false) {
      $0.assignees = assigned((me, 6))
      $0.completed = Completion(at: start, by: other, seq: 9)
    },
    Row(name: "removed", isWork: false) {
      $0.assignees = assigned((me, 6))
      $0.removed = Stamp(at: start, by: other)
    },
    Row(name: "submitted by me", isWork: false) {
      $0.assignees = assigned((me, 6))
      $0.submitted = Stamp(at: start, by: me)
    },
    Row(name: "submitted by another", isWork: true) {
      $0.assignees = assigned((me, 6))
      $0.submitted = Stamp(at: start, by: other)
    },
    Row(name: "for each", isWork: true) { $0.mode = .each },
    Row(name: "for each, my part done", isWork: false) {
      $0.mode = .each
      $0.parts = [PostPart(user: me, at: start, seq: 7)]
    },
    Row(name: "for each, my part done before I came in anew", isWork: true) {
      $0.mode = .each
      $0.parts = [PostPart(user: me, at: start, seq: 3)]
    },
    Row(name: "for each, another's part done", isWork: true) {
      $0.mode = .each
      $0.parts = [PostPart(user: other, at: start, seq: 7)]
    },
    Row(name: "for each of a viewer", isWork: false, role: .viewer) { $0.mode = .each },
    Row(name: "for each of a program", isWork: false, kind: .bot) { $0.mode = .each },
    Row(name: "for each with my role", isWork: true) {
      $0.mode = .each
      $0.modeRole = .editor
    },
    Row(name: "for each with a lower role", isWork: false) {
      $0.mode = .each
      $0.modeRole = .doer
    },
    Row(name: "for each with a higher role", isWork: false) {
      $0.mode = .each
      $0.modeRole = .owner
    },
    Row(name: "for each with my role, of a program", isWork: false, kind: .bot) {
      $0.mode = .each
      $0.modeRole = .editor
    },
    Row(name: "for each with another role, and given to me", isWork: true) {
      $0.mode = .each
      $0.modeRole = .doer
      $0.assignees = assigned((me, 6))
    },
    Row(name: "for each with my role, and given to another", isWork: false) {
      $0.mode = .each
      $0.modeRole = .editor
      $0.assignees = assigned((other, 6))
    },
    Row(name: "for each with my role, and whose it was has left", isWork: true, otherLeft: true) {
      $0.mode = .each
      $0.modeRole = .editor
      $0.assignees = assigned((other, 6))
    },
    Row(name: "for each with my role, my part done", isWork: false) {
      $0.mode = .each
      $0.modeRole = .editor
      $0.parts = [PostPart(user: me, at: start, seq: 7)]
    },
    Row(name: "for each of those it was given", isWork: false) {
      $0.mode = .each
      $0.assignees = assigned((other, 6))
    },
    Row(name: "for each, and whose it was has left", isWork: true, otherLeft: true) {
      $0.mode = .each
      $0.assignees = assigned((other, 6))
    },
    Row(name: "for each of a program it was given", isWork: true, kind: .bot) {
      $0.mode = .each
      $0.assignees = assigned((me, 6), (other, 6))
    },
  ]

  @Test("a table", arguments: rows)
  func table(_ row: Row) {
    let me = Self.member(Self.me, row.role, kind: row.kind)
    let other = Self.member(Self.other, row.otherLeft ? nil : .editor)
    let isWork = Self.post(row.change).isWork(of: me) { $0 == Self.other ? other : me }
    #expect(isWork == row.isWork, "\(row.name)")
  }

  @Test("sums are more when a part is")
  func sums() {
    let some = WorkCount(count: 2, more: false) + WorkCount(count: 1_000, more: true)
    #expect(some == WorkCount(count: 1_002, more: true))
    #expect(WorkCount.none + .none == .none)
    #expect(
      Counters(open: 1, done: 2, overdue: 3) + Counters(open: 4, done: 5, overdue: 6)
        == Counters(open: 5, done: 7, overdue: 9))
  }
}
