// Takes away what pasted and typed text carries without showing it (zero-width spaces, soft hyphens, byte order marks,
// marks of direction …), so that nobody is told of a code point that nobody can see. Clients do this before they send a
// text. A server refuses the same scalars (Text.swift), since it must not change what it was given.
//
// Everything that shows is kept. Some scalars that do not show stay too, because a script or a picture needs them:
// - ZWJ and ZWNJ behind a letter, a mark or a picture of a script beyond Latin, Greek, Cyrillic and Armenian (Persian,
//   Indic …), and ZWJ between two pictures;
// - tags in a flag;
// - U+FE0E and U+FE0F behind what may be an emoji, the other selectors behind a letter or a sign, those of ideographs
//   (U+E0100–E01EF) and of Mongolian behind their own;
// - U+034F between two marks.
// Blanks that take room (U+00A0, U+3000, U+3164, U+2800) are not touched here. Neither are controls, private and
// non-characters, and formats that show (U+0600 …): the server says where they are. Scalars that end a line without
// showing it (U+0085, U+2028, U+2029) become a blank, or in notes a line feed.

extension Text {
  /// Returns a text of one line without what shows as nothing. U+0085, U+2028 and U+2029 become blanks. A text that
  /// needs no cleaning is returned as it is.
  package static func cleaned(line: String) -> String {
    guard line.unicodeScalars.contains(where: { $0.value >= 0x85 }) else { return line }
    return cleaned(Array(line.unicodeScalars), endOfLine: " ")
  }

  /// Returns a text of several lines without what shows as nothing. The same three and a lone CR become line feeds.
  package static func cleaned(notes: String) -> String {
    let text = withLineFeeds(notes)
    guard text.unicodeScalars.contains(where: { $0.value >= 0x85 || $0 == "\r" }) else {
      return text
    }
    return cleaned(
      text.unicodeScalars.map { $0 == "\r" ? "\u{85}" : $0 }, endOfLine: "\n")
  }

  private static func cleaned(_ scalars: [Unicode.Scalar], endOfLine: Unicode.Scalar) -> String {
    var cleaning = Cleaning(scalars, endOfLine: endOfLine)
    return cleaning.run()
  }
}

/// One walk over the scalars of a text.
private struct Cleaning {
  private let scalars: [Unicode.Scalar]
  private let endOfLine: Unicode.Scalar
  private var kept = String.UnicodeScalarView()
  /// Whether the grapheme that is being kept is a blank with marks. A joiner has no place there.
  private var standsOnBlank = false

  init(_ scalars: [Unicode.Scalar], endOfLine: Unicode.Scalar) {
    self.scalars = scalars
    self.endOfLine = endOfLine
  }

  mutating func run() -> String {
    var place = 0
    while place < scalars.count {
      let scalar = scalars[place]
      if let end = flagOfTags(at: place) {
        kept.append(contentsOf: scalars[place..<end])
        place = end
        continue
      }
      if Cleaning.endsLine(scalar) {
        keep(endOfLine)
      } else if isKept(scalar, at: place) {
        keep(scalar)
      }
      place += 1
    }
    return String(kept)
  }

  private mutating func keep(_ scalar: Unicode.Scalar) {
    if !Graphemes.isMark(scalar), !Graphemes.isJoiner(scalar) {
      standsOnBlank = scalar.properties.isWhitespace
    }
    kept.append(scalar)
  }

  private static func endsLine(_ scalar: Unicode.Scalar) -> Bool {
    scalar == "\u{85}" || scalar == "\u{2028}" || scalar == "\u{2029}"
  }

  /// Returns the place behind the tags, where a flag of tags begins here. Nil where none does.
  private func flagOfTags(at place: Int) -> Int? {
    guard scalars[place].value == 0x1F3F4 else { return nil }
    let end = scalars[(place + 1)...].firstIndex { !Graphemes.isTag($0) } ?? scalars.count
    return Graphemes.isFlagOfTags(scalars[place..<end]) ? end : nil
  }

  private func isKept(_ scalar: Unicode.Scalar, at place: Int) -> Bool {
    switch scalar.value {
    case 0..<0xAD: return true
    case 0x200C: return joins(isVisible: false, at: place)
    case 0x200D: return joins(isVisible: true, at: place)
    case 0x34F: return isBetweenMarks(place)
    case 0x17B4, 0x17B5: return false
    case 0x180B...0x180D, 0x180F:
      return kept.last.map { (0x1820...0x18AA).contains($0.value) } ?? false
    case 0xFE00...0xFE0D: return kept.last.map(Cleaning.isBase) ?? false
    case 0xFE0E, 0xFE0F: return kept.last?.properties.isEmoji ?? false
    case 0xE0100...0xE01EF: return kept.last?.properties.isIdeographic ?? false
    default: return !Cleaning.isInvisibleFormat(scalar) && !Cleaning.isKeptForFormats(scalar)
    }
  }

  /// Answers whether Unicode keeps the scalar for formats to come, such as U+2065. It shows as nothing already.
  private static func isKeptForFormats(_ scalar: Unicode.Scalar) -> Bool {
    scalar.properties.isDefaultIgnorableCodePoint
      && scalar.properties.generalCategory == .unassigned
  }

  /// Answers whether the scalar is a format that shows nothing. Formats that stand before digits and letters and are
  /// drawn around them are not such.
  private static func isInvisibleFormat(_ scalar: Unicode.Scalar) -> Bool {
    guard scalar.properties.generalCategory == .format else { return false }
    switch scalar.value {
    case 0x600...0x605, 0x6DD, 0x70F, 0x890...0x891, 0x8E2, 0x110BD, 0x110CD: return false
    default: return true
    }
  }

  /// Answers whether a joiner may stay. Between pictures it needs another picture behind it.
  private func joins(isVisible: Bool, at place: Int) -> Bool {
    guard let before = kept.last, before.value >= 0x590, !standsOnBlank else { return false }
    if Cleaning.isPicture(before) || before.value == 0xFE0F {
      let next = place + 1 < scalars.count ? scalars[place + 1] : nil
      return isVisible && (next.map(Cleaning.isPicture) ?? false)
    }
    return Cleaning.isBase(before) || Graphemes.isMark(before)
  }

  private func isBetweenMarks(_ place: Int) -> Bool {
    guard let before = kept.last, place + 1 < scalars.count else { return false }
    return [before, scalars[place + 1]].allSatisfy {
      Graphemes.isMark($0) && !$0.properties.isDefaultIgnorableCodePoint
    }
  }

  private static func isPicture(_ scalar: Unicode.Scalar) -> Bool {
    scalar.value >= 0x2000 && scalar.properties.isEmoji
  }

  /// Answers whether the scalar shows by itself, so that a selector or a joiner behind it has an effect.
  private static func isBase(_ scalar: Unicode.Scalar) -> Bool {
    Showing.shows(scalar) && !Graphemes.isForbidden(scalar)
  }
}
