import Text

/// Words of our own with the text of others in between: `"\(title) (#\(number) in \(list))"`.
///
/// A literal part is ours. An interpolated value is somebody's text, unless it is a number or a phrase. It is made safe
/// by itself, so that a combining mark at its beginning stands on a circle and not on our words. It is isolated where
/// its letters would move our words.
package struct Phrase: ExpressibleByStringInterpolation, Equatable, Sendable {
  struct Piece: Equatable, Sendable {
    var text: String
    let isIsolated: Bool
  }

  private(set) var pieces: [Piece]

  package init(stringLiteral words: String) {
    pieces = []
    add(words, isIsolated: false)
  }

  package init(stringInterpolation: StringInterpolation) { self = stringInterpolation.phrase }

  package static func + (left: Phrase, right: Phrase) -> Phrase {
    var both = left
    both.add(right)
    return both
  }

  private mutating func add(_ phrase: Phrase) {
    for piece in phrase.pieces { add(safe: piece.text, isIsolated: piece.isIsolated) }
  }

  private mutating func add(_ text: String, isIsolated: Bool) {
    add(safe: Text.terminalSafe(text), isIsolated: isIsolated)
  }

  private mutating func add(safe text: String, isIsolated: Bool) {
    guard !text.isEmpty else { return }
    if let last = pieces.indices.last, !isIsolated, !pieces[last].isIsolated {
      pieces[last].text += text
    } else {
      pieces.append(Piece(text: text, isIsolated: isIsolated))
    }
  }

  package struct StringInterpolation: StringInterpolationProtocol {
    fileprivate var phrase = Phrase(stringLiteral: "")

    package init(literalCapacity: Int, interpolationCount: Int) {}

    package mutating func appendLiteral(_ words: String) {
      phrase.add(words, isIsolated: false)
    }

    /// Appends somebody's text; another value is appended as its description.
    package mutating func appendInterpolation(_ value: some CustomStringConvertible) {
      let text = value.description
      phrase.add(text, isIsolated: Text.runsRightToLeft(text))
    }

    package mutating func appendInterpolation(_ number: Int) {
      phrase.add("\(number)", isIsolated: false)
    }

    package mutating func appendInterpolation(_ inner: Phrase) { phrase.add(inner) }
  }
}

extension [Phrase] {
  /// The phrases one behind the other, with commas between.
  package var listed: Phrase { dropFirst().reduce(first ?? "") { $0 + ", " + $1 } }
}
