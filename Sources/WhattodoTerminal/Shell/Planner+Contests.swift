// Plans for races and coops: to be in a race or not, and how far one is.

import Client
import Domain
import Screen
import Sync
import Wire

extension Planner {
  /// Says how far the person is. In a post that comes again the time on the screen is meant.
  func reach(
    _ number: Int, in reference: Reference?, _ amount: Int64, isCorrection: Bool
  ) throws(Problem) -> PlannedRequest {
    let list = try situation.list(reference)
    let post = try situation.post(number, in: list)
    let words: Phrase = post.goal.map { $0.words(reached: amount) } ?? "\(amount)"
    let made: Phrase = "✎ #\(post.number) \(post.title): you are at " + words
    let same: Phrase = "#\(post.number): you are at \(amount) already"
    guard post.completed == nil, let occurrence = post.occurrence?.number else {
      let change = PostChange.contest(.reach(.init(amount, isCorrection: isCorrection)))
      return self.change(.post(.change(list.id, post.id, change)), made, same: same)
    }
    return change(
      .changeOccurrence(
        list.id, post.id, occurrence, .reach(.init(amount, isCorrection: isCorrection))),
      made, same: same)
  }

  func join(_ numbers: [Int], in reference: Reference?) throws(Problem) -> PlannedRequest {
    try each(numbers, in: reference, .join, same: "you are in the race already") {
      "+ #\($0.number) \($0.title): you are in the race"
    }
  }

  func withdraw(_ numbers: [Int], in reference: Reference?) throws(Problem) -> PlannedRequest {
    try each(numbers, in: reference, .withdraw, same: "you are not in the race") {
      "✘ #\($0.number) \($0.title): you are not in the race any more"
    }
  }

  private func each(
    _ numbers: [Int], in reference: Reference?, _ change: ContestChange, same: Phrase,
    _ made: (Post) -> Phrase
  ) throws(Problem) -> PlannedRequest {
    let list = try situation.list(reference)
    var changes: [PlannedChange] = []
    for number in numbers {
      let post = try situation.post(number, in: list)
      changes.append(
        PlannedChange(
          .post(.change(list.id, post.id, .contest(change))), made(post), same: same))
    }
    return try together(changes)
  }
}
