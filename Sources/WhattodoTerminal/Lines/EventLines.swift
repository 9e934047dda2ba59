// Lines of a chat for events: `@editor ✔ milk (4/11 in #groceries)`. One switch covers the ops. An op that says nothing
// to a person (a read mark, the echo of something shown elsewhere) has no line.

import Client
import Domain
import Screen
import Text

/// Makes lines about the events of streams. The situation already contains the events.
struct EventLines {
  let situation: Situation
  /// The present titles of posts, for events that are shown long after they happened.
  var titles: [PostID: String] = [:]
  /// The events of a history, with those before them as far as they are known; nil for what happens now. A history also
  /// shows events that are told elsewhere when they happen.
  var past: [Event]?
  var isHistory: Bool { past != nil }

  init(situation: Situation, titles: [PostID: String] = [:], past: [Event]? = nil) {
    self.situation = situation
    self.titles = titles
    self.past = past
  }

  /// Returns the lines of an event. `withOverdue` includes those that `overdue` returns.
  func lines(
    _ applied: AppliedEvent, in stream: StreamID, withOverdue: Bool = true
  ) -> [Line] {
    let undo = (situation.undos[stream] ?? UndoDepths()).word(applied.event)
    let lines: [Line] = applied.event.ops.withNewPostsWhole.compactMap { op in
      if !withOverdue, case .post(.overdue) = op { return nil }
      return switch stream {
      case .category, .group:
        shared(op, applied, in: stream).map { $0.and("\(undo ?? "")", .dim) }
      case .user: personal(op, applied)
      }
    }
    return endedClaims(applied, in: stream) + purged(applied, in: stream) + lines.fewer
  }

  /// Returns the lines of an event, each with the time of day in front.
  func timed(
    _ applied: AppliedEvent, in stream: StreamID, withOverdue: Bool = true
  ) -> [Line] {
    lines(applied, in: stream, withOverdue: withOverdue).map { timed($0, at: applied.event.at) }
  }

  /// Returns the posts that have just become overdue by the list, each with its line. Posts that the person has muted
  /// or snoozed are left out: a line that is silent as a reminder must not come from the list.
  func overdue(
    _ applied: AppliedEvent, in stream: StreamID
  ) -> [(OverdueNews.Deadline, Line)] {
    guard case .category(let list) = stream, !situation.settings.mutes(.overdue) else { return [] }
    let place = situation.label(stream)
    return applied.event.ops.compactMap { op in
      guard case .post(.overdue(let id, let mark, let counters)) = op, let at = mark.overdue,
        let line = overdue(id, mark, counters, applied, place)
      else { return nil }
      let post = PostAddress(category: list, post: id)
      if let quiet = situation.personal(id, in: list)?.snooze, at < quiet { return nil }
      return (OverdueNews.Deadline(post: post, at: at), timed(line, at: applied.event.at))
    }
  }

  private func timed(_ line: Line, at time: Timestamp) -> Line {
    Line("\(situation.clock.moment(time)) ", .dim, hang: line.hang).and(line)
  }

  /// Returns one line per kind and person for what happened without a connection, when it is much.
  func summary(_ appliedEvents: [AppliedEvent]) -> [Line] {
    let (asked, others) = appliedEvents.reduce(into: ([Notification](), [Notification]())) {
      for it in $1.notifications {
        if $1.keeps(it) { $0.0.append(it) } else { $0.1.append(it) }
      }
    }
    let folds = NotificationFold.fold(
      others, isBot: situation.isBots, concerns: situation.concerns)
    // A reminder that one asked for has a line for each post, behind all the rest.
    let alone = asked.map { NotificationFold(notifications: [$0]) }
    return (folds + alone).map { timedNotificationLine($0, verbose: true) }
  }

  // MARK: c: and g:

