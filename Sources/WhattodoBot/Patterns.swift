/// The patterns of the lines that name a phase, or tell how far a run is.
struct Patterns {
  /// The pattern that a person gave in place of the usual ones. Nil for those.
  var phase: Pattern?
  var progress: Pattern?

  /// The longest phase, in characters of Unicode (protocol §8 `run.phase`).
  private static let phaseScalarsMax = 120
  /// The greatest whole of a progress (protocol §8 `progress.set`).
  private static let wholeMax = 1_000_000

  /// Returns the phase that a line names. By the usual patterns `== Tests ==` and `::group::Tests` name `Tests`, and
  /// `Step 3: tests` names itself. By a pattern of a person it is the first group that is not empty, or else the match.
  /// Nil for any other line.
  func phase(_ line: String) -> String? {
    guard let phase else { return Patterns.usualPhase(line) }
    guard let groups = phase.match(line)?.groups else { return nil }
    let named = groups.dropFirst().first { !$0.isEmpty } ?? groups[0]
    let short = String(
      String.UnicodeScalarView(named.unicodeScalars.prefix(Patterns.phaseScalarsMax)))
    return short.allSatisfy(\.isWhitespace) ? nil : short
  }

  /// Returns the progress that a line tells. By the usual patterns it is `[37/109]`, as builds have it, or `40%`. By a
  /// pattern of a person two groups are the done and the whole, and one group, or else the match, is of a hundred. Nil
  /// when the line tells none.
  func far(_ line: String) -> Far? {
    guard let progress else { return Patterns.usualFar(line) }
    guard let (groups, range) = progress.match(line),
      let done = Int((groups.count > 1 ? groups[1] : groups[0]).filter(\.isNumber))
    else { return nil }
    let of = groups.count > 2 && !groups[2].isEmpty ? Int(groups[2]) : 100
    guard let of, (1...Patterns.wholeMax).contains(of), (0...of).contains(done) else { return nil }
    return Far(done: done, of: of, words: Patterns.words(line, without: range))
  }

  /// Returns a line without what tells the progress, if it begins or ends with that. Nil when nothing is left.
  private static func words(_ line: String, without range: Range<String.Index>) -> String? {
    let (before, after) = (trimmed(line[..<range.lowerBound]), trimmed(line[range.upperBound...]))
    if before.isEmpty && after.isEmpty { return nil }
    return before.isEmpty ? after : after.isEmpty ? before : line
  }

  private static func trimmed(_ text: Substring) -> String {
    let isBlank = { (character: Character) in character.isWhitespace || character == ":" }
    let end = text.drop(while: isBlank)
    return String(end.reversed().drop(while: isBlank).reversed())
  }

  private static func usualPhase(_ line: String) -> String? {
    if let match = line.firstMatch(of: /^(?:== |::group::)\s*(.*?)[\s=]*$/) {
      return match.1.isEmpty ? nil : String(match.1)
    }
    return line.firstMatch(of: /^Step \d{1,6}(?:\/\d{1,6})? ?: \S/) == nil ? nil : line
  }

  private static func usualFar(_ line: String) -> Far? {
    if let match = line.firstMatch(of: /\[\s*(\d{1,6})\/(\d{1,6})\]/),
      let done = Int(match.1), let of = Int(match.2), of > 0, done <= of
    {
      return Far(done: done, of: of, words: words(line, without: match.range))
    }
    guard let match = line.firstMatch(of: /\b(\d{1,3})\s?%/), let percent = Int(match.1),
      percent <= 100
    else { return nil }
    return Far(done: percent, of: 100, words: words(line, without: match.range))
  }
}

/// The progress that a line tells.
struct Far {
  let done: Int
  let of: Int
  /// The line without the progress, where that can be taken off. Nil when it says nothing else.
  let words: String?
}

/// A regular expression that a person gave.
struct Pattern {
  private let regex: Regex<AnyRegexOutput>

  /// Throws when the text is none.
  init(_ text: String) throws(BotError) {
    do {
      regex = try Regex(text)
    } catch {
      throw BotError(sentence: "\(text) is no regular expression", status: 2)
    }
  }

  /// Returns the groups of the first match in a line, the whole match first, and its place. Nil without a match. A
  /// group that took no part is empty.
  func match(_ line: String) -> (groups: [String], range: Range<String.Index>)? {
    guard let match = line.firstMatch(of: regex) else { return nil }
    return (match.output.map { $0.substring.map(String.init) ?? "" }, match.range)
  }
}
