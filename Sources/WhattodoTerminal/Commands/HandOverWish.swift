// A person hands over: a list, as a report of what is open and new in it, or somebody's work, which becomes another's.

/// The moment since when is told.
enum SinceWish: Equatable {
  case minutes(Int)
  /// The beginning of the day before.
  case yesterday
  /// A time of day means the last one, and a day its beginning.
  case at(DueWish)

  /// Reads `8h`, `14:30`, `yesterday` or a day; nil for anything else.
  init?(_ text: String) {
    if text == "yesterday" {
      self = .yesterday
    } else if let minutes = Minutes.read(text) {
      self = .minutes(minutes)
    } else if let wish = DueWish(text) {
      self = .at(wish)
    } else {
      return nil
    }
  }
}

extension Words {
  /// Reads `[#LIST] [since TIME]`, or `PERSON to PERSON [in #LIST]`.
  mutating func handOver() -> Action? {
    let list = reference()
    if skip("since") {
      return rest().flatMap { SinceWish($0) }.map { .ask(.handOver(list, since: $0)) }
    }
    guard !isAtEnd else { return .ask(.handOver(list, since: nil)) }
    guard list == nil, let giver = person(), skip("to"), let taker = person() else { return nil }
    return place("in").map { .mark(.handOver(from: giver, to: taker, in: $0)) }
  }
}