  private func shared(_ op: Op, _ applied: AppliedEvent, in stream: StreamID) -> Line? {
    let event = applied.event
    let who = Who(situation.name(of: event.by, in: stream), isMe: event.by == situation.me)
    let place = situation.label(stream)
    switch op {
    case .post(let op): return postLine(op, applied, who, in: stream)
    case .category(.added(let category)):
      return category.group == nil ? nil : who.line("+", .accent, "new list \(place)")
    case .category(.edited(let edit)):
      return EventLines.what(edit, place, before: applied.oldTag).map {
        who.line("✎", .accent, $0)
      }
    case .category(.removed): return who.line("✘", .bad, "removed the list \(place)")
    case .category(.restored): return who.line("+", .accent, "brought the list \(place) back")
    case .category(.archived), .category(.unarchived): return archived(op, who, place)
    case .tag(let op): return tag(op, applied, who, in: stream)
    case .group(let op): return group(op, who, place)
    case .member(.added(let member)): return joined(member, event, place, in: stream)
    case .member(.granted(let user, let grants)):
      return granted(situation.name(of: user, in: stream), grants, place)
    case .member(.removed(let user, let reason, _)):
      return gone(situation.name(of: user, in: stream), reason, who, place)
    case .invitation(.sent), .invitation(.declined), .invitation(.revoked), .invitation(.expired),
      .code(.made), .code(.ended):
      return invitationLine(op, applied, who, place)
    case .reaction(let op): return reactionLine(op, applied, who, in: stream)
    case .line(let op): return talkLine(op, applied, who, in: stream)
    case .link(let op): return LinkLines.line(op, who, place, isByNobody: event.by == nil)
    case .person(.upgraded(_, let username, _)):
      return Line("a guest is @\(username) now in \(place)", .dim)
    case .member(.updated), .code(.used), .person(.forgotten), .invitation(.accepted),
      .invitation(.heldBack), .account, .membership, .block, .filter, .personal, .unknown:
      return nil
    }
  }

  /// Returns the line of one change of a post.
  private func postLine(
    _ op: PostOp, _ applied: AppliedEvent, _ who: Who, in stream: StreamID
  ) -> Line? {
    let place = situation.label(stream)
    switch op {
    case .added(let post, _):
      let due: Phrase = post.due.map { ", due \(situation.clock.words($0))" } ?? ""
      return who.line("+", .accent, "\(post.shownTitle)\(due) (#\(post.number) in \(place))")
    case .completed(let id, _, _, let counters):
      return who.line(
        "✔", .good,
        "\(title(of: id, applied)) (\(counters.done)/\(counters.total) in \(place))")
    case .reopened(let post, let counters):
      return who.line(
        "↺", .accent, "\(post.shownTitle) (\(counters.done)/\(counters.total) in \(place))")
    case .removed(let id, _, _, _):
      return who.line("✘", .bad, "\(title(of: id, applied)) (removed from \(place))")
    case .restored(let post, let counters):
      return restored(post, counters, applied, who, place)
    case .step(let post, let version, let change):
      return stepLine(change, of: post, version: version, applied, who, place)
    case .moved, .movedOut, .movedIn:
      return moveLine(op, applied, who, place)
    case .erased: return who.line("✘", .bad, "erased the text of a post in \(place)")
    case .edited(let id, _, let edit):
      return contestEdited(id, edit, applied, who, in: stream)
        ?? edited(id, edit, applied, who, place)
    case .occurred(let id, _, let news, _): return occurred(id, news, applied, who, place)
    case .marked(let id, _, let mark): return marked(id, mark, applied, who, in: stream)
    case .overdue(let id, let mark, let now): return overdue(id, mark, now, applied, place)
    case .claim(let id, let op): return claimLine(id, op, applied, who, in: stream)
    case .run(let id, let op): return runLine(id, op, applied, who, in: stream)
    case .contest(let id, let op): return contestLine(id, op, applied, who, in: stream)
    case .imported: return importedLine(op, applied, who, place)
    case .purged: return nil
    }
  }

  private func group(_ op: GroupOp, _ who: Who, _ place: String) -> Line? {
    switch op {
    case .added(let group): who.line("+", .accent, "new group \(group.name)")
    case .edited(let edit): EventLines.what(edit, place).map { who.line("✎", .accent, $0) }
    case .removed: who.line("✘", .bad, "removed the group \(place) with its lists")
    case .restored: who.line("+", .accent, "brought the group \(place) back")
    case .categoryAdded(let list):
      isHistory
        ? who.line("+", .accent, "new list \(situation.label(.category(list))) in \(place)") : nil
    }
  }

  private func gone(
    _ name: String, _ reason: LeaveReason, _ who: Who, _ place: String
  ) -> Line {
    reason == .left
      ? Line("\(name) left \(place)", .dim) : who.line("✘", .bad, "took \(name) out of \(place)")
  }

  private func granted(_ name: String, _ grants: Grants, _ place: String) -> Line {
    let role = grants.role?.word ?? "no member"
    return Line("\(name) \(name == "you" ? "are" : "is") \(role) of \(place) now")
  }

