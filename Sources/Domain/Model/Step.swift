/// A part of a post, which is finished by itself.
package struct Step: Equatable, Sendable {
  package let id: StepID
  /// The text, in one line. Empty where the text of the post was erased; nobody can write an empty one.
  package var content: String
  /// The finish. Nil while the step is open.
  package var finished: StepFinish?

  package init(id: StepID, content: String, finished: StepFinish? = nil) {
    self.id = id
    self.content = content
    self.finished = finished
  }
}

/// The person who finished a step, and the time.
package struct StepFinish: Equatable, Sendable {
  package let at: Timestamp
  package let by: UserID
  /// Whether the completion of the post finished the step while it was open. Then the finish ends with that completion.
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

  /// The open steps in their order.
  package var openSteps: [StepID] { steps.filter { $0.finished == nil }.map(\.id) }

  /// The length of all steps together, in Unicode scalars.
  var stepsScalars: Int { steps.reduce(0) { $0 + $1.content.unicodeScalars.count } }

  /// The post without its completion. Exactly the steps that the completion had finished are open again.
  var opened: Post {
    var post = self
    post.completed = nil
    for index in steps.indices where steps[index].finished?.withPost == true {
      post.steps[index].finished = nil
    }
    return post
  }
}
