// The output of `--json`: one object on one line. `ok` is always there; the rest depends on the command, and
// `protocol/schema/scripts.json` has all of it. A test runs every command and compares. Whatever is added here is added
// there, and a name that was there keeps its form: scripts rest on it.
//
// Changes answer with `results`, one for each: the id of what it was about, and the number and version of a post.
// Failures are `{"ok":false,"kind":"not_found","message":"…"}`. The kinds are those of protocol §11, `usage`, `ask` and
// `again`.

import Client
import Domain
import Screen
import Sync
import Wire

/// Writes the output that scripts read.
enum JSONOutput {
  /// Returns the object of a failure. `line` is the number of a line of standard input, from 1.
  static func failure(kind: String, sentence: String, line: Int? = nil) -> String {
    object { writer in
      writer.member("ok", false)
      writer.member("kind", kind)
      writer.member("message", sentence)
      if let line { writer.member("line", line) }
    }
  }

  /// Returns the object of `help`: `{"ok":true,"commands":[{"name","also","usage","help","hint"?,"chat"?}]}`. `chat`
  /// says that only a chat has the command.
  static func help(_ entries: [CommandEntry]) -> String {
    object { writer in
      writer.member("ok", true)
      writer.array("commands", entries) { entry, writer in
        writer.member("name", entry.name)
        writer.key("also")
        writer.beginArray()
        for name in entry.names.dropFirst() { writer.string(name) }
        writer.endArray()
        writer.member("usage", entry.usage)
        writer.member("help", entry.help)
        writer.texts("examples", CommandExamples.of(entry.name))
        if !entry.hint.isEmpty { writer.member("hint", entry.hint) }
        if CommandTable.onlyInChat.contains(entry.name) { writer.member("chat", true) }
      }
    }
  }

  static func help(_ topic: HelpTopic) -> String {
    object { writer in
      writer.member("ok", true)
      writer.member("topic", topic.word)
      writer.texts("lines", topic.lines.map(\.plain))
    }
  }

  static func view(_ view: View, _ situation: Situation) -> String {
    object { writer in
      writer.member("ok", true)
      switch view {
      case .lists:
        writer.array("lists", situation.catalog.lists.enumerated()) { row, writer in
          list(row.element, number: row.offset + 1, situation, &writer)
        }
        groups(situation, &writer)
        let invitations = situation.invitations
        writer.array("invitations", invitations) { invitation, writer in
          let number = situation.shown.invitations.number(of: invitation, among: invitations)
          writer.member("number", number)
          writer.member("id", "\(invitation.id)")
          writer.member("to", invitation.streamName)
          writer.person("by", invitation.sent.by, invitation.senderUsername)
          writer.member("role", invitation.role.word)
        }
      case .groups: groups(situation, &writer)
      case .group(let group): page(of: group, situation, &writer)
      case .tags(let category):
        list(category, situation, &writer)
        let tags = situation.streams[.category(category.id)]?.tags ?? []
        writer.array("tags", tags) { $1.tag($0) }
      case .talk(let place, let post): writer.talk(of: place, about: post, situation)
      case .line(let line, let place): writer.talk([line], of: place, about: nil, situation)
      case .archived: archived(situation, &writer)
      case .filters: filters(situation, &writer)
      case .blocks:
        writer.array("blocks", situation.ownStream?.blocks ?? []) { block, writer in
          writer.person(block.user, block.username)
        }
      case .settings: settings(situation.settings, &writer)
      case .levels: levels(situation, &writer)
      case .account: account(situation.ownStream?.profile, &writer)
      // Refusals that wait belong to the chat; a script is told of a refusal at once.
      case .unsent: break
      case .value(let value): self.value(value, situation, &writer)
      case .post(let item, let category):
        list(category, situation, &writer)
        writer.object("post") { post(item, situation, in: category, &$0) }
      case .posts(let category, let done):
        list(category, situation, &writer)
        let state = situation.streams[.category(category.id)]
        writer.array("posts", (done ? state?.donePosts : state?.openPosts) ?? []) { item, writer in
          post(item, situation, in: category, &writer)
        }
      }
    }
  }