  /// Returns the words for an edit of a list.
  static func what(_ edit: CategoryEdit, _ place: String, before: String? = nil) -> Phrase? {
    var words: [Phrase] = []
    if let name = edit.name { words.append("\(before ?? place) is called \(name) now") }
    if let zone = edit.zone { words.append("the days of \(place) are those of \(zone) now") }
    switch edit.color {
    case .keep: break
    case .clear: words.append("\(place) is \(Color.standard.rawValue) now")
    case .set(let color): words.append("\(place) is \(color.rawValue) now")
    }
    switch edit.history {
    case nil: break
    case .all?: words.append("everybody in \(place) may read its whole history now")
    case .joined?: words.append("in \(place) one may read what happened since one joined")
    }
    if let talk = edit.talk { words.append("talk is \(talk.rawValue) in \(place) now") }
    return words.isEmpty ? nil : words.listed
  }

  /// Returns the words for an edit of a group.
  static func what(_ edit: GroupEdit, _ place: String) -> Phrase? {
    var words: [Phrase] = []
    if let name = edit.name { words.append("the group is called \(name) now") }
    if let talk = edit.talk { words.append("talk is \(talk.rawValue) in \(place) now") }
    return words.isEmpty ? nil : words.listed
  }

  func edited(
    _ id: PostID, _ edit: PostEdit, _ applied: AppliedEvent, _ who: Who, _ place: String
  ) -> Line? {
    let old = applied.oldTitle(of: id)
    if let title = edit.title {
      let change: Phrase = old.map { "\($0) → \(title)" } ?? "\(title)"
      let words = [change] + PostChips.words(edit, situation.clock)
      return who.line("✎", .accent, words.listed + " (in \(place))")
    }
    var words = PostChips.words(edit, situation.clock)
    if let notes = edit.notes {
      words.append("\(notes.split(separator: "\n").last.map(String.init) ?? "no notes")")
    }
    guard !words.isEmpty else { return nil }
    return who.line(
      "✎", .accent, "\(old ?? title(of: id, applied)): \(words.listed) (in \(place))")
  }

  private func marked(
    _ id: PostID, _ mark: PostMark, _ applied: AppliedEvent, _ who: Who, in stream: StreamID
  ) -> Line? {
    let title = title(of: id, applied)
    let place = situation.label(stream)
    switch mark {
    case .submitted, .returned: return submitted(title, mark, who, place)
    case .partCompleted(let user), .partReopened(let user):
      return part(title, mark, of: user, id, applied, who, in: stream)
    case .tagged(let tag):
      return who.line("+", .accent, "\(title): \(word(of: tag, in: stream)) (in \(place))")
    case .assigned(let user): return assigned(id, to: user, applied, who, in: stream)
    case .unassigned(let user): return unassigned(id, from: user, applied, who, in: stream)
    case .untagged(let tag):
      return who.line("✘", .bad, "\(word(of: tag, in: stream)) off \(title) (in \(place))")
    }
  }

  /// Returns the line for a post that became overdue. Other marks have none: a repeated one was shown before, and an
  /// edit shows itself that it takes one back.
  private func overdue(
    _ id: PostID, _ mark: OverdueMark, _ counters: Counters, _ applied: AppliedEvent,
    _ place: String
  ) -> Line? {
    guard case .became = mark else { return nil }
    return Line("! ", .bad, hang: 2)
      .and("\(title(of: id, applied)) is overdue (\(counters.overdue) overdue in \(place))")
  }

  private func tag(
    _ op: TagOp, _ applied: AppliedEvent, _ who: Who, in stream: StreamID
  ) -> Line {
    let place = situation.label(stream)
    let word = applied.oldWord(of: op.tag) ?? word(of: op.tag, in: stream)
    switch op {
    case .added(let tag): return who.line("+", .accent, "new tag \(tag.word) in \(place)")
    case .restored(let tag): return who.line("+", .accent, "brought \(tag.word) back to \(place)")
    case .removed: return who.line("✘", .bad, "removed the tag \(word) from \(place)")
    case .edited(_, let edit):
      guard let name = edit.name else {
        return who.line("✎", .accent, "\(word) has another color in \(place)")
      }
      return who.line("✎", .accent, "\(word) is called \(name) now in \(place)")
    }
  }

  private func word(of tag: TagID, in stream: StreamID) -> String {
    situation.streams[stream]?.tag(tag)?.word ?? "a tag"
  }

