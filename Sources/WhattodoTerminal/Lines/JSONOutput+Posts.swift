import Domain
import Wire

extension JSONOutput {
  /// Writes a post of a list that has a copy here, with all that `show` tells of it.
  static func post(
    _ post: Post, _ situation: Situation, in category: Category, _ writer: inout JSONWriter
  ) {
    head(of: post, &writer)
    if !post.notes.isEmpty { writer.member("notes", post.notes) }
    writer.member("done", post.completed != nil)
    let state = situation.streams[.category(category.id)]
    if let by = post.completed.flatMap({ state?.member($0.by) }) {
      writer.person("completedBy", by.id, by.username)
    }
    writer.member("status", situation.status(of: post, in: category).rawValue)
    fields(of: post, &writer)
    let tags = state?.tags(of: post) ?? []
    if !tags.isEmpty { writer.array("tags", tags) { $1.tag($0) } }
    let people = state?.assignees(of: post) ?? []
    if !people.isEmpty { writer.people("assignees", people) }
    writer.claim(of: post, in: .category(category.id), situation)
    writer.runs(of: post, in: .category(category.id), situation)
    writer.source(of: post)
    writer.submission(of: post, in: .category(category.id), situation)
    writer.parts(of: post, in: .category(category.id), situation)
    writer.contest(of: post, in: .category(category.id), situation)
    writer.reactions(to: post, in: .category(category.id), situation)
    writer.comments(on: post, in: .category(category.id), situation)
    guard !post.steps.isEmpty else { return }
    writer.array("steps", post.steps.enumerated()) { row, writer in
      writer.member("number", row.offset + 1)
      writer.member("id", "\(row.element.id)")
      writer.member("content", row.element.content)
      writer.member("done", row.element.finished != nil)
      if let by = row.element.finished.flatMap({ state?.member($0.by) }) {
        writer.person("finishedBy", by.id, by.username)
      }
      if let holder = state?.holder(of: row.element, in: post) {
        writer.person("claimedBy", holder.id, holder.username)
      }
    }
  }

  /// Writes `"posts":[…]`, which may be of several lists, and `"more"`: whether there may be others.
  static func found<Line: PostLine>(
    _ result: FoundPage<Line>, _ situation: Situation, _ writer: inout JSONWriter
  ) {
    writer.array("posts", result.found) { row, writer in
      writer.object("list") { $0.named(.category(row.category), situation) }
      brief(row.post, &writer)
    }
    writer.member("more", result.after != nil || result.omitted > 0)
  }

  /// Writes the posts of a bin, which are in no copy.
  static func removed(
    _ result: PostsResult, from list: Category, _ situation: Situation,
    _ writer: inout JSONWriter
  ) {
    self.list(list, situation, &writer)
    writer.array("posts", result.posts) { brief($0, &$1) }
    writer.member("more", result.before != nil)
  }

  /// Writes the posts of a list that have the same words.
  static func twins(
    _ twins: [TwinLine], in list: Category, _ situation: Situation, _ writer: inout JSONWriter
  ) {
    self.list(list, situation, &writer)
    writer.array("posts", twins) { twin, writer in
      writer.member("number", twin.number)
      writer.member("id", "\(twin.id)")
      writer.member("title", twin.title)
      writer.member("done", twin.completed != nil)
    }
  }

  /// Writes what a post says of itself, without what only its list knows: tags, people and runs.
  private static func brief(_ post: Post, _ writer: inout JSONWriter) {
    head(of: post, &writer)
    writer.member("done", post.completed != nil)
    fields(of: post, &writer)
  }

  private static func head(of post: Post, _ writer: inout JSONWriter) {
    writer.member("number", post.number)
    writer.member("id", "\(post.id)")
    writer.member("title", post.title)
  }

  private static func fields(of post: Post, _ writer: inout JSONWriter) {
    if let priority = post.priority { writer.member("priority", priority.rawValue) }
    if let color = post.color { writer.member("color", color.rawValue) }
    if let due = post.due { writer.due(due) }
    repeating(post, &writer)
    guard let location = post.location else { return }
    writer.object("location") { writer in
      if let point = location.point {
        writer.member("lat", point.latitude)
        writer.member("lon", point.longitude)
      }
      if !location.text.isEmpty { writer.member("text", location.text) }
    }
  }

  /// Writes `"recurrence":{"rule","from"?,"missed"?,"occurrence"}`; the last one is a number.
  private static func repeating(_ post: Post, _ writer: inout JSONWriter) {
    guard let repeats = post.repeats else { return }
    writer.object("recurrence") { writer in
      writer.member("rule", repeats.rule.description)
      if repeats.basis != .due { writer.member("from", repeats.basis.rawValue) }
      if repeats.missed != .dropped { writer.member("missed", repeats.missed.rawValue) }
      if let occurrence = repeats.occurrence { writer.member("occurrence", occurrence.number) }
      if let rotation = repeats.rotation { writer.member("rotate", rotation.rawValue) }
      if repeats.confirms { writer.member("confirm", Role.admin.word) }
    }
  }
}
