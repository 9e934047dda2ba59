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

extension EphemeralRequest {
  static func presence(_ params: Params) throws(Refusal) -> EphemeralRequest {
    .presence(
      try params.stream("stream", "cg"), isHere: try params.state(on: "here", off: "left"))
  }

  static func typing(_ params: Params) throws(Refusal) -> EphemeralRequest {
    let category = CategoryID(try params.uuid("category"))
    let post = try params.has("post") ? PostID(params.uuid("post")) : nil
    return .typing(category, post, isTyping: try params.state(on: "typing", off: "stopped"))
  }

  static func progress(_ params: Params) throws(Refusal) -> EphemeralRequest {
    let category = CategoryID(try params.uuid("category"))
    let post = PostID(try params.uuid("post"))
    guard params.has("done") else { return .progress(category, post, nil) }
    let of = try params.has("of") ? params.int("of", 1...Int64(Progress.ofMax)) : 100
    let done = try params.int("done", 0...of)
    let text = try params.has("text") ? params.line("text", 1...Limits.progressScalarsMax) : nil
    return .progress(category, post, Progress(done: Int(done), of: Int(of), text: text))
  }

  func writeFields(to writer: inout JSONWriter) {
    switch self {
    case .presence(let stream, let isHere):
      writer.member("state", isHere ? "here" : "left")
      writer.member("stream", stream)
    case .typing(let category, let post, let isTyping):
      writer.member("category", category.uuid)
      writer.member("post", ifPresent: post?.uuid)
      writer.member("state", isTyping ? "typing" : "stopped")
    case .progress(let category, let post, let progress):
      writer.member("category", category.uuid)
      writer.member("done", ifPresent: progress?.done)
      writer.member("of", ifPresent: progress?.of)
      writer.member("post", post.uuid)
      writer.member("text", ifPresent: progress?.text)
    }
  }
}

extension Params {
  /// Reads the member `state`, one of two words.
  fileprivate func state(on: String, off: String) throws(Refusal) -> Bool {
    try word("state", of: [on, off]) { $0 == on ? true : $0 == off ? false : nil }
  }
}