  private func joined(_ member: Member, _ event: Event, _ place: String, in stream: StreamID)
    -> Line?
  {
    // Somebody who is there from the beginning, or came with a group, is shown elsewhere.
    guard event.seq > 1, stream.letter == UInt8(ascii: "g") || member.grants.direct != nil else {
      return nil
    }
    let name = situation.name(of: member.id, in: stream)
    return Line("\(name)", name == "you" ? .plain : .strong).and(" joined \(place)")
  }

  // MARK: u:

  private func personal(_ op: Op, _ applied: AppliedEvent) -> Line? {
    switch op {
    case .invitation(.sent(let invitation)): return Line.invitation(invitation)
    case .invitation(.revoked), .invitation(.expired): return ownInvitationLine(op, applied)
    case .block(.blocked(let block)):
      return Line("@\(block.username) cannot invite you any more: /unblock takes that back", .dim)
    case .block(.unblocked(let user)):
      return Line("\(blocked(user, applied) ?? "one more person") may invite you again", .dim)
    case .account(.edited), .person(.upgraded):
      return Line("your profile changed: /me", .dim)
    case .personal(.settings(let edit)): return Line(PersonalLines.settings(edit, situation), .dim)
    case .personal(.fired(let it)):
      return PersonalLines.told(it, at: applied.event.at, situation)
    case .personal(.webhookPaused): return WebhookLines.paused
    case .account(.ending(let end)): return AccountLines.ending(end, situation.clock)
    case .account(.kept): return Line("your account stays", .good)
    case .account(.given): return Line("this bot has another owner now", .dim)
    case .category, .post, .tag, .group, .member, .code, .person(.forgotten),
      .invitation(.accepted), .invitation(.declined), .invitation(.heldBack), .link,
      .account(.registered), .membership, .filter, .personal, .reaction, .line,
      .unknown:
      return nil
    }
  }

  /// Returns the username of a blocked person as it was typed; nil when it is not known.
  private func blocked(_ user: UserID, _ applied: AppliedEvent) -> String? {
    for case .block(let it)? in applied.changes.map(\.before) where it.user == user {
      return "@" + it.username
    }
    return nil
  }

  // MARK: Notifications

  /// Returns the line of a fold, with the time of its last notification.
  func timedNotificationLine(_ fold: NotificationFold, verbose: Bool) -> Line {
    let last = fold.notifications[fold.notifications.count - 1]
    return timed(notificationLine(fold, verbose: verbose), at: last.at)
  }

  /// Returns one line for a fold: `@bot ✔ 6 posts in #builds`. `verbose` adds the name of the list.
  func notificationLine(_ fold: NotificationFold, verbose: Bool) -> Line {
    let one = fold.notifications[0]
    let who = Who(situation.name(of: one.by, in: one.stream), isMe: one.by == situation.me)
    if one.about != one.stream, fold.notifications.count > 1 {
      let many = DirectedLines.phrase(fold, situation)
      return one.by == nil ? Line("⏰ ", .warn).and(many) : who.line("→", .accent, many)
    }
    let place: Phrase = verbose ? " in \(situation.label(one.about))" : ""
    let what = titles(of: fold) + place
    switch one.kind {
    case .added: return who.line("+", .accent, what)
    case .completed: return who.line("✔", .good, what)
    case .reopened: return who.line("↺", .accent, what)
    case .submitted: return who.line("?", .accent, what)
    case .removed: return who.line("✘", .bad, what)
    case .restored: return backLine(fold, who, what)
    case .stepCompleted: return stepsLine(fold, who, what)
    case .partCompleted: return partsLine(fold, what)
    case .reached: return reachedLine(fold, what)
    case .reacted: return reactionsLine(fold, signed(fold, titles(of: fold), place))
    case .mentioned: return directedTalk(fold, "mentioned you", verbose: verbose)
    case .answered: return directedTalk(fold, "answered you", verbose: verbose)
    case .commented: return commentsLine(fold, on: titles(of: fold), verbose: verbose)
    case .said: return linesLine(fold, verbose: verbose)
    case .claimed: return who.line("▸", .accent, "on it: " + what)
    case .released: return who.line("◂", .accent, "nobody is on it any more: " + what)
    case .runOk, .runRecovered: return runsLine(fold, .ok, what)
    case .runFailed: return runsLine(fold, .failed, what)
    case .runCancelled: return runsLine(fold, .cancelled, what)
    case .runLost: return runsLine(fold, .lost, what)
    case .joined:
      let name = situation.name(of: one.user, in: one.stream)
      return Line("\(name)", .strong).and(" joined \(situation.label(one.about))")
    case .left:
      let name = situation.name(of: one.user, in: one.stream)
      let reason: LeaveReason = one.by == nil || one.by == one.user ? .left : .removed
      return gone(name, reason, who, situation.label(one.about))
    case .categoryAdded: return who.line("+", .accent, "new list \(situation.label(one.about))")
    case .invited: return who.line("→", .accent, "invited you")
    case .roleChanged:
      let role = situation.role(in: one.about)?.word ?? "somebody else"
      return who.line("→", .accent, "made you \(role) of \(situation.label(one.about))")
    case .assigned: return who.line("→", .accent, "gave you " + what)
    case .reminder, .planned, .snoozed, .dueSoon, .overdue:
      return PersonalLines.told(one.kind, what)
    case .webhookPaused: return WebhookLines.paused
    case .digest:
      return DigestLines.notice(of: DigestLines.day(toldAt: one.at, situation), situation)
    case .removedFrom: return who.line("✘", .bad, "took you out of \(situation.label(one.about))")
    }
  }

