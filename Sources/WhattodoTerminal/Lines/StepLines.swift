// Steps on the screen: `2/5 steps` beside their post, a line for each step below it, and lines for what happens to
// them.

import Client
import Domain
import Screen

extension Post {
  /// The count of finished steps, as `2/5 steps`; nil when there are none.
  var stepCount: String? {
    guard !steps.isEmpty else { return nil }
    let noun = steps.count == 1 ? "step" : "steps"
    return "\(steps.count - openSteps.count)/\(steps.count) \(noun)"
  }
}

extension ListLines {
  /// The steps of a post, one line each.
  static func steps(of post: Post, in stream: StreamID, _ situation: Situation) -> [Line] {
    guard !post.steps.isEmpty else {
      return [Line("        no steps: /step \(post.number) TEXT adds one", .dim, hang: 8)]
    }
    return post.steps.map { step in
      let place = situation.shown.number(of: step, in: post)
      let number = pad("\(PostNumber(post.number, step: place))", 10, right: true)
      let line = Line("\(number)  ", .dim, hang: 14)
      guard let finished = step.finished else {
        return line.and("\(step.content)").and(holder(of: step, in: post, stream, situation))
      }
      return line.and("✔ ", .good).and("\(step.content)", .dim)
        .and("  \(situation.name(of: finished.by, in: stream))", .dim)
    }
  }
}

extension EventLines {
  /// Returns `@editor ✔ steps of bread (3/5 done)`. The count is the present one, whoever completed the others.
  func stepsLine(_ fold: NotificationFold, _ who: Who, _ what: Phrase) -> Line {
    let one = fold.notifications[0]
    let post = one.post.flatMap { situation.streams[one.stream]?.post($0) }
    let done = post.map { $0.steps.count - $0.openSteps.count } ?? 0
    let isOne = fold.notifications.allSatisfy { $0.post == one.post }
    let count: Phrase = isOne && done > 0 ? " (\(done)/\(post?.steps.count ?? 0) done)" : ""
    return who.line("✔", .good, "steps of " + what + count)
  }

  /// Returns the line for a change of steps; nil when the line about their post says it.
  func stepLine(
    _ op: StepOp, of post: PostID, version: Int, _ applied: AppliedEvent, _ who: Who,
    _ place: String
  ) -> Line? {
    let story = StepStory(
      applied, of: post, version: version, shown: isHistory ? ShownNumbers() : situation.shown)
    let title = story.after?.title ?? titles[post] ?? "a post"
    let about: Phrase =
      story.after?.stepCount.map { " (\(title), \($0) in \(place))" } ?? " (\(title) in \(place))"
    switch op {
    case .added(let step): return who.line("+", .accent, story.name(step.id, step.content) + about)
    case .edited(let id, let text): return who.line("✎", .accent, story.name(id, text) + about)
    case .removed(let id): return who.line("✘", .bad, story.name(id) + about)
    case .moved(let id, _): return who.line("✎", .accent, story.name(id) + " moved" + about)
    case .completed(let ids, let finish):
      guard !finish.withPost, let id = ids.first else { return nil }
      return who.line("✔", .good, story.name(id) + about)
    case .reopened(let id): return who.line("↺", .accent, story.name(id) + about)
    case .set: return story.line(who, about)
    }
  }
}

/// A post before and after one op about its steps; each is nil when it is not known.
private struct StepStory {
  let before: Post?
  let after: Post?
  let shown: ShownNumbers

  init(_ applied: AppliedEvent, of post: PostID, version: Int, shown: ShownNumbers) {
    self.shown = shown
    var (before, after): (Post?, Post?)
    for change in applied.changes where change.key == ObjectKey(kind: .post, id: post.uuid) {
      guard case .post(let it) = change.effect.object, it.version == version else { continue }
      after = it
      if case .post(let it) = change.before { before = it }
    }
    self.before = before
    self.after = after
  }

  /// Returns the line for an op about all steps at once. An undo makes such ops, usually to change one step.
  func line(_ who: Who, _ about: Phrase) -> Line {
    let (old, new) = (before?.steps ?? [], after?.steps ?? [])
    let gone = old.filter { step in !new.contains { $0.id == step.id } }
    let changed = new.filter { step in old.first { $0.id == step.id } != step }
    guard before != nil, gone.count + changed.count == 1 else {
      return who.line("✎", .accent, "other steps" + about)
    }
    if let step = gone.first { return who.line("✘", .bad, name(step.id) + about) }
    let step = changed[0]
    let name = name(step.id) + about
    guard let was = old.first(where: { $0.id == step.id }) else {
      return who.line("+", .accent, name)
    }
    if was.content != step.content { return who.line("✎", .accent, name) }
    return step.finished == nil ? who.line("↺", .accent, name) : who.line("✔", .good, name)
  }

  /// Returns words such as `12.3 eggs`.
  func name(_ id: StepID, _ content: String? = nil) -> Phrase {
    let text = content ?? (after?.step(id) ?? before?.step(id))?.content ?? "a step"
    guard let after, let step = after.step(id) else { return "\(text)" }
    let number = PostNumber(after.number, step: shown.number(of: step, in: after))
    return "\(number.description) \(text)"
  }
}
