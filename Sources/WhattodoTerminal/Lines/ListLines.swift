import Domain
import Screen
import Text
import Wire

/// The tables of the screen: lists, posts, people, devices. All of them fit into 80 columns.
enum ListLines {
  /// The lines of `/lists`.
  static func overview(_ situation: Situation) -> [Line] {
    let catalog = situation.catalog
    var lines: [Line] = []
    for (index, list) in catalog.lists.enumerated() {
      lines.append(row(list, number: index + 1, situation))
    }
    if lines.isEmpty { lines.append(Line("no lists yet: /new NAME makes one", .dim)) }
    for (index, group) in catalog.groups.enumerated() {
      lines.append(row(group, number: catalog.lists.count + index + 1, situation))
    }
    return lines + invitations(situation)
  }

  /// The lines of `/group`.
  static func groups(_ situation: Situation) -> [Line] {
    let catalog = situation.catalog
    guard !catalog.groups.isEmpty else {
      return [Line("no groups yet: /group NAME makes one", .dim)]
    }
    return catalog.groups.map { row($0, number: catalog.number(of: .group($0)), situation) }
  }

  /// The lines of `/group NAME`.
  static func group(_ group: Group, _ situation: Situation) -> [Line] {
    let catalog = situation.catalog
    let rows = catalog.lists.filter { $0.group == group.id }.map {
      row($0, number: catalog.number(of: .list($0)), situation, isInGroup: true)
    }
    let none = Line("  no lists yet: /new NAME in \(group.name.oneWord) makes one", .dim)
    return [Line("\(group.name)  ", .strong).and(people(of: group, situation))]
      + (rows.isEmpty ? [none] : rows)
  }

  static func invitations(_ situation: Situation) -> [Line] {
    let all = situation.invitations
    let now = situation.clock.now
    guard all.count > 1 || all.contains(where: { $0.isOver(at: now) }) else {
      return all.map { Line.invitation($0) }
    }
    return all.map { invitation in
      let number = situation.shown.invitations.number(of: invitation, among: all)
      let line = Line("\(pad("\(number)", 3, right: true))  ", .dim, hang: 5)
        .and("@\(invitation.senderUsername)", .strong)
      guard !invitation.isOver(at: now) else {
        return line.and(
          " invited you to \(invitation.label): expired, /decline \(number) forgets it", .dim)
      }
      return line.and(" invites you to \(invitation.label): /accept \(number)")
    }
  }

  /// The lines of `/show` and `/open`.
  static func posts(of list: Category, done: Bool, _ situation: Situation) -> [Line] {
    guard let state = situation.streams[.category(list.id)] else { return [] }
    let posts = done ? state.donePosts : state.openPosts
    let counters = list.counters
    var title = Line("\(list.tag)", .strong).and("  \(counters.open) open, \(counters.done) done")
    if counters.overdue > 0 { title.add(", \(counters.overdue) overdue", .bad) }
    if let group = list.group.flatMap({ situation.streams[.group($0)]?.group }) {
      title.add(", in \(group.name)", .dim)
    }
    if list.zone != situation.clock.zone { title.add(", days of \(list.zone)", .dim) }
    let shown = posts.suffix(Limits.listPageMax)
    let rows = shown.flatMap { row($0, of: list, in: state, situation) }
    let more = posts.count - shown.count
    return [title] + (more > 0 ? [Line("  … \(more) more", .dim)] : []) + rows
      + (rows.isEmpty ? [none(in: list, done: done, situation)] : [])
  }

  /// The line of a list without posts. Who may add to one that never had a post is shown how.
  private static func none(in list: Category, done: Bool, _ situation: Situation) -> Line {
    if done { return Line("  nothing done yet", .dim) }
    guard list.lastPost == 0, let role = situation.role(in: .category(list.id)), role >= .editor
    else { return Line("  nothing open", .dim) }
    let example = AddingExamples.of(situation.ownStream?.profile?.locale ?? "").first
    return Line("  nothing open; a line adds a post, such as ", .dim).and("\(example)", .strong)
  }

  /// The lines of `/show #12`.
  static func post(_ post: Post, of list: Category, _ situation: Situation) -> [Line] {
    guard let state = situation.streams[.category(list.id)] else { return [] }
    return row(post, of: list, in: state, situation) + PersonalLines.note(post, in: list, situation)
      + source(of: post)
      + steps(of: post, in: state.stream, situation) + parts(of: post, in: state, situation)
      + standing(of: post, in: state, situation)
      + reactions(to: post, in: state, situation) + comments(on: post, in: state, situation)
  }

