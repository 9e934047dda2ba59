/// A part of the day. It says which half of the day an hour is in, and refuses hours that are not in it.
enum DayPart: Sendable, Equatable {
  case smallHours, morning, forenoon, noon, afternoon, evening, night

  /// Returns the hour of the day, 0–23, that is meant by this hour of a clock of twelve hours; nil where nobody can be
  /// sure.
  func hour(ofTwelve said: Int) -> Int? {
    let fitting = [said % 12, said % 12 + 12].filter(has)
    return fitting.count == 1 ? fitting[0] : nil
  }

  /// Answers whether that hour, 0–23, is in this part of the day.
  func has(_ hour: Int) -> Bool {
    switch self {
    case .smallHours: (0...6).contains(hour)
    case .morning: (1...11).contains(hour)
    case .forenoon: (6...11).contains(hour)
    case .noon: (11...14).contains(hour)
    case .afternoon: (12...20).contains(hour)
    case .evening: (16...23).contains(hour)
    case .night: (17...23).contains(hour) || (0...4).contains(hour)
    }
  }
}

/// The halves of the day, "am" and "pm".
enum Half: Sendable {
  case am, pm

  /// Returns the hour of the day, or nil when no clock of twelve hours shows the given one.
  func hour(_ said: Int) -> Int? {
    guard (1...12).contains(said) else { return nil }
    return said % 12 + (self == .pm ? 12 : 0)
  }
}
