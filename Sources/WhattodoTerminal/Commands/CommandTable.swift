// The one table of commands. The parser, `/help`, completion and the tests read it. A line of a chat is a command when
// it begins with `/`. A script gives the same words without it (`whattodo do 'add …'`).

import Domain
import Sync

/// One row of the table: the names of a command, what it does, and how its words are read.
struct CommandEntry: Sendable {
  /// The name of the command first, then its short forms.
  let names: [String]
  /// The form of the words behind the name.
  let usage: String
  /// A short text for the overview of the chat, at most `briefColumnsMax` columns.
  let brief: String
  let help: String
  /// Whether the overview of the chat, which is one screen, shows only the name.
  let isRare: Bool
  /// Whether `this` or `all` may stand before its words, to say which times of a post that comes again are meant.
  let saysTimes: Bool
  /// How the command treats the value that it can set.
  let value: ValueRule
  /// An example of right words, shown after wrong ones when `usage` does not say enough.
  let hint: String
  /// Reads the words behind the name. Returns nil when they do not match `usage`.
  let parse: @Sendable (inout Words) -> Action?

  init(
    _ names: String..., usage: String = "", brief: String, help: String, rare: Bool = false,
    times: Bool = false, value: ValueRule = .none, hint: String = "",
    parse: @escaping @Sendable (inout Words) -> Action?
  ) {
    self.names = names
    self.usage = usage
    self.brief = brief
    self.help = help
    isRare = rare
    saysTimes = times
    self.value = value
    self.hint = hint
    self.parse = parse
  }

  var name: String { names[0] }

  /// Returns the hint for a wrong line. A line with `this` or `all` gets the form in which these words are written.
  func hint(for line: String) -> String {
    let words = line.lowercased().split(separator: " ").map(String.init)
    guard saysTimes, words.contains(where: { Times(rawValue: $0) != nil }) else { return hint }
    return "\(name) this … or \(name) all …, of posts that come again"
  }

  /// The width at which two commands with their names fit side by side into 80 columns.
  static let briefColumnsMax = 27
}

enum CommandTable {
  /// All commands, in the order of `/help`.
  static let entries: [CommandEntry] = [
    reading, views, [digest], stats, [twins], filters, posts, talk, fields, contests, personal,
    lists, people, bots, account,
  ].flatMap { $0 }

  static let reading: [CommandEntry] = [
    CommandEntry(
      "lists", "l", brief: "your lists and groups",
      help: "your lists and groups, what is open and new"
    ) {
      $0.done(.show(.lists))
    },
    CommandEntry(
      "open", "o", usage: "LIST", brief: "work in a list",
      help: "work in a list: #name or its number"
    ) {
      $0.rest().map { .list(.open(Reference($0))) }
    },
    CommandEntry(
      "show", "s", usage: "[LIST] [done] | #NUMBER", brief: "the posts of a list",
      help: "the posts of a list, or one and its steps"
    ) { words in
      if let (list, number) = words.post() { return .show(.post(list, number)) }
      let done = words.skipLast("done")
      return .show(.posts(words.rest().map { Reference($0) }, done: done))
    },
    CommandEntry(
      "n", "news", usage: "[LIST] [read]", brief: "what is new",
      help: "what happened since you last looked",
      hint: "read marks it as read without a look: n #groceries read, n read for all"
    ) { words in
      let isRead = words.skipLast("read")
      let place = words.rest().map { Reference($0) }
      return isRead ? .account(.markRead(place)) : .ask(.notifications(place))
    },
    CommandEntry(
      "who", usage: "[LIST] \(StatsSpan.usage)", brief: "who is there, what they did",
      help: "who is there and what each did"
    ) { words in
      let span = words.span()
      return .ask(.who(words.rest().map { Reference($0) }, span))
    },
    CommandEntry(
      "history", usage: "[#LIST] [NUMBER [runs]] | GROUP", brief: "who did what",
      help: "who did what there, or to a post", rare: true
    ) { words in
      let list = words.reference()
      let number = words.number()
      if let number, words.skip("runs") { return words.done(.ask(.runs(list, number))) }
      guard list == nil, number == nil, let group = words.rest() else {
        return words.done(.ask(.history(list, number)))
      }
      return .ask(.history(Reference(group), nil))
    },
    CommandEntry(
      "glance", brief: "how much there is", help: "numbers only, for a status bar", rare: true
    ) {
      $0.done(.ask(.glance))
    },
    CommandEntry(
      "why", usage: "[#LIST] NUMBER|@PERSON", brief: "why you are told of it",
      help: "why you are told of it, and what happened", rare: true
    ) { words in
      if let about = words.aboutPost() { return words.done(.ask(.why(about.list, about.number))) }
      let list = words.reference()
      guard words.peek()?.hasPrefix("@") == true, let person = words.person() else { return nil }
      return words.done(.ask(.whyPerson(list, person)))
    },
    CommandEntry(
      "find", "f", usage: "[#LIST] WORDS", brief: "find posts by words",
      help: "posts with all these words"
    ) { words in
      let list = words.reference()
      return words.rest().map { .ask(.find($0, in: list)) }
    },
  ]

