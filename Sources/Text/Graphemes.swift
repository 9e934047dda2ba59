/// What one grapheme (UAX 29) may hold: the rules at the top of `Text.swift`.
///
/// Here and wherever text may be hostile, graphemes are looked at by their scalars: the standard library
/// compares Characters (also inside `asciiValue`) in a time quadratic in their marks, seconds for 64 KiB.
enum Graphemes {
  /// The first thing in the grapheme that the rules refuse; it counts scalars of the grapheme.
  static func fault(in grapheme: Character, marksMax: Int) -> TextError? {
    let scalars = grapheme.unicodeScalars
    guard let base = scalars.first else { return nil }
    if scalars.dropFirst().isEmpty, (0x20...0x7E).contains(base.value) { return nil }
    let mayJoin = !base.properties.isWhitespace && !isJoiner(base)
    var marks = 0
    for (offset, scalar) in scalars.enumerated() {
      if isJoiner(scalar) {
        guard offset > 0, mayJoin else { return .forbidden(scalar, at: offset) }
        marks += 1
      } else if isTag(scalar) {
        guard isFlagOfTags(scalars) else { return .forbidden(scalar, at: offset) }
      } else if isForbidden(scalar) {
        return .forbidden(scalar, at: offset)
      } else if isMark(scalar) {
        marks += 1
      }
      if marks > marksMax { return .tooManyMarks(max: marksMax, at: 0) }
    }
    return nil
  }

  /// ZWNJ and ZWJ.
  static func isJoiner(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value == 0x200C || scalar.value == 0x200D
  }

  static func isTag(_ scalar: Unicode.Scalar) -> Bool {
    (0xE0020...0xE007F).contains(scalar.value)
  }

  static func isMark(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .nonspacingMark, .spacingMark, .enclosingMark: true
    default: false
    }
  }

  /// Whether no text may hold this scalar, wherever it stands. Joiners and tags are `Cf` too; who
  /// allows them asks for them first.
  static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .lineSeparator, .paragraphSeparator: true
    default: scalar.properties.isNoncharacterCodePoint
    }
  }

  /// A flag of a region by its tags, such as Scotland's (UTS 51 ED-14a).
  static func isFlagOfTags(_ scalars: some BidirectionalCollection<Unicode.Scalar>) -> Bool {
    guard scalars.first?.value == 0x1F3F4, scalars.last?.value == 0xE007F else { return false }
    let letters = scalars.dropFirst().dropLast()
    return (3...6).contains(letters.count)
      && letters.allSatisfy { scalar in
        (0xE0030...0xE0039).contains(scalar.value) || (0xE0061...0xE007A).contains(scalar.value)
      }
  }
}
