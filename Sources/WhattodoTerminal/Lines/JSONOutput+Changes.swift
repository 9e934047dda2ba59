import Client
import Domain
import Wire

/// The facts about one change that a script is told beside its result.
struct ChangeNote: Equatable {
  /// The id of what the change is about: a post, a list, a group, a tag, a person.
  var id: String?
  /// The step of that post, for a change of a step.
  var step: String?
  /// The number of the line of talk that was said, changed, signed or removed.
  var line: Int64?
  /// The end that the change made for a post.
  var end: PostEnd?

  /// Makes the notes of a request, one for each of its commands. `situation` is the one after them.
  static func of(
    _ request: Request, _ result: CommandResult, _ ends: [Int: PostEnd], in situation: Situation
  ) -> [ChangeNote] {
    guard case .command(let command, key: _, base: _) = request else {
      return result.each.map { _ in ChangeNote() }
    }
    let commands = if case .batch(let commands) = command { commands } else { [command] }
    return result.each.enumerated().map { index, part in
      guard index < commands.count else { return ChangeNote() }
      return ChangeNote(
        id: commands[index].subject(part, situation), step: commands[index].step.map { "\($0)" },
        line: commands[index].lineNumber(result), end: ends[index])
    }
  }
}

extension Command {
  /// Returns the id of what it is about; nil for a command about no single thing. `part` tells which post was claimed
  /// when the command did not say.
  fileprivate func subject(_ part: CommandPart, _ situation: Situation) -> String? {
    switch self {
    case .category(let it): "\(it.id)"
    case .post(.change(_, .copy(let copy, to: _, days: _), ifVersion: _)): "\(copy)"
    case .post(.claimNext(let list, milliseconds: _)):
      part.number.flatMap { situation.streams[.category(list)]?.post(number: $0) }
        .map { "\($0.id)" }
    case .post(.add(let it, _)), .post(.importUpsert(let it, _)),
      .post(.change(let it, _, ifVersion: _)), .changePersonal(let it, _):
      "\(it.post)"
    case .changeTag(_, let tag, _): "\(tag)"
    case .group(let it): "\(it.id)"
    case .invitation(let it): it.subject
    case .member(let it): it.subject
    case .link(.make(let link, _, _)), .link(.revoke(let link, _)): "\(link)"
    case .filter(.save(let filter)): "\(filter.id)"
    case .filter(.remove(let filter)): "\(filter)"
    case .bot(let it): it.subject
    case .person(.unblock(let user)): "\(user)"
    case .person(.block), .account, .markRead, .react, .line, .batch, .undo: nil
    }
  }

  /// Returns the number of the line that it is about. A new line has the number of its event.
  fileprivate func lineNumber(_ result: CommandResult) -> Int64? {
    switch self {
    case .line(.say(let stream, _, _, _)): result.events.first { $0.stream == stream }?.seq
    case .line(.edit(_, let line, _)), .line(.react(_, let line, _)),
      .line(.remove(_, let line)):
      line
    default: nil
    }
  }

  fileprivate var step: StepID? {
    switch self {
    case .post(.change(_, .step(let step, _), ifVersion: _)),
      .post(.change(_, .occurrence(_, .finish(let step)), ifVersion: _)),
      .post(.change(_, .contest(.claim(let step)), ifVersion: _)),
      .post(.change(_, .contest(.release(let step)), ifVersion: _)):
      step
    default: nil
    }
  }
}

extension InvitationCommand {
  fileprivate var subject: String? {
    switch self {
    case .send(let it, _, username: _, _), .accept(let it), .decline(let it), .revoke(let it, _),
      .makeCode(let it, _, _):
      "\(it)"
    case .redeem: nil
    }
  }
}

extension MemberCommand {
  fileprivate var subject: String? {
    switch self {
    case .remove(_, let user), .setRole(_, let user, _): "\(user)"
    case .leave(let stream, successor: _): "\(stream.uuid)"
    }
  }
}

extension BotCommand {
  fileprivate var subject: String {
    switch self {
    case .add(let new): "\(new.id)"
    case .end(let bot), .keep(let bot), .give(let bot, to: _): "\(bot)"
    case .addToken(_, let token, _), .revokeToken(_, let token): "\(token)"
    case .addWebhook(_, let webhook, _): "\(webhook)"
    case .removeWebhook(let key), .pauseWebhook(let key), .resumeWebhook(let key): "\(key.id)"
    }
  }
}

extension JSONOutput {
  /// Writes `"results"`, one for each change; nothing when nothing was to be changed. A batch makes no code, so the
  /// code of the whole is that of the only change.
  static func results(
    _ changes: [(part: CommandPart, of: CommandResult)], _ notes: [ChangeNote],
    _ server: ServerAddress?, _ writer: inout JSONWriter
  ) {
    guard !changes.isEmpty else { return }
    writer.array("results", changes.enumerated()) { row, writer in
      let (index, change) = row
      writer.member("changed", change.part.changed)
      if index < notes.count { identify(notes[index], &writer) }
      if let number = change.part.number { writer.member("number", number) }
      if let version = change.part.version { writer.member("version", version) }
      if index < notes.count, let end = notes[index].end { self.end(end, &writer) }
      if let token = change.of.token { writer.member("token", token) }
      if let secret = change.of.secret { writer.member("secret", secret) }
      if let code = change.of.code { writer.member("code", code) }
      if let shows = change.of.shows {
        writer.member("shows", shows)
        calendar(change.of.code, server, &writer)
      }
    }
  }

  private static func identify(_ note: ChangeNote, _ writer: inout JSONWriter) {
    if let id = note.id { writer.member("id", id) }
    if let step = note.step { writer.member("step", step) }
    if let line = note.line { writer.member("number", Int(line)) }
  }

  static func calendar(
    _ code: String?, _ server: ServerAddress?, _ writer: inout JSONWriter
  ) {
    if let code, let server { writer.member("calendar", server.calendar(link: code)) }
  }
}