  static let posts: [CommandEntry] = [
    CommandEntry(
      "add", "a", usage: "[#LIST] TITLE", brief: "add a post",
      help: "add a post with exactly this title"
    ) {
      words in
      let list = words.reference()
      return words.rest().map { .post(.add(list, title: $0)) }
    },
    CommandEntry(
      "plain", usage: "[WORD…]", brief: "a line's words are words",
      help: "a \\ before a word does it before", rare: true
    ) {
      .post(.plain($0.rest()?.split(separator: " ").map(String.init) ?? []))
    },
    CommandEntry(
      "done", "d", "x", usage: "[#LIST] NUMBER… [all]", brief: "complete posts",
      help: "complete posts, or steps (12.3)"
    ) { words in
      let isForAll = words.skipLast("all")
      return words.picked(isForAll ? PostAction.completeForAll : PostAction.complete)
    },
    CommandEntry(
      "reopen", usage: "[#LIST] NUMBER…", brief: "take a completion back",
      help: "take a completion back, or the last time", rare: true
    ) {
      $0.picked(PostAction.reopen)
    },
    CommandEntry(
      "edit", "e", usage: "[#LIST] NUMBER [TITLE]", brief: "change a post's title",
      help: "give a post another title", times: true, value: .shown
    ) { words in
      let list = words.listBeforePostNumbers()
      guard let number = words.postNumber() else { return nil }
      return words.rest().map { .field(.title(list, number, $0)) }
        ?? .show(.value(list, number, .title))
    },
    CommandEntry(
      "step", usage: "[#LIST] NUMBER [TEXT]", brief: "add a step to a post",
      help: "add a step; /done 12.3 finishes one", value: .shown
    ) { words in
      guard let post = words.aboutPost() else { return nil }
      return words.rest().map { .post(.addStep(post.list, post.number, $0)) }
        ?? .show(.post(post.list, post.number))
    },
    CommandEntry(
      "move", usage: "[#LIST] NUMBER…|#LIST… WHERE", brief: "another order or list",
      help: "top, bottom, before NUMBER/#LIST, to #LIST",
      hint: "1 top, 3 before 1, 2 to #groceries"
    ) { words in
      words.moved()
    },
    CommandEntry(
      "note", usage: "[#LIST] NUMBER [TEXT|off]", brief: "write a post's notes",
      help: "write a post's notes", times: true, value: .cleared
    ) {
      $0.field(.notes) { .notes($0, $1, $2 ?? "") }
    },
    CommandEntry(
      "rm", usage: "[#LIST] NUMBER… | #LIST…", brief: "remove posts or a list",
      help: "remove posts, or a list", times: true
    ) { words in
      words.lists(ListAction.remove) ?? words.picked(PostAction.remove)
    },
    CommandEntry(
      "restore", usage: "[#LIST] NUMBER… | #LIST…", brief: "bring back what was removed",
      help: "bring back what was removed", rare: true,
      hint: "3, #groceries, or list 2: the second one of /bin lists"
    ) {
      words in
      if words.skip("list") {
        let numbers = words.numbers()
        guard !numbers.isEmpty else { return nil }
        return words.done(.list(.restore(numbers.map { Reference("\($0)") })))
      }
      let lists = words.listsAlone()
      return lists.isEmpty ? words.numbered(PostAction.restore) : .list(.restore(lists))
    },
    CommandEntry(
      "purge", usage: "[#LIST] NUMBER…", brief: "take removed texts away",
      help: "take a removed text away for good", rare: true
    ) {
      $0.numbered(PostAction.purge)
    },
    CommandEntry(
      "tag", usage: "[#LIST] NUMBER… TAG…", brief: "put tags on posts",
      help: "put tags on posts; new ones are made", value: .cleared,
      hint: "3 urgent; off takes all tags off, +off is a tag"
    ) {
      $0.look(at: .tags) ?? $0.allOff(MarkAction.untagAll) ?? $0.tagged(MarkAction.tag)
    },
    CommandEntry(
      "untag", usage: "[#LIST] NUMBER… TAG…", brief: "take tags off posts",
      help: "take tags off posts", rare: true
    ) {
      $0.tagged(MarkAction.untag)
    },
    CommandEntry(
      "tags", usage: "[#LIST] [WORD TAG …]", brief: "the tags of a list",
      help: "a list's tags; rename, color, remove", rare: true, value: .cleared,
      hint: "rename urgent hot; color urgent red, color urgent off; remove urgent"
    ) {
      $0.tagAction()
    },
    CommandEntry(
      "assign", usage: "[#LIST] NUMBER… PERSON…", brief: "make posts somebody's work",
      help: "make posts somebody's work", value: .cleared,
      hint: "3 @editor; off makes it nobody's, @off is a person"
    ) {
      $0.look(at: .assignees) ?? $0.allOff(MarkAction.unassignAll)
        ?? $0.given(MarkAction.assign)
    },
    CommandEntry(
      "unassign", usage: "[#LIST] NUMBER… PERSON…", brief: "take that back",
      help: "posts are no longer somebody's work", rare: true
    ) {
      $0.given(MarkAction.unassign)
    },
    CommandEntry(
      "handover", usage: "[#LIST] [since TIME] | PERSON to PERSON [in #LIST]",
      brief: "hand a list or work over", help: "what is open and new; or give work away",
      rare: true, hint: "since 8h, 14:30, yesterday or 2026-11-21"
    ) {
      $0.handOver()
    },
    CommandEntry(
      "undo", usage: "[LIST]", brief: "take your last change back",
      help: "take back your last change, or a list's"
    ) {
      .undo($0.rest().map { Reference($0) })
    },
    CommandEntry(
      "redo", usage: "[LIST]", brief: "take your last undo back",
      help: "take your last undo back", rare: true
    ) {
      .redo($0.rest().map { Reference($0) })
    },
    CommandEntry(
      "unsent", usage: "[NUMBER WORD]", brief: "what was refused",
      help: "what was refused, and what to do with it", rare: true
    ) { words in
      guard let number = words.number() else { return words.done(.unsent(nil)) }
      guard let step = words.next().flatMap({ UnsentStep($0, number) }) else { return nil }
      return words.done(.unsent(step))
    },
    CommandEntry(
      "bin", usage: "[LIST | lists]", brief: "what was removed",
      help: "posts, and until when; lists and groups",
      rare: true
    ) { words in
      guard let text = words.rest() else { return .ask(.bin(nil)) }
      return text == "lists" ? .ask(.removedPlaces) : .ask(.bin(Reference(text)))
    },
  ]

