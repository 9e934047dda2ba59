// What a post's people say of an occurrence before an admin confirms it (Decide/Submitting.swift).

extension Post {
  /// Whoever was on it has done what they claimed it for.
  mutating func applyToSubmission(_ mark: PostMark) {
    if case .submitted(let stamp) = mark {
      submitted = stamp
      claim = nil
    } else {
      submitted = nil
    }
  }

  func submissions(to wanted: Post) -> [PostMark] {
    guard submitted != wanted.submitted else { return [] }
    return [wanted.submitted.map { .submitted($0) } ?? .returned]
  }

  /// Of an undo, when due and repetition have gone back as far as they do: what was said of one occurrence is said of
  /// no other. False when it stays because somebody has said something else since.
  mutating func takeBackSubmission(_ after: Post, to before: Post) -> Bool {
    guard after.submitted != before.submitted, submitted != before.submitted else { return true }
    guard submitted == after.submitted, occurrence?.number == before.occurrence?.number else {
      return false
    }
    submitted = before.submitted
    return true
  }
}
