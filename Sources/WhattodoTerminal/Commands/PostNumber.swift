/// The number of a post or of one of its steps as a person writes it: `12`, `#12`, `12.3`.
struct PostNumber: Hashable, ExpressibleByIntegerLiteral, CustomStringConvertible {
  let post: Int
  /// The place of the step among the steps of the post, from 1; nil for the post itself.
  let step: Int?

  init(_ post: Int, step: Int? = nil) {
    self.post = post
    self.step = step
  }

  init(integerLiteral post: Int) { self.init(post) }

  /// Reads a word; nil when it is no such number.
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
