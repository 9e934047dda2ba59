@testable import Domain

/// The rows of achievement of one list, made event by event as the ledger makes them.
struct AchievementLog {
  private var state: StreamState
  private var posts: [PostID: Post] = [:]
  private(set) var rows: [PostID: [AchievementRow]] = [:]

  init(_ stream: StreamID) { state = StreamState(stream: stream) }

  mutating func read(_ event: Event) {
    for index in event.ops.indices {
      var known = posts
      for change in state.apply(event, ops: index..<index + 1) {
        if case .post(let post)? = change.effect.object { known[post.id] = post }
      }
      if case .post(let op) = event.ops[index] {
        for change in event.achievements(of: op, old: posts[op.post], new: known[op.post]) {
          rows[change.post, default: []].apply(change)
        }
      }
      posts = known
    }
  }
}

extension Scene {
  /// The rows of category 1.
  var achievements: [AchievementRow] {
    var log = AchievementLog(.category(1))
    for event in events[.category(1)] ?? [] { log.read(event) }
    return log.rows.values.flatMap { $0 }.sorted { ($0.at, $0.user) < ($1.at, $1.user) }
  }

  /// The rows of post 1.
  var contestRows: [AchievementRow] { achievements.filter { $0.post == 1 } }

  /// The values of rows of post 1 of one kind, by user.
  func achieved(_ kind: AchievementRow.Kind) -> [UserID: Int64] {
    contestRows.filter { $0.kind == kind }.reduce(into: [:]) { $0[$1.user, default: 0] += $1.value }
  }
}
