import Domain
import Screen
import Sync
import Text
import Wire

/// The lines of `/unsent`: what the server refused, with the reason, and both texts where two people wrote at once.
enum UnsentLines {
  static func all(_ situation: Situation) -> [Line] {
    var lines: [Line] = []
    if situation.waitingCount > 0 {
      lines.append(Line("\(count(situation.waitingCount)) to be sent", .dim))
    }
    guard !situation.unsent.isEmpty else { return lines + [Line("nothing was refused", .dim)] }
    for unsent in situation.unsent {
      let number = situation.shown.unsent.number(of: unsent, among: situation.unsent)
      lines += rows(unsent, number: number, situation)
    }
    return lines
  }

  /// Returns `1 change waits` or `2 changes wait`.
  static func count(_ waiting: Int) -> Phrase {
    waiting == 1 ? "1 change waits" : "\(waiting) changes wait"
  }

  /// The lines of a change that was refused just now.
  static func refused(_ unsent: UnsentCommand, _ situation: Situation) -> [Line] {
    let number = situation.shown.unsent.number(of: unsent, among: situation.unsent)
    return rows(unsent, number: number, situation)
  }

  /// The lines of a change that was refused at once. It is kept nowhere, so there is nothing to decide about it.
  static func forgotten(_ unsent: UnsentCommand, _ situation: Situation) -> [Line] {
    rows(unsent, number: nil, situation)
  }

  private static func rows(
    _ unsent: UnsentCommand, number: Int?, _ situation: Situation
  ) -> [Line] {
    var head =
      number.map { Line("\(ListLines.pad("\($0)", 3, right: true))  ", .dim, hang: 5) }
      ?? Line("", hang: 5)
    head.add("✘ ", .bad)
    head.add("\(what(unsent.queued.command, situation))")
    if let number,
      let conflict = situation.conflicts.first(where: { $0.number == unsent.queued.number })
    {
      return [
        head.and(": somebody else changed the notes at the same time", .dim),
        text("yours:  ", conflict.mine.notes ?? ""), text("theirs: ", conflict.theirs.notes),
        Line("     /unsent \(number) mine, theirs or both", .dim, hang: 5),
      ]
    }
    let own = note(of: unsent.queued.command).map { [text("", $0)] } ?? []
    let said = sentence(unsent.reason, about: unsent.queued.command, situation)
    let advice = advice(unsent.queued.command, unsent.reason, situation)
      .flatMap { $0 == said ? nil : [Line("     \($0)", .dim, hang: 5)] }
    // The time that the change was about is over: sent again, it would be refused again.
    let isOver = unsent.reason.kind == .conflict && unsent.queued.command.isOver(unsent.reason)
    let reason = isOver ? "that time is over by now, or it was changed" : said
    let choices = isOver ? "drop" : "again or drop"
    let decide = number.map { [Line("     /unsent \($0) \(choices)", .dim, hang: 5)] }
    return [head.and(": \(reason)", .dim)] + own + (advice ?? []) + (decide ?? [])
  }

  /// Returns the reason in words for a person, where the server's words are those of a program.
  private static func sentence(
    _ reason: ServerError, about command: Command, _ situation: Situation
  ) -> String {
    if reason.kind == .conflict, let holder = advice(command, reason, situation) { return holder }
    let refused = command.part(reason.index)
    guard reason.kind == .forbidden, let stream = refused.place,
      let role = situation.role(in: stream), !Permission.allows(role, refused.method),
      archivedList(changedBy: command, situation) == nil
    else { return reason.sentence(about: command) }
    return "\(role.withArticle) may not do that there"
  }

  /// Returns what the server would take instead, or what is in the way; nil for most refusals.
  static func advice(_ command: Command, _ reason: ServerError, _ situation: Situation) -> String? {
    if case .post(.change(let address, .claim, _)) = command, case .post(let post)? = reason.object,
      let (member, until) = situation.holder(of: post, in: address.stream)
    {
      let name = situation.name(of: member.id, in: address.stream)
      return "\(name) is on it until \(situation.clock.moment(until))"
    }
    if let advice = contestAdvice(command, reason, situation) { return advice }
    guard reason.kind == .forbidden else { return nil }
    if let list = archivedList(changedBy: command, situation) {
      return opening(list, situation)
    }
    guard case .member(.leave(let stream, successor: nil)) = command else { return nil }
    return "/leave \(situation.label(stream)) to PERSON makes somebody else its owner first"
  }

