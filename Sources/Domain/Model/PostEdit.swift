/// The fields of a post that an edit sets. All others stay as they are. Each field has the same name in a post
/// (`PostField.all`).
package struct PostEdit: Equatable, Sendable {
  package var title: String?
  /// The notes. An empty text takes them away.
  package var notes: String?
  package var priority: FieldChange<Priority>
  package var color: FieldChange<Color>
  package var due: FieldChange<Due>
  package var location: FieldChange<Location>
  /// The repetition. In a request it is a wish, without an occurrence.
  package var repeats: FieldChange<Repetition>
  package var mode: FieldChange<PostMode>
  /// The role for which the post is. It goes with the mode.
  package var modeRole: FieldChange<Role>
  package var contest: FieldChange<Contest>
  /// The goal. It goes with the contest.
  package var goal: FieldChange<Goal>
  /// Whether a request also takes back the work that stands against another mode, contest or goal. No op has it.
  package var restart = false

  package init(
    title: String? = nil, notes: String? = nil, priority: FieldChange<Priority> = .keep,
    color: FieldChange<Color> = .keep, due: FieldChange<Due> = .keep,
    location: FieldChange<Location> = .keep, repeats: FieldChange<Repetition> = .keep,
    mode: FieldChange<PostMode> = .keep, modeRole: FieldChange<Role> = .keep,
    contest: FieldChange<Contest> = .keep, goal: FieldChange<Goal> = .keep, restart: Bool = false
  ) {
    self.title = title
    self.notes = notes
    self.priority = priority
    self.color = color
    self.due = due
    self.location = location
    self.repeats = repeats
    self.mode = mode
    self.modeRole = modeRole
    self.contest = contest
    self.goal = goal
    self.restart = restart
  }

  /// Makes the edit that brings a post's fields from those of one to those of the other.
  init(from old: Post, to new: Post) {
    self.init()
    for field in PostField.all { field.addDifference(old, new, &self) }
  }

  /// Whether the edit sets something that is taken out when a post is erased, even if it sets it to nothing.
  var touchesText: Bool {
    title != nil || notes != nil || location != .keep || goal != .keep
  }
}

extension Post {
  /// Returns the same post after the edit. A post that gets text again counts as not erased.
  package func edited(by edit: PostEdit) -> Post {
    var post = self
    for field in PostField.all { field.apply(edit, &post) }
    if edit.touchesText { post.erased = nil }
    post.source?.note(edit)
    // A new repetition begins anew.
    if edit.repeats != .keep { post.submitted = nil }
    let isAnew = edit.repeats != .keep || edit.mode != .keep || edit.contest != .keep
    if isAnew || edit.goal != .keep { post.parts = [] }
    if isAnew { post.clearContest() } else if edit.goal != .keep { post.clearAmounts() }
    return post
  }
}