  /// Writes answers. `server` is where they came from; a calendar's address is there. `notes` has one for each change.
  /// `situation` is the one after all changes.
  static func answers(
    _ results: [(Report, ReplicaAnswer)], from server: ServerAddress? = nil,
    noting notes: [ChangeNote] = [], in situation: Situation = Situation()
  ) -> String {
    object { writer in
      writer.member("ok", true)
      let changes = results.flatMap { result -> [(part: CommandPart, of: CommandResult)] in
        guard case .command(let command) = result.1 else { return [] }
        return command.each.map { (part: $0, of: command) }
      }
      self.results(changes, notes, server, &writer)
      for result in results { question(result.0, result.1, server, situation, &writer) }
    }
  }

  private static func question(
    _ report: Report, _ answer: ReplicaAnswer, _ server: ServerAddress?,
    _ situation: Situation, _ writer: inout JSONWriter
  ) {
    switch answer {
    case .codes(let lines): codes(lines, &writer)
    case .posts(let result):
      guard case .bin(let list, days: _) = report else { return }
      removed(result, from: list, situation, &writer)
    case .categories(let categories): removed(categories, situation, &writer)
    case .profile(let it): profile(it, &writer)
    case .about(let it): about(it, &writer)
    case .links(let lines): links(lines, server, &writer)
    case .bots(let lines): bots(lines, situation, &writer)
    case .pairing(let it):
      writer.member("code", it.code)
      writer.member("expiresAfterMs", it.expiresAfterMilliseconds)
    case .sessions(let lines): sessions(lines, &writer)
    case .notifications(let result): news(report, result, situation, &writer)
    case .history(.events(let page)):
      guard case .olderTalk(let question) = report else {
        return history(page, report, situation, &writer)
      }
      olderTalk(question, page, situation, &writer)
    case .search(let result): found(result, situation, &writer)
    case .view(let result): found(result, situation, &writer)
    case .agenda(let result): agenda(result, &writer)
    case .twins(let twins):
      guard case .twins(let list) = report else { return }
      self.twins(twins, in: list, situation, &writer)
    case .digest(let result): writer.digest(result)
    case .stats(let result):
      guard case .who(_, _, let members) = report else { return writer.stats(result, situation) }
      writer.people(members, result)
    case .export(let page):
      guard case .export(let path, let lines) = report else { return }
      writer.member("file", path)
      writer.member("lines", lines + page.lines.count)
    // No command of the terminal asks for badges: it has copies. Members are told with what they did.
    case .badges, .members: break
    case .command, .registered, .loggedIn, .recovered, .history, .done: break
    }
  }

  private static func removed(
    _ categories: [Category], _ situation: Situation, _ writer: inout JSONWriter
  ) {
    writer.array("lists", ListLines.inOrder(categories).enumerated()) { row, writer in
      list(row.element, number: row.offset + 1, situation, &writer)
    }
    let groups = situation.catalog.removedGroups
    writer.array("groups", groups) { group, writer in
      writer.member("number", situation.shown.removedGroups.number(of: group, among: groups))
      self.group(group, situation, &writer)
    }
  }

  private static func agenda(_ result: AgendaResult, _ writer: inout JSONWriter) {
    writer.array("days", result.days) { line, writer in
      writer.member("day", "\(line.day)")
      writer.member("open", line.open)
      writer.member("overdue", line.overdue)
    }
    writer.member("overdue", result.overdue)
    writer.member("more", result.omitted > 0)
  }

  private static func news(
    _ report: Report, _ result: NotificationsResult, _ situation: Situation,
    _ writer: inout JSONWriter
  ) {
    switch report {
    case .glance: return writer.glance(Glance(result, situation))
    // Nothing was new, so nothing was changed.
    case .markRead: return writer.texts("results", [])
    case .day: break
    case .notifications(let place?):
      unread(result.lists.filter { $0.stream == place.stream }, &writer)
    default:
      unread(result.lists, &writer)
      reminders(result, situation, &writer)
    }
    writer.member("today", result.today)
  }

  private static func unread(_ lists: [UnreadList], _ writer: inout JSONWriter) {
    writer.array("lists", lists) { list, writer in
      writer.kind(of: list.stream)
      writer.member("id", "\(list.stream.uuid)")
      writer.member("name", list.name)
      writer.member("unread", list.unread.count)
      writer.member("more", list.unread.more)
    }
  }

