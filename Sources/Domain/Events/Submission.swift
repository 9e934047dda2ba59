// A submission is what a post's people say of an occurrence before an admin confirms it (Decide/Submissions.swift).

extension Post {
  /// Notes or takes away the submission. A submission also ends the claim: its holder has done what they claimed the
  /// post for.
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

  /// Takes back a submission for an undo, after due and repetition have gone back as far as they can: a submission for
  /// one occurrence does not count for another. Returns false when it stays because somebody has changed it since.
  mutating func takeBackSubmission(_ after: Post, to before: Post) -> Bool {
    guard after.submitted != before.submitted, submitted != before.submitted else { return true }
    guard submitted == after.submitted, occurrence?.number == before.occurrence?.number else {
      return false
    }
    submitted = before.submitted
    return true
  }
}
