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
    PostField({ $0.title }, { $0.title = $1 }, change: { $0.title }, { $0.title = $1 }),
    PostField({ $0.notes }, { $0.notes = $1 }, change: { $0.notes }, { $0.notes = $1 }),
    PostField(.priority), PostField(.color), PostField(.due), PostField(.location),
    PostField(.repeats), PostField(.mode),
  ]

  /// A text that is always there, perhaps empty.
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

  /// A value that may be missing.
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