  private static func groups(_ situation: Situation, _ writer: inout JSONWriter) {
    let first = situation.catalog.lists.count + 1
    writer.array("groups", situation.catalog.groups.enumerated()) { row, writer in
      writer.member("number", first + row.offset)
      group(row.element, situation, &writer)
    }
  }

  private static func group(
    _ group: Group, _ situation: Situation, _ writer: inout JSONWriter
  ) {
    writer.member("id", "\(group.id)")
    writer.member("name", group.name)
    writer.people("members", situation.streams[.group(group.id)]?.members ?? [])
  }

  private static func page(
    of group: Group, _ situation: Situation, _ writer: inout JSONWriter
  ) {
    writer.object("group") { self.group(group, situation, &$0) }
    let lists = situation.catalog.lists.enumerated().filter { $0.element.group == group.id }
    writer.array("lists", lists) { row, writer in
      list(row.element, number: row.offset + 1, situation, &writer)
    }
  }

  static func list(
    _ category: Category, number: Int?, _ situation: Situation, _ writer: inout JSONWriter
  ) {
    if let number { writer.member("number", number) }
    writer.member("id", "\(category.id)")
    writer.member("name", category.name)
    writer.member("open", category.counters.open)
    writer.member("done", category.counters.done)
    writer.member("total", category.counters.total)
    writer.member("overdue", category.counters.overdue)
    writer.member("mine", situation.workCount(in: category.id))
    writer.member("zone", category.zone)
    writer.member("color", (category.color ?? .standard).rawValue)
    if let group = category.group.flatMap({ situation.streams[.group($0)]?.group }) {
      writer.object("group") { $0.named(.group(group.id), situation) }
    }
  }

  static func list(
    _ category: Category, _ situation: Situation, _ writer: inout JSONWriter
  ) {
    writer.object("list") { list(category, number: nil, situation, &$0) }
  }

  private static func object(_ fields: (inout JSONWriter) -> Void) -> String {
    var writer = JSONWriter()
    writer.beginObject()
    fields(&writer)
    writer.endObject()
    return withoutSteering(String(decoding: writer.bytes, as: UTF8.self))
  }

  /// Returns the same JSON with controls and formats escaped. A terminal on which it is printed sees no control
  /// character and none that reorders the line.
  private static func withoutSteering(_ json: String) -> String {
    var text = String.UnicodeScalarView()
    for scalar in json.unicodeScalars {
      switch scalar.properties.generalCategory {
      case .control, .format, .lineSeparator, .paragraphSeparator, .privateUse:
        for unit in UTF16.encode(scalar) ?? .init() {
          let digits = String(unit, radix: 16)
          text += ("\\u" + String(repeating: "0", count: 4 - digits.count) + digits).unicodeScalars
        }
      default: text.append(scalar)
      }
    }
    return String(text)
  }
}

extension CommandResult {
  /// The results of the commands of a batch, or of the only command.
  var each: [CommandPart] {
    parts.isEmpty ? [CommandPart(changed: changed, number: number, version: version)] : parts
  }
}

// Writes who one is, and whose server it is.
extension JSONOutput {
  private static func profile(_ profile: Profile, _ writer: inout JSONWriter) {
    writer.person(profile.id, profile.username)
    writer.member("name", profile.name)
    if profile.kind == .bot { writer.member("bot", true) }
    if !profile.location.isEmpty { writer.member("location", profile.location) }
    writer.member("zone", profile.zone)
    if !profile.locale.isEmpty { writer.member("locale", profile.locale) }
    writer.member("invitedBy", profile.invitedBy.rawValue)
  }

  private static func about(_ about: ServerAbout, _ writer: inout JSONWriter) {
    writer.member("server", about.server.name)
    writer.member("version", about.server.version)
    writer.member("registration", about.registrationIsOpen ? "open" : "code")
    writer.member("guests", about.takesGuests)
    if let days = about.removedDays { writer.member("removedDays", days) }
    if !about.hasTalk { writer.member("talk", false) }
    if let privacy = about.privacy { writer.member("privacy", privacy) }
  }
}