  static let lists: [CommandEntry] = [
    CommandEntry(
      "new", usage: "NAME [in GROUP]", brief: "make a list",
      help: "a new list, of your own or of a group"
    ) {
      words in
      guard let (text, group) = words.split(at: "in"), let name = Words.listName(text) else {
        return nil
      }
      return .list(.new(name, group: group))
    },
    CommandEntry(
      "rename", usage: "[#LIST] [NAME]", brief: "rename a list", help: "give a list another name",
      rare: true, value: .shown
    ) { words in
      let list = words.reference()
      guard let text = words.rest() else { return .show(.listValue(list, .name)) }
      return Words.listName(text).map { .list(.rename(list, $0)) }
    },
    CommandEntry(
      "archive", usage: "[#LIST…]", brief: "put lists away",
      help: "lists are only read; alone: shows which", rare: true
    ) {
      $0.isAtEnd ? .show(.archived) : $0.lists(ListAction.archive)
    },
    CommandEntry(
      "unarchive", usage: "#LIST…", brief: "open archived lists again",
      help: "open archived lists again", rare: true
    ) {
      $0.lists(ListAction.unarchive)
    },
    CommandEntry(
      "group", "g", usage: "[NAME | WORD GROUP …]", brief: "your groups; make one",
      help: "show, make; new, rename, remove, restore"
    ) { words in
      if let action = words.groupAction() { return .group(action) }
      if words.skip("new") { return words.rest().map { .group(.new($0)) } }
      // Such a verb without its other words is not taken as a name; "/group new remove" makes a group with that name.
      if let verb = words.peek(), Words.groupVerbs.contains(verb) { return nil }
      return words.rest().map { .group(.named($0)) } ?? .show(.groups)
    },
  ]

