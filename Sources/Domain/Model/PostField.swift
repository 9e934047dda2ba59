// The fields of a post that people set, each named here once. Deciding and applying an edit, undoing it and comparing
// posts go through this list. The spelling of a field in messages is in `Wire/Codec/PostMember.swift`. Parts of a post
// that change in another way than by being set (steps, tags, a completion) are not among them.

/// One field of a post that an edit may set.
struct PostField: Sendable {
  /// Sets the field as the edit says.
  let apply: @Sendable (PostEdit, inout Post) -> Void
  /// Adds to the edit what brings the field from the first post's value to the second's.
  let addDifference: @Sendable (Post, Post, inout PostEdit) -> Void
  let isSame: @Sendable (Post, Post) -> Bool
  /// Sets the field in the first post as it is in the second.
  let copy: @Sendable (inout Post, Post) -> Void

  static let all = [
    PostField({ $0.title }, { $0.title = $1 }, change: { $0.title }, { $0.title = $1 }),
    PostField({ $0.notes }, { $0.notes = $1 }, change: { $0.notes }, { $0.notes = $1 }),
    PostField(.priority), PostField(.color), PostField(.due), PostField(.location),
    PostField(.repeats),
    // A role is set only where there is a mode, and a goal where there is a contest, so those come first.
    PostField(.mode), PostField(.modeRole), PostField(.contest), PostField(.goal),
  ]

  /// Makes a field whose text is always there, perhaps empty.
  private init(
    _ get: @escaping @Sendable (Post) -> String,
    _ set: @escaping @Sendable (inout Post, String) -> Void,
    change: @escaping @Sendable (PostEdit) -> String?,
    _ setChange: @escaping @Sendable (inout PostEdit, String) -> Void
  ) {
    apply = { edit, post in
      if let text = change(edit) { set(&post, text) }
    }
    addDifference = { old, new, edit in
      if get(old) != get(new) { setChange(&edit, get(new)) }
    }
    isSame = { get($0) == get($1) }
    copy = { set(&$0, get($1)) }
  }

  /// Makes a field whose value may be missing.
  private init<Value>(_ value: PostValue<Value>) {
    apply = { edit, post in
      switch value.change(edit) {
      case .keep: break
      case .clear: value.set(&post, nil)
      case .set(let new): value.set(&post, new)
      }
    }
    addDifference = { old, new, edit in
      value.setChange(&edit, FieldChange(from: value.get(old), to: value.get(new)))
    }
    isSame = { value.get($0) == value.get($1) }
    copy = { value.set(&$0, value.get($1)) }
  }

  /// Sets the field back from the value that a change gave it to the one before. Returns false when it has another
  /// value now: then somebody has set it since, and it stays. Returns false also when the post does not take the value
  /// any more: a role needs its mode.
  func takeBack(in now: inout Post, from after: Post, to before: Post) -> Bool {
    guard !isSame(after, before), !isSame(now, before) else { return true }
    guard isSame(now, after) else { return false }
    copy(&now, before)
    return isSame(now, before)
  }
}

extension Post {
  /// Answers whether people have set all fields alike in both.
  package func hasFields(of other: Post) -> Bool {
    PostField.all.allSatisfy { $0.isSame(self, other) }
  }
}
