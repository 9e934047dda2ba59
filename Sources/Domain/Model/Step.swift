/// A part of a post, with an own tick.
package struct Step: Equatable, Sendable {
  package let id: StepID
  /// One line. Empty where the text of the post was erased; nobody can write an empty one.
  package var content: String
  /// Nil while it is open.
  package var finished: StepFinish?

  package init(id: StepID, content: String, finished: StepFinish? = nil) {
    self.id = id
    self.content = content
    self.finished = finished
  }
}

/// Who finished a step and when.
package struct StepFinish: Equatable, Sendable {
  package let at: Timestamp
  package let by: UserID
  /// The completion of the post did it, while the step was open: it ends with that completion.
  package let withPost: Bool

  package init(at: Timestamp, by: UserID, withPost: Bool = false) {
    self.at = at
    self.by = by
    self.withPost = withPost
  }

  package init(_ stamp: Stamp, withPost: Bool = false) {
    self.init(at: stamp.at, by: stamp.by, withPost: withPost)
  }
}

extension Post {
  package func step(_ id: StepID) -> Step? { steps.first { $0.id == id } }

  /// In their order.
  package var openSteps: [StepID] { steps.filter { $0.finished == nil }.map(\.id) }

  /// What all steps say together, in Unicode scalars.
  var stepsScalars: Int { steps.reduce(0) { $0 + $1.content.unicodeScalars.count } }

  /// Without its completion, and so without what that had finished: exactly those steps are open again.
  var opened: Post {
    var post = self
    post.completed = nil
    for index in steps.indices where steps[index].finished?.withPost == true {
      post.steps[index].finished = nil
    }
    return post
  }
}
