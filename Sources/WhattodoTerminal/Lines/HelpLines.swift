import Screen

/// The lines of `/help`, made from the one table.
enum HelpLines {
  /// Every command with its usage, for scripts and `--help`.
  static var all: [Line] {
    let ofScripts = CommandTable.entries.filter { !CommandTable.onlyInChat.contains($0.name) }
    let ofChat = CommandTable.entries.filter { CommandTable.onlyInChat.contains($0.name) }
    let times = CommandTable.entries.filter(\.saysTimes).map(\.name).joined(separator: ", ")
    return ofScripts.flatMap(row) + [
      Line(), Line("  Of a post that comes again these want to know which times are meant:"),
      Line("  \(times)."),
      Line("  \"rm this 3\" leaves out the next one, \"rm all 3\" removes them all."),
      Line(),
      Line("  Without a value these show it, and off takes it away (the text off is \\off):"),
    ] + cleared + [
      Line(), Line("  Only in the chat:"), Line(),
    ] + ofChat.flatMap(row)
  }

  private static var cleared: [Line] {
    let names = CommandTable.entries.filter { $0.value == .cleared }.map(\.name)
    return Line("  \(names.joined(separator: ", ")).", hang: 2).wrapped(columns: 79)
  }

  /// Returns one line, or two for a usage that leaves no room for what the command does.
  private static func row(_ entry: CommandEntry) -> [Line] {
    let call = "\(entry.name) \(entry.usage)"
    let line = Line("  ", hang: 36)
    guard call.count >= callColumns else {
      return [line.and("\(ListLines.pad(call, callColumns))", .strong).and("\(entry.help)")]
    }
    let indent = String(repeating: " ", count: callColumns)
    return [line.and("\(call)", .strong), line.and("\(indent)\(entry.help)")]
  }

  private static let callColumns = 34

  /// Returns the commands of the chat on one screen: two columns if 80 columns are there, and 24 rows with the lines
  /// around it. Commands that few people need often are there by name only.
  static func overview(columns: Int) -> [Line] {
    let entries = CommandTable.entries.filter { !$0.isRare }
    let rare = CommandTable.entries.filter(\.isRare).map { "/" + $0.name }.joined(separator: " ")
    let rows = columns < 80 ? entries.count : (entries.count + 1) / 2
    let table = (0..<rows).map { row in
      stride(from: row, to: entries.count, by: rows).reduce(Line()) { line, index in
        line.and("  ").and(cell(entries[index]))
      }
    }
    // It has no indent: there are so many names that they would need one more row with it.
    let others = Line("and ", .dim).and("\(rare)", .strong)
    return table + [others] + notes.map { Line("  ", hang: 2).and($0, .dim) }
  }

  private static let notes: [Phrase] = [
    "A line adds a post, 'TEXT talks. /help COMMAND, adding, numbers, roles: more.",
    "Tab completes commands, #lists, @people; up brings lines back; ctrl-D leaves.",
  ]

  private static func cell(_ entry: CommandEntry) -> Line {
    Line("\(ListLines.pad("/" + entry.name, 10))", .strong)
      .and("\(ListLines.pad(entry.brief, CommandEntry.briefColumnsMax))")
  }

  /// Tells of a command, or teaches a subject in the language of the person.
  static func one(_ name: String, locale: String = "") -> [Line] {
    let bare = name.hasPrefix("/") ? String(name.dropFirst()) : name
    if let topic = HelpTopic(bare, locale: locale) { return topic.lines }
    guard let entry = CommandTable.entry(named: bare) else {
      let near = CommandTable.suggestion(for: bare, slash: true)
      return [Line("there is no command /\(bare); /help shows all\(near ?? "")", .bad)]
    }
    let others = entry.names.dropFirst().map { "/" + $0 }.joined(separator: " ")
    let short = others.isEmpty ? "" : "  (also \(others))"
    let times = Line(
      "    /\(entry.name) this … or /\(entry.name) all …: of a post that comes again", .dim)
    return [
      Line("  /\(entry.name) \(entry.usage)", .strong, hang: 4).and("  \(entry.help)")
        .and("\(short)", .dim)
    ] + CommandExamples.of(entry.name).map { Line("    /\($0)", hang: 6) }
      + (entry.hint.isEmpty ? [] : [Line("    \(entry.hint)", .dim, hang: 4)])
      + value(entry.value) + (entry.saysTimes ? [times] : [])
  }

  /// Returns how a command treats the value that it can set.
  private static func value(_ rule: ValueRule) -> [Line] {
    switch rule {
    case .none: []
    case .shown: [Line("    without a value: shows it", .dim)]
    case .cleared:
      [Line("    without a value: shows it; off takes it away, \\off is the word", .dim)]
    }
  }
}