  private static func text(_ whose: Phrase, _ notes: String) -> Line {
    let lines = notes.split(separator: "\n").map(String.init)
    return Line("     ", hang: 13).and(whose, .dim)
      .and(lines.isEmpty ? "no notes" : "\(lines.joined(separator: " / "))")
  }

  private static func note(of command: Command) -> String? {
    if case .post(.add(_, let new)) = command, new.notes.isEmpty { return nil }
    return command.notes
  }

  /// Returns what was asked for, as its author would say it.
  static func what(_ command: Command, _ situation: Situation) -> Phrase {
    switch command {
    case .post(.add(let address, let new)): "+ \(new.title) (\(place(address.category, situation)))"
    case .post(.change(let address, let change, ifVersion: _)): what(change, of: address, situation)
    case .category(.add(_, let new)): "new list \(new.name)"
    case .post(.claimNext(let list, _)): "▸ the next post (\(place(list, situation)))"
    case .changeTag(let list, _, _): "tags of \(place(list, situation))"
    case .group(.add(_, let name)): "new group \(name)"
    case .category(.edit(let list, let edit)):
      EventLines.what(edit, place(list, situation)) ?? "\(command.method.name)"
    case .invitation(.send(_, let stream, let username, _)):
      "invite @\(username) to \(situation.label(stream))"
    case .batch(let commands):
      switch commands.count {
      case 1: what(commands[0], situation)
      case 2... where commands.editsOneTime: what(apart: commands, situation)
      default: what(commands[0], situation) + " and \(commands.count - 1) more"
      }
    case .category(.remove(let list)): "remove \(place(list, situation))"
    case .category(.archive(let list)): "archive \(place(list, situation))"
    case .category(.unarchive(let list)): "open \(place(list, situation)) again"
    case .link(.make(_, let list, _)): "a link to \(place(list, situation))"
    default: whatOfPeople(command, situation)
    }
  }

  /// Returns what was asked for about groups, members and invitations.
  private static func whatOfPeople(_ command: Command, _ situation: Situation) -> Phrase {
    switch command {
    case .bot(.add(let new)): "a new bot @\(new.username)"
    case .group(.edit(let group, let edit)): what(edit, situation.label(.group(group)))
    case .group(.remove(let group)): "remove the group \(situation.label(.group(group)))"
    case .member(.leave(let stream, _)): "leave \(situation.label(stream))"
    case .member(.remove(let stream, let user)):
      "take \(situation.name(of: user, in: stream)) out of \(situation.label(stream))"
    case .member(.setRole(let stream, let user, let role)):
      "\(situation.name(of: user, in: stream)) as \(role.word) of \(situation.label(stream))"
    case .invitation(.makeCode(_, let stream, _)): "a code to \(situation.label(stream))"
    case .invitation(.revoke(_, let stream)): "take back what lets into \(situation.label(stream))"
    case .react(let list, _, _, let sign):
      "\(sign ?? "no sign") for what was done in \(situation.label(.category(list)))"
    case .line(let line): what(line, situation)
    default: "\(command.method.name)"
    }
  }

  /// Returns what was to be said, in one row.
  private static func what(_ line: LineCommand, _ situation: Situation) -> Phrase {
    let place = situation.label(line.stream)
    switch line {
    case .say(_, let text, let post, _):
      let what: Phrase = "\(TalkLines.oneRow(text)) (\(place))"
      guard let post else { return "say: " + what }
      return "say on " + TalkLines.words(of: post, in: line.stream, situation) + ": " + what
    case .edit(_, let number, let text):
      return "say instead of line \(number): \(TalkLines.oneRow(text)) (\(place))"
    case .react(_, let number, let sign):
      return "\(sign ?? "no sign") for line \(number) (\(place))"
    case .remove(_, let number): return "take line \(number) back (\(place))"
    }
  }

  /// Returns what was asked for when one time becomes a post of its own; the new post has no title yet.
  private static func what(apart commands: [Command], _ situation: Situation) -> Phrase {
    guard case .post(.change(let from, _, _)) = commands[0],
      case .post(.change(_, .edit(var edit), _)) = commands[1]
    else { return what(commands[0], situation) }
    // This edit also ends the repetition of the new post; nobody asked for that.
    edit.repeats = .keep
    return what(.edit(edit), of: from, situation) + ", this time only"
  }

