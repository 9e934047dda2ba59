/// What a person calls a post or one of its steps: `12`, `#12`, `12.3`.
struct PostNumber: Hashable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  let post: Int
  /// From 1, in the order of the steps; nil for the post itself.
  let step: Int?

  init(_ post: Int, step: Int? = nil) {
    self.post = post
    self.step = step
  }

  init(integerLiteral post: Int) { self.init(post) }

  /// Nil for what is no such number.
  init?(_ word: String) {
    let parts = word.split(separator: ".", maxSplits: 1, omittingEmptySubsequences: false)
    guard let post = Words.number(in: String(parts[0])) else { return nil }
    guard parts.count > 1 else {
      self.init(post)
      return
    }
    guard !parts[1].hasPrefix("#"), let step = Words.number(in: String(parts[1])) else {
      return nil
    }
    self.init(post, step: step)
  }

  var description: String { step.map { "\(post).\($0)" } ?? "\(post)" }
}
