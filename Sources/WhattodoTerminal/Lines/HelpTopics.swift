import QuickAdd
import Screen

/// A subject that `/help` teaches besides the commands.
enum HelpTopic: Equatable {
  /// The words that a typed line is read by, in the language with this code.
  case adding(locale: String)
  case numbers
  case roles

  /// The subjects in the order in which the help names them.
  static let all: [HelpTopic] = [.adding(locale: "en"), .numbers, .roles]

  /// Reads the words behind `/help`: `adding`, `adding de`. Nil when they are no subject. `locale` is the language of
  /// the person, which counts when the words name none.
  init?(_ text: String, locale: String) {
    let words = text.lowercased().split(separator: " ").map(String.init)
    switch (words.first, words.dropFirst().first, words.count) {
    case ("adding", nil, _): self = .adding(locale: locale)
    case ("adding", let language?, 2) where Language.locales.contains(language):
      self = .adding(locale: language)
    case ("numbers", nil, _): self = .numbers
    case ("roles", nil, _): self = .roles
    default: return nil
    }
  }

  var word: String {
    switch self {
    case .adding: "adding"
    case .numbers: "numbers"
    case .roles: "roles"
    }
  }

  var lines: [Line] {
    switch self {
    case .adding(let locale): HelpTopic.adding(.of(locale))
    case .numbers: HelpTopic.numberLines
    case .roles: HelpTopic.roleLines
    }
  }

  private static func adding(_ it: AddingExamples) -> [Line] {
    let others = Language.locales.map { "/help adding \($0)" }.joined(separator: ", ")
    return [
      Line(
        "  A plain line adds a post. Words that say when, how long, how much it matters", hang: 2),
      Line("  or whose it is are taken out of its title:"), Line(),
      Line("  ").and("\(it.line)", .strong), Line(),
      row("day", it.days), row("time", it.times), row("again", it.rules),
      row("until", it.spans), row("length", it.lengths), row("priority", it.priorities),
      row("marks", ["+TAG", "@PERSON", "#LIST"]), Line(),
      Line(
        "  A word behind a \\ stays in the title: \\tomorrow. /plain takes the last line back.",
        .dim, hang: 2),
      Line("  \(it.fromDone) counts from the day when it was done.", .dim, hang: 2),
      Line("  In other languages: \(others)", .dim, hang: 2),
    ]
  }

  private static let numberLines: [Line] =
    [
      Line(
        "  A post has the number that its list shows, and keeps it as long as it is in that list.",
        hang: 2), Line(),
    ]
    + rows([
      ("/done 3", "the post #3 of the open list"),
      ("/done 3 5-9", "several at once, also a range; /undo takes all of it back"),
      ("/done #chores 2", "a post of another list"),
      ("/done #groceries 3 #chores 2 4", "posts of several lists"),
      ("/done 12.3", "the third step of #12"),
      ("/react 12.c3 👍", "a sign for the third comment on #12, as /talk 12 shows them"),
      ("/answer 57 yes", "to the line 57, as /talk shows it"),
      ("/show #12", "all of one post"),
      ("/open 2", "the second of /lists"),
    ])

  private static let roleLines: [Line] =
    [
      Line("  A role in a list or group also allows everything of the rows above it.", hang: 2),
      Line(),
    ]
    + rows([
      (
        "viewer",
        "sees everything, finds it, leaves; /plan, /remind, /private and /watch are one's own"
      ),
      ("commenter", "/say, /comment, /answer; /resay and /unsay of one's own; /react"),
      ("doer", "/done of what is nobody's or their own, /reopen of what they did, /claim, /undo"),
      ("editor", "/add, /edit, /due, /repeat, /tag, /assign, /move, /copy, /rm, /rename"),
      ("admin", "/invite, /kick, /role, /link, /archive; /undo of what others did"),
      ("owner", "/rm and /restore of the list itself, /purge of what others wrote"),
    ])
    + [
      Line(),
      Line("  /role PERSON editor gives a role, never one above one's own.", .dim, hang: 2),
    ]

  private static func row(_ name: String, _ examples: [String]) -> Line {
    Line("  \(ListLines.pad("\(name)", 10))", hang: 12)
      .and("\(examples.joined(separator: " · "))", .strong)
  }

  private static func rows(_ rows: [(String, String)]) -> [Line] {
    let columns = (rows.map(\.0.count).max() ?? 0) + 2
    return rows.map { call, text in
      Line("  ", hang: columns + 2).and("\(ListLines.pad("\(call)", columns))", .strong)
        .and("\(text)")
    }
  }
}