  static let account: [CommandEntry] = [
    CommandEntry(
      "me", usage: "[WORD TEXT | upgrade NAME]", brief: "your profile and day",
      help: "name, location, zone, locale, invited", value: .cleared
    ) { words in
      guard let field = words.next() else { return .account(.profile) }
      if field == "upgrade" { return words.upgrade() }
      let value = words.value()
      if value == .nothing { return ProfileEdit.fields.contains(field) ? .account(.profile) : nil }
      return ProfileEdit(field: field, value).map { .account(.editProfile($0)) }
    },
    CommandEntry(
      "password", brief: "change your password", help: "change it; signs other devices out",
      rare: true
    ) {
      $0.done(.account(.password))
    },
    CommandEntry(
      "account", usage: "[delete USERNAME | keep]", brief: "end your account",
      help: "end your account, or keep it after all", rare: true
    ) { words in
      guard let word = words.next() else { return .account(.show) }
      switch word {
      case "keep": return words.done(.account(.keep))
      case "delete": return words.person().flatMap { words.done(.account(.delete($0))) }
      default: return nil
      }
    },
    CommandEntry(
      "export", usage: "FILE", brief: "all that is yours in a file",
      help: "all that you may read, into a new file", rare: true
    ) {
      $0.rest().map { .account(.export($0)) }
    },
    CommandEntry(
      "sessions", usage: "[close NUMBER]", brief: "your devices",
      help: "your devices; sign one out",
      rare: true
    ) { words in
      guard words.skip("close") else { return words.done(.account(.sessions)) }
      return words.number().flatMap { words.done(.account(.closeSession($0))) }
    },
    CommandEntry(
      "pair", brief: "sign in another device",
      help: "a code for another device of yours", rare: true
    ) {
      $0.done(.account(.pair))
    },
    CommandEntry(
      "about", "privacy", brief: "the server, and your data",
      help: "the server, what it does with your data", rare: true
    ) {
      $0.done(.ask(.privacy))
    },
    CommandEntry(
      "recover", brief: "after a lost password", help: "for who lost the password: first /logout",
      rare: true
    ) {
      $0.done(.program(.recover))
    },
    CommandEntry(
      "logout", brief: "sign out, delete all here",
      help: "sign out here and delete all that is local", rare: true
    ) {
      $0.done(.program(.logout))
    },
    CommandEntry(
      "help", "h", "?", usage: "[COMMAND]", brief: "this help",
      help: "this help, or more of a command",
      hint: "also: help adding [en|de|es|fr], help numbers, help roles"
    ) {
      .program(.help($0.rest()))
    },
    CommandEntry(
      "quit", "q", "exit", brief: "leave; you stay signed in",
      help: "leave the chat; you stay signed in"
    ) {
      $0.done(.program(.quit))
    },
  ]

  /// The commands that only a chat has: they are about what is on its screen, or ask for a secret there.
  static let onlyInChat: Set = ["open", "plain", "unsent", "back", "password", "recover", "quit"]

  static func entry(named name: some StringProtocol) -> CommandEntry? {
    let name = name.lowercased()
    return entries.first { $0.names.contains(name) }
  }
}

extension UnsentStep {
  fileprivate init?(_ word: String, _ number: Int) {
    switch word {
    case "again": self = .again(number)
    case "drop": self = .drop(number)
    default:
      guard let choice = Conflict.Choice(rawValue: word) else { return nil }
      self = .choose(number, choice)
    }
  }
}

extension ProfileEdit {
  fileprivate static let fields = ["name", "location", "zone", "locale", "invited"]

  /// Reads a field of the profile and its value. Everybody has a name and a zone, so `off` clears neither. Nil when the
  /// field or the value is unknown.
  fileprivate init?(field: String, _ value: SaidValue) {
    switch (field, value) {
    case ("name", .some(let text)): self.init(name: text)
    case ("location", .some(let text)): self.init(location: text)
    case ("location", .off): self.init(location: "")
    case ("zone", .some(let text)): self.init(zone: text)
    case ("locale", .some(let text)): self.init(locale: text)
    case ("locale", .off): self.init(locale: "")
    case ("invited", .some(let text)):
      guard let word = InvitedBy(rawValue: text.lowercased()) else { return nil }
      self.init(invitedBy: word)
    default: return nil
    }
  }
}
