// Makes text safe to write on a terminal. A terminal obeys bytes: ESC and C1 controls move the cursor, change keys,
// answer into standard input; bidi overrides show a line in another order. Any text, also one that `Text.line` would
// refuse (from an older server, a file name, standard input), comes through here first.
//
// Columns are those of a terminal that knows emoji. A grapheme that shows as an emoji takes two. Others take the sum of
// their scalars; a scalar behind a ZWJ is drawn into the letter before it and takes none (tmux 3.3a, which
// Tests/EndToEnd/columns.py asks; it also does so with a blank between, and is not followed there). Terminals differ
// for emoji with joiners and selectors: code that draws should place what follows by column, not by what it hopes the
// terminal did. Letters that run from right to left are kept. A terminal with bidi support orders them among
// themselves, and the text by itself has no means to order more. Code that puts it beside other words has to keep them
// apart (`runsRightToLeft`).

extension Text {
  /// Returns the text as it may be written on a terminal: one line, no control, nothing that reorders it.
  ///
  /// A tab becomes a space, and C0 and DEL become their pictures (`␛`). Everything else that `Text.line` refuses or
  /// that this system's Unicode does not know becomes U+FFFD. Marks beyond eight end in one U+FFFD. Marks at the start
  /// stand on a dotted circle, so that they do not climb on earlier text.
  package static func terminalSafe(_ text: String) -> String {
    if text.utf8.allSatisfy({ (0x20...0x7E).contains($0) }) { return text }
    var (safe, isReplaced) = replaced(text)
    // The replacement of a control may be one grapheme with what follows: a tab's space and a joiner.
    while isReplaced { (safe, isReplaced) = replaced(safe) }
    return safe
  }

  /// Returns the text with replacements, and whether there were any. Each time there is less to replace.
  private static func replaced(_ text: String) -> (String, Bool) {
    var isReplaced = false
    var safe = String.UnicodeScalarView()
    if let first = text.unicodeScalars.first, Graphemes.isMark(first) { safe.append("\u{25CC}") }
    for grapheme in text {
      if Graphemes.takes(grapheme, marksMax: marksPerGraphemeMax),
        grapheme.unicodeScalars.allSatisfy(Utf8proc.isAssigned)
      {
        safe.append(contentsOf: grapheme.unicodeScalars)
      } else {
        appendReplaced(grapheme, to: &safe)
        isReplaced = true
      }
    }
    return (String(safe), isReplaced)
  }

  private static func appendReplaced(
    _ grapheme: Character, to safe: inout String.UnicodeScalarView
  ) {
    var marks = 0
    for scalar in grapheme.unicodeScalars {
      if Graphemes.isMark(scalar), Utf8proc.isAssigned(scalar) {
        marks += 1
        if marks <= marksPerGraphemeMax { safe.append(scalar) }
        if marks == marksPerGraphemeMax + 1 { safe.append("\u{FFFD}") }
      } else {
        safe.append(replacement(of: scalar))
      }
    }
  }

  private static func replacement(of scalar: Unicode.Scalar) -> Unicode.Scalar {
    switch scalar.value {
    case 0x09: return " "
    case 0x00...0x1F: return Unicode.Scalar(0x2400 + scalar.value) ?? "\u{FFFD}"
    case 0x7F: return "\u{2421}"
    default:
      return Graphemes.isForbidden(scalar) || !Utf8proc.isAssigned(scalar) ? "\u{FFFD}" : scalar
    }
  }

  /// Answers whether a terminal may order some of the text, and with it what stands beside it, from right to left.
  package static func runsRightToLeft(_ text: String) -> Bool {
    text.unicodeScalars.contains { $0.value >= 0x590 && Utf8proc.runsRightToLeft($0) }
  }

  /// Returns the columns that a `terminalSafe` text takes.
  package static func columns(of text: String) -> Int {
    var isJoined = false
    return text.reduce(0) { $0 + columns(of: $1, isJoined: &isJoined) }
  }

  /// Returns the columns that one grapheme takes: 0, 1 or 2, and more for a conjunct of several letters.
  package static func columns(of grapheme: Character) -> Int {
    var isJoined = false
    return columns(of: grapheme, isJoined: &isJoined)
  }

  /// Returns the same for the next grapheme of a text. `isJoined` says whether the one before it ended in a ZWJ, as the
  /// graphemes of some scripts do (Sinhala, Kannada), so that this one joins it. It is false at the beginning.
  package static func columns(of grapheme: Character, isJoined: inout Bool) -> Int {
    let scalars = grapheme.unicodeScalars
    guard let base = scalars.first else { return 0 }
    if scalars.dropFirst().isEmpty, base.isASCII {
      isJoined = false
      return (0x20...0x7E).contains(base.value) ? 1 : 0
    }
    let isRegionalIndicator = (0x1F1E6...0x1F1FF).contains(base.value)
    let isEmoji =
      base.properties.isEmojiPresentation && !isRegionalIndicator
      || base.properties.isEmoji && scalars.contains("\u{FE0F}")
    var columns = isEmoji ? 2 : 0
    for scalar in scalars {
      if !isJoined, !isEmoji { columns += Utf8proc.columns(of: scalar) }
      isJoined = scalar == "\u{200D}"
    }
    return columns
  }

  /// Returns the text with `_` for graphemes about which terminals do not agree, some by six columns: emoji with
  /// joiners, variants, flags. It is for a row that must not wrap.
  package static func evenColumns(_ text: String) -> String {
    String(text.map { isUneven($0) ? "_" : $0 })
  }

  private static func isUneven(_ grapheme: Character) -> Bool {
    let scalars = grapheme.unicodeScalars
    return scalars.count > 1
      && scalars.contains {
        $0.value == 0x200D || $0.value == 0xFE0F || $0.properties.isEmojiPresentation
      }
  }

  /// Returns the longest start of the text, in whole graphemes, that fits. It ends in `…` when something was cut.
  package static func truncated(_ text: String, columns: Int) -> String {
    guard self.columns(of: text) > columns else { return text }
    guard columns > 0 else { return "" }
    var room = columns - 1
    var isJoined = false
    let kept = text.prefix { grapheme in
      room -= self.columns(of: grapheme, isJoined: &isJoined)
      return room >= 0
    }
    return kept + "…"
  }
}
