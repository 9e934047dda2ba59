// Lines for the posts that a search found, newest first. Each has the list and the number by which other commands name
// the post.

import Domain
import Screen
import Sync
import Text
import Wire

enum FoundLines {
  static func lines(_ result: SearchResult, _ situation: Situation) -> [Line] {
    guard !result.found.isEmpty else { return [Line("nothing is found", .dim)] + left(result) }
    return result.found.map { line($0, situation) } + left(result)
  }

  private static func line(_ found: FoundLine, _ situation: Situation) -> Line {
    let post = found.post
    var line = Line("\(situation.label(.category(found.category))) ", .dim, hang: 4)
    line.add("#\(post.number)  ", .dim)
    if post.completed != nil { line.add("✔ ", .good) }
    for part in parts(of: post.title, found.title) {
      line.add("\(part.text)", part.isFound ? .strong : .plain)
    }
    if let row = row(of: post.notes, found.notes) { line.add("  \(row)", .dim) }
    if let step = found.steps.first.flatMap({ post.step($0.id) }) {
      line.add("  ☐ \(step.content)", .dim)
    }
    return line
  }

  /// Cuts a title at the found words. A title that runs from right to left stays in one piece, because its pieces would
  /// be moved.
  private static func parts(
    of title: String, _ places: [Range<Int>]
  ) -> [(text: String, isFound: Bool)] {
    guard !Text.runsRightToLeft(title) else { return [(title, false)] }
    let scalars = Array(title.unicodeScalars)
    var parts: [(text: String, isFound: Bool)] = []
    var end = 0
    for place in places + [scalars.count..<scalars.count] {
      guard end <= place.lowerBound, place.upperBound <= scalars.count else { break }
      parts.append((text(scalars[end..<place.lowerBound]), false))
      parts.append((text(scalars[place]), true))
      end = place.upperBound
    }
    return parts.filter { !$0.text.isEmpty }
  }

  /// Returns the first row of the notes that has one of the words.
  private static func row(of notes: String, _ places: [Range<Int>]) -> String? {
    let scalars = Array(notes.unicodeScalars)
    guard let first = places.first, first.upperBound <= scalars.count else { return nil }
    let start = scalars[..<first.lowerBound].lastIndex(of: "\n").map { $0 + 1 } ?? 0
    return text(scalars[start...].prefix { $0 != "\n" })
  }

  private static func text(_ scalars: ArraySlice<Unicode.Scalar>) -> String {
    var view = String.UnicodeScalarView()
    view.append(contentsOf: scalars)
    return String(view)
  }

  private static func left(_ result: SearchResult) -> [Line] {
    var lines: [Line] = []
    if result.after != nil { lines.append(Line("… there is more; more words find less", .dim)) }
    if result.omitted > 0 {
      lines.append(Line("not looked through: \(result.omitted) of your lists", .dim))
    }
    return lines
  }
}
