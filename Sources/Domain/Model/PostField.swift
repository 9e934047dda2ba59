// The fields of a post that people set, each named here once. Deciding and applying an edit, undoing it and
// comparing posts go through this list; how a field is spelled in messages is in `Wire/Codec/PostMember.swift`. What
// changes in another way than by being set (steps, tags, a completion) is not among them.

/// One field of a post that an edit may set.
struct PostField: Sendable {
  /// Sets it as the edit says.
  let apply: @Sendable (PostEdit, inout Post) -> Void
  /// Adds to the edit what brings it from the first post's value to the second's.
  let addDifference: @Sendable (Post, Post, inout PostEdit) -> Void
  let isSame: @Sendable (Post, Post) -> Bool
  /// Sets it in the first post as it is in the second.
  let copy: @Sendable (inout Post, Post) -> Void

  static let all = [
    PostField(\.title, \.title), PostField(\.notes, \.notes), PostField(\.priority, \.priority),
    PostField(\.color, \.color), PostField(\.due, \.due), PostField(\.location, \.location),
    PostField(\.repeats, \.repeats),
    PostField(\.mode, \.mode),
  ]

  /// A text that is always there, perhaps empty.
  private init(
    _ field: any WritableKeyPath<Post, String> & Sendable,
    _ change: any WritableKeyPath<PostEdit, String?> & Sendable
  ) {
    apply = { edit, post in
      if let text = edit[keyPath: change] { post[keyPath: field] = text }
    }
    addDifference = { old, new, edit in
      if old[keyPath: field] != new[keyPath: field] { edit[keyPath: change] = new[keyPath: field] }
    }
    isSame = { $0[keyPath: field] == $1[keyPath: field] }
    copy = { $0[keyPath: field] = $1[keyPath: field] }
  }

  /// A value that may be missing.
  private init<Value>(
    _ field: any WritableKeyPath<Post, Value?> & Sendable,
    _ change: any WritableKeyPath<PostEdit, FieldChange<Value>> & Sendable
  ) {
    apply = { edit, post in edit[keyPath: change].apply(to: &post[keyPath: field]) }
    addDifference = { old, new, edit in
      edit[keyPath: change] = FieldChange(from: old[keyPath: field], to: new[keyPath: field])
    }
    isSame = { $0[keyPath: field] == $1[keyPath: field] }
    copy = { $0[keyPath: field] = $1[keyPath: field] }
  }

  /// Sets it back from what a change made it to what it was before; false when it is something else now: then
  /// somebody has set it since, and it stays.
  func takeBack(in now: inout Post, from after: Post, to before: Post) -> Bool {
    guard !isSame(after, before), !isSame(now, before) else { return true }
    guard isSame(now, after) else { return false }
    copy(&now, before)
    return true
  }
}

extension Post {
  /// Whether people have set all fields alike in both.
  package func hasFields(of other: Post) -> Bool {
    PostField.all.allSatisfy { $0.isSame(self, other) }
  }
}
