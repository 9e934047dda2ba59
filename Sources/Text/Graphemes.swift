/// The rules for one grapheme (UAX 29), as at the top of `Text.swift`.
///
/// Here and wherever text may be hostile, graphemes are looked at by their scalars: the standard library compares
/// Characters (also inside `asciiValue`) in a time quadratic in their marks, seconds for 64 KiB.
enum Graphemes {
  /// Throws for what the rules refuse. Returns the number of marks and joiners that follow on other scalars. The place
  /// of an error counts scalars of the grapheme.
  static func marks(
    in scalars: Character.UnicodeScalarView, marksMax: Int
  ) throws(TextError) -> Int {
    guard let base = scalars.first else { return 0 }
    if scalars.index(after: scalars.startIndex) == scalars.endIndex {
      // Nearly all graphemes are of one scalar: they need one question to the tables of Unicode instead of four.
      if isJoiner(base) || isTag(base) || isForbidden(base) { throw .forbidden(base, at: 0) }
      return 0
    }
    var (offset, marks) = (0, 0)
    for scalar in scalars {
      if isJoiner(scalar) {
        guard offset > 0, !base.properties.isWhitespace, !isJoiner(base) else {
          throw .forbidden(scalar, at: offset)
        }
        marks += 1
      } else if isTag(scalar) {
        guard isFlagOfTags(scalars) else { throw .forbidden(scalar, at: offset) }
      } else if isForbidden(scalar) {
        throw .forbidden(scalar, at: offset)
      } else if isMark(scalar) {
        marks += 1
      }
      if marks > marksMax { throw .tooManyMarks(max: marksMax, at: 0) }
      offset += 1
    }
    return marks
  }

  /// Answers whether the rules accept the whole grapheme.
  static func takes(_ grapheme: Character, marksMax: Int) -> Bool {
    do {
      _ = try marks(in: grapheme.unicodeScalars, marksMax: marksMax)
      return true
    } catch {
      return false
    }
  }

  /// Answers whether the scalar is ZWNJ or ZWJ.
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

  /// Answers whether no text may hold this scalar, wherever it stands. Joiners and tags are `Cf` too; code that allows
  /// them asks for them first.
  static func isForbidden(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.properties.generalCategory {
    case .control, .format, .surrogate, .privateUse, .lineSeparator, .paragraphSeparator: true
    default: isNoncharacter(scalar)
    }
  }

  /// Answers by Unicode 23.7: the last two scalars of each plane, and 32 among the Arabic forms.
  private static func isNoncharacter(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value & 0xFFFE == 0xFFFE || (0xFDD0...0xFDEF).contains(scalar.value)
  }

  /// Answers whether this is a flag of a region by its tags, such as Scotland's (UTS 51 ED-14a).
  static func isFlagOfTags(_ scalars: some BidirectionalCollection<Unicode.Scalar>) -> Bool {
    guard scalars.first?.value == 0x1F3F4, scalars.last?.value == 0xE007F else { return false }
    let letters = scalars.dropFirst().dropLast()
    return (3...6).contains(letters.count)
      && letters.allSatisfy { scalar in
        (0xE0030...0xE0039).contains(scalar.value) || (0xE0061...0xE007A).contains(scalar.value)
      }
  }
}
