import Client
import Domain
import Screen
import Wire

// Plans for claims: "I'm on it".

extension Planner {
  func claim(
    _ numbers: [PostNumber], in list: Reference?, minutes: Int?
  ) throws(Problem) -> PlannedRequest {
    let lease = Planner.lease(minutes)
    let end = Timestamp(milliseconds: situation.clock.now.milliseconds + lease)
    let until = situation.clock.moment(end)
    return try together(numbers, in: list) { (list, number, post, step) throws(Problem) in
      guard let step else {
        return PlannedChange(
          .post(.change(list.id, post.id, .claim(milliseconds: lease))),
          "▸ #\(post.number) \(post.title) until \(until)")
      }
      guard minutes == nil else {
        throw Problem("a step is claimed until it is done, without a time: /claim \(number)")
      }
      return PlannedChange(
        .post(.change(list.id, post.id, .contest(.claim(step.id)))), "▸ \(number) \(step.content)",
        same: "\(number) is yours already")
    }
  }

  func claimNext(in reference: Reference?, minutes: Int?) throws(Problem) -> PlannedRequest {
    let list = try situation.list(reference)
    return PlannedRequest(
      request: .command(
        .post(.claimNext(list.id, milliseconds: Planner.lease(minutes))), key: Identifiers.key()),
      report: .claimedNext(list))
  }

  func release(_ numbers: [PostNumber], in list: Reference?) throws(Problem) -> PlannedRequest {
    try together(numbers, in: list) { (list, number, post, step) throws(Problem) in
      guard let step else {
        return PlannedChange(
          .post(.change(list.id, post.id, .release)), "◂ #\(post.number) \(post.title)",
          same: "nobody is on it")
      }
      return PlannedChange(
        .post(.change(list.id, post.id, .contest(.release(step.id)))),
        "◂ \(number) \(step.content)", same: "nobody is on it")
    }
  }

  private static func lease(_ minutes: Int?) -> Int64 {
    minutes.map { Int64($0) * 60_000 } ?? Int64(Limits.claimMilliseconds)
  }
}

extension Words {
  /// Reads `[#LIST] NUMBER… [TIME]` or `[#LIST] next [TIME]`.
  mutating func claim() -> Action? {
    let list = listBeforePostNumbers()
    if skip("next") {
      guard let minutes = duration() else { return nil }
      return done(.post(.claimNext(list, minutes: minutes)))
    }
    let numbers = postNumbers()
    guard !numbers.isEmpty, let minutes = duration() else { return nil }
    return done(.post(.claim(list, numbers, minutes: minutes)))
  }

  /// Reads `45m` or `2h` as minutes. The inner nil means that no time is given, the outer nil that the word is wrong or
  /// the time too long.
  private mutating func duration() -> Int?? {
    guard let word = next() else { return .some(nil) }
    let factors: [Character: Int] = ["m": 1, "h": 60, "d": 1_440]
    guard let factor = word.last.flatMap({ factors[$0] }), word.count <= 5,
      let count = Int(word.dropLast()), count > 0,
      count * factor * 60_000 <= Limits.claimMillisecondsMax
    else { return nil }
    return .some(count * factor)
  }
}