  /// Returns `2 comments, the last one at 14:02: /talk 12`; nothing when there is none.
  private static func comments(
    on post: Post, in state: StreamState, _ situation: Situation
  ) -> [Line] {
    guard let it = state.comments(on: post.id) else { return [] }
    let isOpen = state.stream == situation.open.map { .category($0) }
    let list = isOpen ? "" : situation.label(state.stream) + " "
    let last = situation.clock.moment(it.last)
    let count: Phrase = it.count == 1 ? "1 comment, at " : "\(it.count) comments, the last one at "
    return [
      Line("        ", hang: 8).and(count + "\(last): ", .dim)
        .and("/talk \(list)\(post.number)", .dim)
    ]
  }

  /// The lines of `/tags`.
  static func tags(of list: Category, _ situation: Situation) -> [Line] {
    guard let state = situation.streams[.category(list.id)], !state.tags.isEmpty else {
      return [Line("no tags in \(list.tag) yet: /tag NUMBER TAG makes one", .dim)]
    }
    return state.tags.map { tag in
      let open = state.openPosts.count { $0.tags.contains(tag.id) }
      var line = Line("  \(pad(tag.word, 24))", .accent).and("\(pad("\(open) open", 10))")
      if let color = tag.color { line.add("\(color.rawValue)", .dim) }
      return line
    }
  }

  /// The lines of `/me`.
  static func profile(_ profile: Profile) -> [Line] {
    var line = Line("@\(profile.username)", .strong)
    if profile.name != profile.username { line.add("  \(profile.name)") }
    if !profile.location.isEmpty { line.add(", \(profile.location)") }
    line.add("  \(profile.zone)", .dim)
    if !profile.locale.isEmpty { line.add("  \(profile.locale)", .dim) }
    if profile.kind == .bot { line.add("  a bot", .dim) }
    if profile.isGuest { line.add("  a guest: /me upgrade NAME makes it yours to keep", .dim) }
    if profile.invitedBy != .anybody {
      line.add("  invited by \(profile.invitedBy.words)", .dim)
    }
    return [line]
  }

  /// The lines of `/sessions`.
  static func sessions(_ lines: [SessionLine], _ clock: Clock) -> [Line] {
    lines.enumerated().map { index, session in
      var line = Line("\(pad("\(index + 1)", 3, right: true))  ", .dim).and("\(session.client)")
      line.add("  since \(clock.day(session.openedAt)), used \(clock.day(session.usedAt))", .dim)
      return session.current ? line.and("  (this one)", .dim) : line
    }
  }

  /// The lines of `/n` and of the return after an absence. Reminders that one asked for stand last, so that nothing
  /// moves them out of sight.
  static func news(
    _ result: NotificationsResult, _ situation: Situation, allReminders: Bool = true
  ) -> [Line] {
    let lines = result.lists.filter { !$0.unread.isEmpty }.flatMap {
      news(of: $0, linesMax: 8, situation)
    }
    return lines + DirectedLines.others(result, situation) + invitations(situation)
      + DirectedLines.reminders(result, all: allReminders, situation)
  }

  /// The news of one list or group: how many, and the last `linesMax` lines about them.
  static func news(of list: UnreadList, linesMax: Int, _ situation: Situation) -> [Line] {
    let events = EventLines(situation: situation)
    let only = LevelLines.head(list, told: list.notifications.count, situation)
    let head = Line("\(situation.label(list.stream))", .strong)
      .and("  \(count(list.unread)) new", .accent).and(only, .dim)
    let folds = NotificationFold.fold(
      list.notifications.reversed(), isBot: situation.isBots, concerns: situation.concerns)
    return [head]
      + folds.suffix(linesMax).map { events.timedNotificationLine($0, verbose: false).indented }
  }

  /// The line of one's own day; none while there is nothing to do.
  static func day(_ today: DayTotal) -> [Line] {
    today.of == 0 ? [] : [Line("today: \(today.done) of \(today.of) done", .dim)]
  }

  static func count(_ unread: Unread) -> String {
    unread.more ? "\(unread.count)+" : "\(unread.count)"
  }