  private func titles(of fold: NotificationFold) -> Phrase {
    let state = situation.streams[fold.notifications[0].about]
    // Somebody may have done the same to a post several times.
    let posts = fold.notifications.compactMap(\.post).reduce(into: [PostID]()) {
      if !$0.contains($1) { $0.append($1) }
    }
    let known = posts.compactMap { state?.post($0)?.title }
    guard posts.count > 1 else { return known.first.map { "\($0)" } ?? "a post that is gone" }
    let count: Phrase = "\(posts.count) posts"
    // For many posts the number is enough; for a few the beginnings of titles are.
    let some = known.prefix(2).map { Text.truncated($0, columns: 30) }
    guard let first = some.first, posts.count <= 3 else { return count }
    let second: Phrase = some.count > 1 ? ", \(some[1])" : ""
    return "\(count): \(first)\(second)\(posts.count > some.count ? " …" : "")"
  }
}

extension [Line] {
  /// The maximum of lines for one event. Beyond it the first lines are shown, and the last, whose counts cover all.
  private static var ofEventMax: Int { 8 }

  fileprivate var fewer: [Line] {
    let first = 4
    guard count > Self.ofEventMax, let last else { return self }
    return prefix(first) + [Line("… \(count - first - 1) more", .dim), last]
  }
}

/// The person who did it, at the beginning of a line. One's own actions begin with the sign.
struct Who {
  let name: String
  let isMe: Bool

  init(_ name: String, isMe: Bool) {
    self.name = name
    self.isMe = isMe
  }

  func line(_ sign: Phrase, _ style: Style, _ text: Phrase) -> Line {
    var line = isMe ? Line(hang: 2) : Line("\(name) ", .strong, hang: 2)
    line.add(sign + " ", style)
    return line.and(text)
  }
}

extension EventLines {
  func title(of id: PostID, _ applied: AppliedEvent) -> String {
    applied.title(of: id) ?? titles[id] ?? "a post"
  }
}

extension AppliedEvent {
  /// Returns a post's title after the event; nil when it is not known.
  fileprivate func title(of id: PostID) -> String? {
    for change in changes.reversed() where change.key == ObjectKey(kind: .post, id: id.uuid) {
      if case .post(let post) = change.effect.object ?? change.before, post.moved == nil {
        return post.title
      }
      // The rest of a post that moved away has no title.
      if case .post(let post) = change.before { return post.title }
    }
    return nil
  }

  fileprivate func oldTitle(of id: PostID) -> String? {
    for change in changes where change.key == ObjectKey(kind: .post, id: id.uuid) {
      if case .post(let post) = change.before { return post.title }
    }
    return nil
  }

  /// Returns the word of a tag before the event; nil when it is not known.
  fileprivate func oldWord(of tag: TagID) -> String? {
    for change in changes where change.key == ObjectKey(kind: .tag, id: tag.uuid) {
      if case .tag(let tag) = change.before { return tag.word }
    }
    return nil
  }

  /// The list's tag before the event; nil when it is not known.
  fileprivate var oldTag: String? {
    for change in changes {
      if case .category(let category) = change.before { return category.tag }
    }
    return nil
  }
}