  private static func what(
    _ change: PostChange, of address: PostAddress, _ situation: Situation
  ) -> Phrase {
    let title = situation.streams[address.stream]?.post(address.post)?.title ?? "a post"
    let place = place(address.category, situation)
    return switch change {
    case .edit(let edit), .occurrence(_, .edit(let edit)):
      what(edit, title, situation) + " (\(place))"
    case .complete, .completeForAll: "✔ \(title) (\(place))"
    case .reopen, .takeBack: "↺ \(title) (\(place))"
    case .remove: "remove \(title) (\(place))"
    case .step(_, .add(let text)), .step(_, .edit(let text)): "✎ \(title): \(text) (\(place))"
    case .assign, .unassign: "→ \(title) (\(place))"
    case .tag, .untag: "tags of \(title) (\(place))"
    case .occurrence(_, .complete), .occurrence(_, .completeForAll), .occurrence(_, .finish):
      "✔ \(title) (\(place))"
    case .occurrence(_, .skip), .occurrence(_, .remove): "↷ \(title) (\(place))"
    case .claim: "▸ \(title) (\(place))"
    case .release: "◂ \(title) (\(place))"
    case .run: "▶ \(title) (\(place))"
    case .contest(let change): contestWords(change, title) + " (\(place))"
    case .occurrence(_, .reach(let it)): contestWords(.reach(it), title) + " (\(place))"
    case .move: "\(title) moved (\(place))"
    case .copy(_, let list, _): "+ \(title) again (\(situation.label(.category(list))))"
    case .moveTo(let list): "→ \(title) (\(place) to \(situation.label(.category(list))))"
    case .restore, .erase, .step: "\(change.method.name)"
    }
  }

  /// Returns the words of an edit; notes have a line of their own.
  private static func what(_ edit: PostEdit, _ title: String, _ situation: Situation) -> Phrase {
    let words = PostChips.words(edit, situation.clock)
    if let title = edit.title { return (["✎ \(title)"] + words).listed }
    return words.isEmpty ? "✎ \(title)" : "✎ \(title): \(words.listed)"
  }

  private static func what(_ edit: GroupEdit, _ group: String) -> Phrase {
    if let name = edit.name { return "\(group) is called \(name)" }
    let talk = edit.talk ?? .on
    return "talk is \(talk.rawValue) in \(group)"
  }

  private static func place(_ list: CategoryID, _ situation: Situation) -> String {
    situation.label(.category(list))
  }
}

extension Command {
  /// Whether the time that it names may be over. An amount is refused for other reasons while its time is there.
  fileprivate func isOver(_ reason: ServerError) -> Bool {
    guard case .post(.change(_, .occurrence(let name, .reach), _)) = self,
      case .post(let now)? = reason.object
    else { return namesOccurrence }
    return now.completed != nil || now.occurrence?.number != name.number
  }

  /// Returns the command of a batch because of which all of it was refused.
  fileprivate func part(_ index: Int?) -> Command {
    guard case .batch(let commands) = self, let first = commands.first else { return self }
    return index.flatMap { commands.indices.contains($0) ? commands[$0] : nil } ?? first
  }

  /// The stream whose roles decide who may do it; nil for what is one's own or about several places.
  fileprivate var place: StreamID? {
    switch self {
    case .post(.add(let address, _)), .post(.change(let address, _, ifVersion: _)): address.stream
    case .category(.edit(let list, _)), .category(.remove(let list)), .category(.archive(let list)),
      .category(.unarchive(let list)), .post(.claimNext(let list, _)), .changeTag(let list, _, _),
      .link(.make(_, let list, _)):
      .category(list)
    case .group(.edit(let group, _)), .group(.remove(let group)): .group(group)
    case .invitation(.send(_, let stream, _, _)), .invitation(.makeCode(_, let stream, _)),
      .member(.remove(let stream, _)), .member(.setRole(let stream, _, _)),
      .invitation(.revoke(_, let stream)):
      stream
    case .line(let line): line.stream
    default: nil
    }
  }
}

extension Role {
  /// The role with its article: `an editor`.
  var withArticle: String {
    ("aeiou".contains(word.first ?? "x") ? "an " : "a ") + word
  }
}