  /// The row of a list. `isInGroup` leaves out the name of the group, because the row stands below it.
  private static func row(
    _ list: Category, number: Int, _ situation: Situation, isInGroup: Bool = false
  ) -> Line {
    let isOpen = list.id == situation.open
    var line = Line("\(pad("\(number)", 3, right: true))", .dim, hang: 5)
    line.add(isOpen ? " ▸" : "  ", .dim)
    line.add("\(pad(list.tag, 24))", list.color?.style ?? .strong)
    line.add("\(pad("\(list.counters.open) open", 10))")
    let group = list.group.flatMap { situation.streams[.group($0)]?.group }
    let new = news(of: .category(list.id), situation)
    let overdue = list.counters.overdue
    if overdue > 0 { line.add("\(pad("\(overdue) overdue", 12))", .bad) }
    let mine = situation.workCount(in: list.id)
    if mine > 0 { line.add("\(pad("\(mine) mine", 9))", .accent) }
    line.add("\(new.isEmpty && group != nil ? pad("", 10) : new)", .accent)
    if let group, !isInGroup { line.add("in \(group.name)", .dim) }
    return line
  }

  private static func row(_ group: Group, number: Int, _ situation: Situation) -> Line {
    let state = situation.streams[.group(group.id)]
    return Line("\(pad("\(number)", 3, right: true))  ", .dim, hang: 5)
      .and("\(pad(group.name, 24))", .strong)
      .and("\(pad(plural(state?.listCount ?? 0, "list"), 10))")
      .and("\(news(of: .group(group.id), situation))", .accent)
      .and(people(of: group, situation))
  }

  private static func people(of group: Group, _ situation: Situation) -> Line {
    let people = (situation.streams[.group(group.id)]?.members ?? []).map { "@" + $0.username }
    let more = people.count > 6 ? " …" : ""
    return Line("group of \(people.prefix(6).joined(separator: " "))\(more)", .dim)
  }

  /// Returns the lines of a post in its list.
  static func row(
    _ post: Post, of list: Category, in state: StreamState, _ situation: Situation
  ) -> [Line] {
    var line = Line("\(pad("#\(post.number)", 6, right: true))  ", .dim, hang: 8)
    if let completed = post.completed {
      line.add("✔ ", .good)
      line.add("\(post.shownTitle)")
      line.add("  \(situation.name(of: completed.by, in: state.stream))", .dim)
      line = line.and(reactionChips(post, in: state))
    } else {
      line.add("\(post.shownTitle)")
      line = line.and(PostChips.line(post, in: list, situation))
      line = line.and(PersonalLines.chips(post, in: list, situation))
      if post.addedBy != situation.me {
        line.add("  \(situation.name(of: post.addedBy, in: state.stream))", .dim)
      }
    }
    if !post.isCoopOfSteps, let steps = post.stepCount { line.add("  \(steps)", .dim) }
    if let comments = state.comments(on: post.id) { line.add("  💬 \(comments.count)", .dim) }
    for tag in state.tags(of: post) { line.add(" \(tag.word)", .accent) }
    let people = state.assignees(of: post).map { situation.name(of: $0.id, in: state.stream) }
    if !people.isEmpty { line.add("  → \(people.joined(separator: " "))", .accent) }
    if people.count > 1, let turn = state.turn(of: post) {
      let name = situation.name(of: turn, in: state.stream)
      line.add(turn == situation.me ? " (your turn)" : " (turn of \(name))", .accent)
    }
    line = line.and(situation.claimMark(of: post, in: state.stream))
    line = line.and(situation.runMark(of: post, in: state.stream))
    if situation.isPending(post, in: state.stream) { line.add("  … not sent yet", .dim) }
    let notes = post.notes.split(separator: "\n").suffix(5)
    return [line] + notes.map { Line("        ", hang: 8).and("\(String($0))", .dim) }
  }

  /// Returns `3 new`, padded; empty when nothing is new.
  private static func news(of stream: StreamID, _ situation: Situation) -> String {
    guard let unread = situation.unread[stream], unread.count > 0 else { return "" }
    return pad("\(count(unread)) new", 10)
  }

  private static func plural(_ count: Int, _ noun: String) -> String {
    "\(count) \(noun)\(count == 1 ? "" : "s")"
  }

  /// Fills a text with blanks, or cuts it, to a number of columns.
  static func pad(_ text: String, _ columns: Int, right: Bool = false) -> String {
    let text = Text.truncated(Text.terminalSafe(text), columns: columns)
    let blanks = String(repeating: " ", count: max(0, columns - Text.columns(of: text)))
    return right ? blanks + text : text + blanks
  }
}

extension Line {
  fileprivate var indented: Line {
    Line("  ", hang: 4).and(self)
  }
}
