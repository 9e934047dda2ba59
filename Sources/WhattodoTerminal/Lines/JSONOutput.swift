// The output of `--json`: one object on one line. `ok` is always there; the rest depends on the command:
//   changes  {"ok":true,"results":[{"changed":true,"number":12,"version":1}]}. A change that ended a time of a post
//   that comes again has "again": {"date" or "at" and "zone", "occurrence"}; one that completed a post has "completed":
//   true.
//   lists    {"ok":true,"lists":[{"number","id","name","open","done","total","mine","group"?}],"groups":[…],
//   "invitations":[…]}
//   show     {"ok":true,"list":{…},"posts":[{"number","id","title","notes"?,"done","completedBy"?,"status"}]}. A post
//   also has those of priority, color, due, recurrence, location (protocol §3.6) that are set.
//   show #12 {"ok":true,"list":{…},"post":{…}}. Each post has "steps"?:
//   [{"number","id","content","done","finishedBy"?}], and where there are some "tags"?: [names], "assignees"?:
//   [usernames].
//   group X  {"ok":true,"group":{"id","name","members"},"lists":[…]}
//   note 12  {"ok":true,"list":{…},"post":{…},"field":"notes","value"?}. So does every command without a value.
//   tags     {"ok":true,"tags":[{"id","name","color"}]}
//   history  {"ok":true,"history":[{"seq","at","by"?,"words","event"}],"before"?}. So do `handover` with "since",
//   "overdue", "claimed" and "failed", and `why` with "reasons" (JSONOutput+History.swift).
//   who      {"ok":true,"from","to","members":[{"username","bot"?,"role"?,"added"?,"completed"?}]}. The counts are
//   those of `score`.
//   n        {"ok":true,"lists":[{"id","name","unread","more"}],"reminders"?,"today"}; `n LIST` has that list alone
//   and no reminders. `n read` answers as a change: a result for each list or group that was marked.
//   glance   {"ok":true,"open","mine","overdue","new","more"}
//   help     {"ok":true,"commands":[{"name","also","usage","help","hint"?,"chat"?}]}
//   failures {"ok":false,"kind":"not_found","message":"…"}. The kinds are those of protocol §11, `usage`, `ask` and
//   `again`.

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
        writer.array("invitations", situation.invitations) { invitation, writer in
          writer.member("id", "\(invitation.id)")
          writer.member("to", invitation.streamName)
          writer.member("by", invitation.senderUsername)
          writer.member("role", invitation.role.word)
        }
      case .groups: groups(situation, &writer)
      case .group(let group): self.group(group, situation, &writer)
      case .tags(let category):
        writer.array("tags", situation.streams[.category(category.id)]?.tags ?? []) { tag, writer in
          writer.member("id", "\(tag.id)")
          writer.member("name", tag.name)
          writer.member("color", (tag.color ?? .standard).rawValue)
        }
      case .archived: archived(situation, &writer)
      case .filters: filters(situation, &writer)
      case .blocks:
        writer.array("blocks", situation.ownStream?.blocks ?? []) { block, writer in
          writer.member("id", "\(block.user)")
          writer.member("username", block.username)
        }
      case .settings: settings(situation.settings, &writer)
      case .levels: levels(situation, &writer)
      case .account: account(situation.ownStream?.profile, &writer)
      // Refusals that wait belong to the chat; a script is told of a refusal at once.
      case .unsent: break
      case .value(let value): self.value(value, situation, &writer)
      case .post(let item, let category):
        list(category, situation, &writer)
        writer.key("post")
        writer.beginObject()
        post(item, situation, in: category, &writer)
        writer.endObject()
      case .posts(let category, let done):
        list(category, situation, &writer)
        let state = situation.streams[.category(category.id)]
        writer.array("posts", (done ? state?.donePosts : state?.openPosts) ?? []) { item, writer in
          post(item, situation, in: category, &writer)
        }
      }
    }
  }

  /// Writes answers. `server` is where they came from; a calendar's address is there. `ends` has what some of the
  /// changes ended, by their place. `situation` is the one after all changes.
  static func answers(
    _ results: [(Report, ReplicaAnswer)], from server: ServerAddress? = nil,
    ending ends: [Int: PostEnd] = [:], in situation: Situation = Situation()
  ) -> String {
    object { writer in
      writer.member("ok", true)
      // A batch makes no code, so the code of the whole is that of the only change.
      let changes = results.flatMap { result -> [(part: CommandPart, of: CommandResult)] in
        guard case .command(let command) = result.1 else { return [] }
        return command.each.map { (part: $0, of: command) }
      }
      if !changes.isEmpty {
        writer.array("results", changes.enumerated()) { row, writer in
          let (index, change) = row
          let result = change.part
          writer.member("changed", result.changed)
          if let number = result.number { writer.member("number", number) }
          if let version = result.version { writer.member("version", version) }
          if let end = ends[index] { self.end(end, &writer) }
          if let token = change.of.token { writer.member("token", token) }
          if let code = change.of.code { writer.member("code", code) }
          if let shows = change.of.shows {
            writer.member("shows", shows)
            calendar(change.of.code, server, &writer)
          }
        }
      }
      for result in results { question(result.0, result.1, server, situation, &writer) }
    }
  }

  private static func calendar(
    _ code: String?, _ server: ServerAddress?, _ writer: inout JSONWriter
  ) {
    if let code, let server { writer.member("calendar", server.calendar(link: code)) }
  }

  private static func question(
    _ report: Report, _ answer: ReplicaAnswer, _ server: ServerAddress?,
    _ situation: Situation, _ writer: inout JSONWriter
  ) {
    switch answer {
    case .codes(let codes):
      writer.array("codes", ListLines.inOrder(codes)) { line, writer in
        writer.member("code", line.code)
        writer.member("role", line.invitation.role.word)
        writer.member("uses", line.invitation.uses)
        writer.member("used", line.invitation.used)
      }
    case .posts(let result):
      writer.array("posts", result.posts) { post, writer in
        writer.member("number", post.number)
        writer.member("id", "\(post.id)")
        writer.member("title", post.title)
      }
    case .categories(let categories): removed(categories, &writer)
    case .profile(let it): profile(it, &writer)
    case .about(let it): about(it, &writer)
    case .links(let lines):
      writer.array("links", LinkLines.inOrder(lines)) { line, writer in
        writer.member("code", line.code)
        calendar(line.code, server, &writer)
      }
    case .bots(let lines): bots(lines, &writer)
    case .pairing(let it):
      writer.member("code", it.code)
      writer.member("expiresAfterMs", it.expiresAfterMilliseconds)
    case .sessions(let sessions):
      writer.array("sessions", sessions) { session, writer in
        writer.member("client", session.client)
        writer.member("current", session.current)
      }
    case .notifications(let result): news(report, result, situation, &writer)
    case .history(.events(let page)): history(page, report, situation, &writer)
    case .search(let result): found(result, &writer)
    case .view(let result): view(result, &writer)
    case .agenda(let result): agenda(result, &writer)
    case .twins(let twins): writer.twins(twins)
    case .digest(let result): writer.digest(result)
    case .stats(let result):
      guard case .who(_, _, let members) = report else { return writer.stats(result) }
      writer.people(members, result)
    // No command of the terminal asks for badges: it has copies. Members are told with what they did.
    case .export, .badges, .members: break
    case .command, .registered, .loggedIn, .recovered, .history, .done: break
    }
  }

  private static func removed(_ categories: [Category], _ writer: inout JSONWriter) {
    writer.array("lists", ListLines.inOrder(categories).enumerated()) { row, writer in
      writer.member("number", row.offset + 1)
      writer.member("id", "\(row.element.id)")
      writer.member("name", row.element.name)
    }
  }

  private static func found(_ result: SearchResult, _ writer: inout JSONWriter) {
    writer.array("posts", result.found) { found, writer in
      writer.member("list", "\(found.category)")
      writer.member("number", found.post.number)
      writer.member("id", "\(found.post.id)")
      writer.member("title", found.post.title)
      writer.member("done", found.post.completed != nil)
    }
  }

  private static func view(_ result: ViewResult, _ writer: inout JSONWriter) {
    writer.array("posts", result.found) { found, writer in
      writer.member("list", "\(found.category)")
      writer.member("number", found.post.number)
      writer.member("id", "\(found.post.id)")
      writer.member("title", found.post.title)
      if let due = found.post.due { writer.member("due", due.localTime ?? "\(due.day)") }
    }
  }

  private static func agenda(_ result: AgendaResult, _ writer: inout JSONWriter) {
    writer.array("days", result.days) { line, writer in
      writer.member("day", "\(line.day)")
      writer.member("open", line.open)
      writer.member("overdue", line.overdue)
    }
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
      writer.member("id", "\(row.element.id)")
      writer.member("name", row.element.name)
      writer.members(of: row.element, situation)
    }
  }

  private static func group(
    _ group: Group, _ situation: Situation, _ writer: inout JSONWriter
  ) {
    writer.key("group")
    writer.beginObject()
    writer.member("id", "\(group.id)")
    writer.member("name", group.name)
    writer.members(of: group, situation)
    writer.endObject()
    let lists = situation.catalog.lists.enumerated().filter { $0.element.group == group.id }
    writer.array("lists", lists) { row, writer in
      list(row.element, number: row.offset + 1, situation, &writer)
    }
  }

  private static func list(
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
      writer.member("group", group.name)
    }
  }

  static func list(
    _ category: Category, _ situation: Situation, _ writer: inout JSONWriter
  ) {
    writer.key("list")
    writer.beginObject()
    list(category, number: nil, situation, &writer)
    writer.endObject()
  }

  static func post(
    _ post: Post, _ situation: Situation, in category: Category, _ writer: inout JSONWriter
  ) {
    writer.member("number", post.number)
    writer.member("id", "\(post.id)")
    writer.member("title", post.title)
    if !post.notes.isEmpty { writer.member("notes", post.notes) }
    writer.member("done", post.completed != nil)
    let state = situation.streams[.category(category.id)]
    if let by = post.completed.flatMap({ state?.member($0.by) }) {
      writer.member("completedBy", by.username)
    }
    writer.member("status", situation.status(of: post, in: category).rawValue)
    fields(of: post, &writer)
    let tags = state?.tags(of: post).map(\.name) ?? []
    if !tags.isEmpty { writer.texts("tags", tags) }
    let people = state?.assignees(of: post).map(\.username) ?? []
    if !people.isEmpty { writer.texts("assignees", people) }
    writer.claim(of: post, in: .category(category.id), situation)
    writer.runs(of: post, in: .category(category.id), situation)
    writer.source(of: post)
    writer.submission(of: post, in: .category(category.id), situation)
    writer.parts(of: post, in: .category(category.id), situation)
    guard !post.steps.isEmpty else { return }
    writer.array("steps", post.steps.enumerated()) { row, writer in
      writer.member("number", row.offset + 1)
      writer.member("id", "\(row.element.id)")
      writer.member("content", row.element.content)
      writer.member("done", row.element.finished != nil)
      if let by = row.element.finished.flatMap({ state?.member($0.by) }) {
        writer.member("finishedBy", by.username)
      }
    }
  }

  /// Writes `"recurrence":{"rule","from"?,"missed"?,"occurrence"}`; the last one is a number.
  private static func repeating(_ post: Post, _ writer: inout JSONWriter) {
    guard let repeats = post.repeats else { return }
    writer.key("recurrence")
    writer.beginObject()
    writer.member("rule", repeats.rule.description)
    if repeats.basis != .due { writer.member("from", repeats.basis.rawValue) }
    if repeats.missed != .dropped { writer.member("missed", repeats.missed.rawValue) }
    if let occurrence = repeats.occurrence { writer.member("occurrence", occurrence.number) }
    if let rotation = repeats.rotation { writer.member("rotate", rotation.rawValue) }
    if repeats.confirms { writer.member("confirm", Role.admin.word) }
    writer.endObject()
  }

  private static func fields(of post: Post, _ writer: inout JSONWriter) {
    if let priority = post.priority { writer.member("priority", priority.rawValue) }
    if let color = post.color { writer.member("color", color.rawValue) }
    if let due = post.due {
      writer.key("due")
      writer.beginObject()
      self.due(due, &writer)
      writer.endObject()
    }
    repeating(post, &writer)
    guard let location = post.location else { return }
    writer.key("location")
    writer.beginObject()
    if let point = location.point {
      writer.member("lat", point.latitude)
      writer.member("lon", point.longitude)
    }
    if !location.text.isEmpty { writer.member("text", location.text) }
    writer.endObject()
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

extension JSONWriter {
  fileprivate mutating func members(of group: Group, _ situation: Situation) {
    texts("members", (situation.streams[.group(group.id)]?.members ?? []).map(\.username))
  }

  fileprivate mutating func texts(_ name: String, _ values: [String]) {
    key(name)
    beginArray()
    for value in values { string(value) }
    endArray()
  }

  mutating func array<Rows: Sequence>(
    _ name: String, _ rows: Rows, _ fields: (Rows.Element, inout JSONWriter) -> Void
  ) {
    key(name)
    beginArray()
    for row in rows {
      beginObject()
      fields(row, &self)
      endObject()
    }
    endArray()
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
    writer.member("username", profile.username)
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
    if let privacy = about.privacy { writer.member("privacy", privacy) }
  }
}
