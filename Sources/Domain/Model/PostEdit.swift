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

  package init(
    title: String? = nil, notes: String? = nil, priority: FieldChange<Priority> = .keep,
    color: FieldChange<Color> = .keep, due: FieldChange<Due> = .keep,
    location: FieldChange<Location> = .keep, repeats: FieldChange<Repetition> = .keep,
    mode: FieldChange<PostMode> = .keep, modeRole: FieldChange<Role> = .keep
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
  }

  /// Makes the edit that brings a post's fields from those of one to those of the other.
  init(from old: Post, to new: Post) {
    self.init()
    for field in PostField.all { field.addDifference(old, new, &self) }
  }

  /// Whether the edit sets something that is taken out when a post is erased, even if it sets it to nothing.
  var touchesText: Bool { title != nil || notes != nil || location != .keep }
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
    if edit.repeats != .keep || edit.mode != .keep { post.parts = [] }
    return post
  }
}
