// Says how each value that a post may lack is read and set, in the post and in an edit of it. `PostField` and
// `Wire/Codec/PostMember.swift` are made of these. They are closures because a stored key path is looked up at run time
// on every use: with seven fields that took a tenth of the loop's time for a request.

/// One value that a post may lack.
package struct PostValue<Value: Equatable & Sendable>: Sendable {
  package let get: @Sendable (Post) -> Value?
  package let set: @Sendable (inout Post, Value?) -> Void
  package let change: @Sendable (PostEdit) -> FieldChange<Value>
  package let setChange: @Sendable (inout PostEdit, FieldChange<Value>) -> Void
}

extension PostValue<Priority> {
  package static var priority: Self {
    Self(
      get: { $0.priority }, set: { $0.priority = $1 },
      change: { $0.priority }, setChange: { $0.priority = $1 })
  }
}

extension PostValue<Color> {
  package static var color: Self {
    Self(
      get: { $0.color }, set: { $0.color = $1 },
      change: { $0.color }, setChange: { $0.color = $1 })
  }
}

extension PostValue<Due> {
  package static var due: Self {
    Self(
      get: { $0.due }, set: { $0.due = $1 }, change: { $0.due }, setChange: { $0.due = $1 })
  }
}

extension PostValue<Location> {
  package static var location: Self {
    Self(
      get: { $0.location }, set: { $0.location = $1 },
      change: { $0.location }, setChange: { $0.location = $1 })
  }
}

extension PostValue<Repetition> {
  package static var repeats: Self {
    Self(
      get: { $0.repeats }, set: { $0.repeats = $1 },
      change: { $0.repeats }, setChange: { $0.repeats = $1 })
  }
}

extension PostValue<PostMode> {
  package static var mode: Self {
    Self(
      get: { $0.mode }, set: { $0.mode = $1 }, change: { $0.mode }, setChange: { $0.mode = $1 })
  }
}

extension PostValue<Role> {
  package static var modeRole: Self {
    Self(
      get: { $0.modeRole }, set: { $0.modeRole = $1 },
      change: { $0.modeRole }, setChange: { $0.modeRole = $1 })
  }
}

extension PostValue<Contest> {
  package static var contest: Self {
    Self(
      get: { $0.contest }, set: { $0.contest = $1 },
      change: { $0.contest }, setChange: { $0.contest = $1 })
  }
}

extension PostValue<Goal> {
  package static var goal: Self {
    Self(
      get: { $0.goal }, set: { $0.goal = $1 }, change: { $0.goal }, setChange: { $0.goal = $1 })
  }
}
