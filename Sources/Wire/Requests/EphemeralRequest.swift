package import Domain

/// A thing that holds for a moment only (protocol §5.5). It is never in a log, never numbered, never resumed.
package enum EphemeralRequest: Equatable, Sendable {
  /// Says whether somebody has the category or group in front of them.
  case presence(StreamID, isHere: Bool)
  /// Says whether somebody is writing, at this post or in the category.
  case typing(CategoryID, PostID?, isTyping: Bool)
  /// Says how far the work on a post has come. Nil takes it back.
  case progress(CategoryID, PostID, Progress?)

  /// The stream where it is seen.
  package var stream: StreamID {
    switch self {
    case .presence(let stream, _): stream
    case .typing(let category, _, _), .progress(let category, _, _): .category(category)
    }
  }

  package var kind: EphemeralKind {
    switch self {
    case .presence: .presence
    case .typing: .typing
    case .progress: .progress
    }
  }

  package var post: PostID? {
    switch self {
    case .presence: nil
    case .typing(_, let post, _): post
    case .progress(_, let post, _): post
    }
  }

  var method: Method {
    switch self {
    case .presence: .moment(.presence)
    case .typing: .moment(.typing)
    case .progress: .moment(.progress)
    }
  }
}

/// The kinds of things that hold for a moment.
package enum EphemeralKind: String, CaseIterable, Comparable, Sendable {
  case presence
  case typing
  case progress

  package static func < (left: EphemeralKind, right: EphemeralKind) -> Bool {
    left.rawValue < right.rawValue
  }
}

/// The progress of something: an absolute value, so that a repeated or lost one does no harm.
package struct Progress: Hashable, Sendable {
  /// The part that is done: 0 … `of`.
  package let done: Int
  /// The whole: 1 … `ofMax`; 100 for percent.
  package let of: Int
  /// The work that is being done, in one line.
  package let text: String?

  package static let ofMax = 1_000_000

  package init(done: Int, of: Int = 100, text: String? = nil) {
    precondition(1...Progress.ofMax ~= of && 0...of ~= done, "progress lies within its whole")
    self.done = done
    self.of = of
    self.text = text
  }
}

extension MomentMethod {
  func request(_ params: Params) throws(Refusal) -> EphemeralRequest {
    switch self {
    case .presence: return .presence(try params.read(.list), isHere: try params.read(.isHere))
    case .typing:
      return .typing(
        try params.read(.placeCategory), try params.optional(.typedAt),
        isTyping: try params.read(.isTyping))
    case .progress:
      let category = try params.read(.placeCategory)
      let post = try params.read(.progressOf)
      guard params.has("done") else { return .progress(category, post, nil) }
      let whole = try params.read(.whole, or: 100)
      guard let done = try params.optional(.done(of: whole)) else {
        return .progress(category, post, nil)
      }
      let text = try params.optional(.progressText)
      return .progress(category, post, Progress(done: done, of: whole, text: text))
    }
  }
}

extension EphemeralRequest {
  func add(to fields: inout SortedFields) {
    switch self {
    case .presence(let stream, let isHere):
      fields.add(.list, stream)
      fields.add(.isHere, isHere)
    case .typing(let category, let post, let isTyping):
      fields.add(.placeCategory, category)
      fields.add(.typedAt, post)
      fields.add(.isTyping, isTyping)
    case .progress(let category, let post, let progress):
      fields.add(.placeCategory, category)
      fields.add(.progressOf, post)
      guard let progress else { return }
      fields.add(.whole, progress.of)
      fields.add(.done(of: progress.of), progress.done)
      fields.add(.progressText, progress.text)
    }
  }
}

// MARK: - Parameters

extension Parameter where S == IDShape<CategoryID> {
  fileprivate static var placeCategory: Self {
    Self("category", S(), "the category in which it is seen")
  }
}

extension Parameter where S == IDShape<PostID> {
  fileprivate static var typedAt: Self { Self("post", S(), "the post at which the sender writes") }
  fileprivate static var progressOf: Self { Self("post", S(), "the post that is worked on") }
}

extension Parameter where S == SwitchShape {
  fileprivate static var isHere: Self {
    Self("state", S(on: "here", off: "left"), "whether the sender has it in front of them")
  }

  fileprivate static var isTyping: Self {
    Self("state", S(on: "typing", off: "stopped"), "whether the sender is writing")
  }
}

extension Parameter where S == IntegerShape<Int> {
  fileprivate static var whole: Self {
    Self("of", S(range: 1...Int64(Progress.ofMax)), "the whole")
  }
}

extension Parameter where S == DoneShape {
  fileprivate static func done(of whole: Int) -> Self {
    Self(
      "done", S(whole: whole),
      "how much is done, at most `of`; without it the progress is taken back")
  }
}

extension Parameter where S == LineShape {
  fileprivate static var progressText: Self {
    Self("text", S(scalars: 1...Limits.progressScalarsMax), "the work that is being done, one line")
  }
}

/// How much of a whole is done.
private struct DoneShape: Shape {
  let whole: Int

  func read(_ params: Params, _ name: String) throws(Refusal) -> Int {
    Int(try params.int(name, 0...Int64(whole)))
  }

  func write(_ value: Int, to writer: inout JSONWriter) { writer.int(value) }
  var schema: String { Schema.integer(0...Int64(Progress.ofMax)) }
  var example: String { "1" }
}
