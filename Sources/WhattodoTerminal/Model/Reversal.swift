// The ways in which a change is taken back. The server takes back what the members of a list share (`undo`, protocol
// §8 `undo`), because it knows what others have done since. Everything else that a person can change is set again to
// its former value. Such a command sets a value, so the copies from before it hold what takes it back. A few changes
// cannot be taken back; then undo says so and does nothing else.

import Client
import Domain
import Sync

enum Reversal: Equatable {
  /// The server's undo, in this list.
  case undo(StreamID)
  /// `back` sets the former values, `again` does the change once more; without `again` nothing does it once more.
  case set(back: Command, again: Command?, StreamID)
  /// The line that was said in this stream is removed by its number, which the log has.
  case unsay(StreamID)
  /// Nothing takes it back. The sentence says why, and what the person can do.
  case never(String)
}

extension BotCommand {
  /// The sentence about what a person can do instead of an undo.
  fileprivate var wayBack: String {
    switch self {
    case .add(let new): "/bot \(new.username) end ends it"
    case .end: "/bot NAME keep keeps it"
    case .keep: "/bot NAME end ends it"
    case .give: "only its new owner can give it back"
    case .addToken: "/token BOT revoke NUMBER revokes it"
    case .revokeToken: "/token makes another one"
    case .addWebhook: "/webhook BOT end NUMBER ends it"
    case .removeWebhook: "/webhook makes another one"
    case .pauseWebhook: "/webhook BOT resume NUMBER lets it go on"
    case .resumeWebhook: "/webhook BOT pause NUMBER lets it rest"
    }
  }
}

extension Reversal {
  /// Decides by the situation in which the command is sent; nil for commands that nobody means as a change.
  init?(of command: Command, in before: Situation) {
    guard let me = before.me else { return nil }
    let own = StreamID.user(me)
    switch command {
    case .markRead, .undo: return nil
    case .post(.change(_, .erase, ifVersion: _)):
      self = .never("an erased text is gone for good")
    case .post(.change(let address, .claim, ifVersion: _)):
      let back = Command.post(.change(address, .release, ifVersion: nil))
      self = .set(back: back, again: command, address.stream)
    case .post(.change(let address, .release, ifVersion: _)):
      let lease = PostChange.claim(milliseconds: Int64(Limits.claimMilliseconds))
      self = .set(
        back: .post(.change(address, lease, ifVersion: nil)), again: command, address.stream)
    case .post(.claimNext):
      self = .never("which post came says only the list: /release NUMBER gives it back")
    case .post(.change(let address, .contest(let change), ifVersion: _)):
      guard let back = Reversal.back(from: change) else {
        self = .undo(address.stream)
        return
      }
      self = .set(
        back: .post(.change(address, .contest(back), ifVersion: nil)), again: command,
        address.stream)
    // A copy changes nothing in the list from which it is made.
    case .post(.change(_, .copy(as: _, to: let list, days: _), ifVersion: _)):
      self = .undo(.category(list))
    case .post(.add(let address, _)), .post(.change(let address, _, ifVersion: _)),
      .post(.importUpsert(let address, _)):
      self = .undo(address.stream)
    case .changeTag(let list, _, _), .category(.edit(let list, _)), .category(.remove(let list)),
      .category(.restore(let list)), .category(.archive(let list)), .category(.unarchive(let list)):
      self = .undo(.category(list))
    case .batch(let commands): self.init(ofAll: commands, in: before)
    case .changePersonal, .account(.editSettings), .account(.editProfile), .filter,
      .category(.move):
      guard let back = Reversal.back(from: command, in: before) else { return nil }
      self = .set(back: back, again: command, own)
    case .category(.add), .group, .member(.setRole),
      .invitation(.send), .invitation(.makeCode), .link(.make), .person(.unblock):
      self.init(ofPlaces: command, in: before, own)
    case .account(.register), .account(.recover), .account(.upgrade):
      self = .never("an account stays what it became")
    case .account(.changePassword): self = .never("/password changes it once more")
    case .account(.delete): self = .never("/account keep keeps it")
    case .account(.keep): self = .never("/account delete asks for it once more")
    case .account(.closeSession): self = .never("that device has to sign in again")
    case .invitation(.accept), .invitation(.redeem):
      self = .never("/leave leaves the list or group again")
    case .invitation(.decline), .invitation(.revoke):
      self = .never("another invitation is needed: /invite")
    case .link(.revoke): self = .never("/link makes another one")
    case .bot(let command): self = .never(command.wayBack)
    case .person(.block(let username)):
      self = .never("/unblock \(username) lets @\(username) invite you again")
    case .react, .line: self.init(ofTalk: command, in: before, me)
    case .member(.leave): self = .never("somebody there has to invite you again")
    case .member(.remove): self = .never("/invite asks them to come again")
    }
  }

  /// Returns the command that is the opposite; nil for an amount, which the server takes back.
  private static func back(from change: ContestChange) -> ContestChange? {
    switch change {
    case .join: .withdraw
    case .withdraw: .join
    case .claim(let step): .release(step)
    case .release(let step): .claim(step)
    case .reach: nil
    }
  }

  /// Decides for commands about groups, members and invitations.
  private init(ofPlaces command: Command, in before: Situation, _ own: StreamID) {
    switch command {
    case .category(.add(let list, _)):
      self = .set(
        back: .category(.remove(list)), again: .category(.restore(list)), .category(list))
    case .group(.add(let group, _)):
      self = .set(back: .group(.remove(group)), again: .group(.restore(group)), .group(group))
    case .group(.edit(let group, let edit)):
      let was = before.streams[.group(group)]?.group
      let back = GroupEdit(
        name: edit.name.map { _ in was?.name ?? "" }, talk: edit.talk.map { _ in was?.talk ?? .on })
      self = .set(back: .group(.edit(group, back)), again: command, .group(group))
    case .group(.remove(let group)):
      self = .set(back: .group(.restore(group)), again: command, .group(group))
    case .group(.restore(let group)):
      self = .set(back: .group(.remove(group)), again: command, .group(group))
    case .member(.setRole(let stream, let user, _)):
      guard let role = before.streams[stream]?.member(user)?.role else {
        self = .never("who has left has no role")
        return
      }
      self = .set(back: .member(.setRole(stream, user, role)), again: command, stream)
    case .invitation(.send(let id, let stream, let username, let role)):
      let again = Command.invitation(
        .send(
          InvitationID(Identifiers.make()), stream, username: username, role))
      self = .set(back: .invitation(.revoke(id, stream)), again: again, stream)
    case .invitation(.makeCode(let id, let stream, _)):
      self = .set(back: .invitation(.revoke(id, stream)), again: nil, stream)
    case .link(.make(let id, let list, _)):
      self = .set(back: .link(.revoke(id, list)), again: nil, .category(list))
    case .person(.unblock(let user)):
      let block = before.ownStream?.blocks.first { $0.user == user }
      let back = Command.person(.block(username: block?.username ?? ""))
      self = block == nil ? .never("nobody was blocked") : .set(back: back, again: command, own)
    default: self = .never("nothing takes it back")
    }
  }

  /// Decides for signs and for lines of talk.
  private init(ofTalk command: Command, in before: Situation, _ me: UserID) {
    switch command {
    case .react(let list, let event, let post, _):
      let stream = StreamID.category(list)
      var sign: String?
      if case .reactions(let it)? = before.streams[stream]?.objects[Reactions.key(of: event)] {
        sign = it.sign(of: me)
      }
      self = .set(
        back: .react(list, event: event, post: post, sign: sign), again: command, stream)
    case .line(.say(let stream, _, _, _)): self = .unsay(stream)
    case .line(.react(let stream, let line, _)):
      let sign = before.streams[stream]?.line(line)?.sign(of: me)
      self = .set(
        back: .line(.react(stream, line: line, sign: sign)), again: command, stream)
    // A line can be removed for good, so the file of changes keeps none of its words.
    case .line(.edit): self = .never("the earlier words are not kept; /resay changes them again")
    case .line(.remove): self = .never("its text is gone for good; /say says another line")
    default: self = .never("nothing takes it back")
    }
  }

  /// Decides for a batch. One undo takes back all of what one command did, or nothing.
  private init?(ofAll commands: [Command], in before: Situation) {
    // A list that is added with its contents is taken back as a whole.
    if case .category(.add)? = commands.first, let first = commands.first {
      self.init(of: first, in: before)
      return
    }
    var backs: [Command] = []
    var now = before
    for command in commands {
      switch Reversal(of: command, in: now) {
      case .set(let back, _, _):
        backs.append(back)
        if case .category(.move(let list, let next)) = command { now.place(list, before: next) }
      case .undo(let stream):
        self = .undo(stream)
        return
      case .never(let why):
        self = .never(why)
        return
      case .unsay, nil: continue
      }
    }
    guard let me = before.me, !backs.isEmpty else { return nil }
    let back = backs.count == 1 ? backs[0] : Command.batch(backs.reversed())
    self = .set(back: back, again: .batch(commands), .user(me))
  }

  // MARK: One's own

  private static func back(from command: Command, in before: Situation) -> Command? {
    switch command {
    case .changePersonal(let address, let change):
      let was = before.personal(address.post, in: address.category) ?? Personal(address)
      return back(from: change, to: was, before.clock.now).map { .changePersonal(address, $0) }
    case .account(.editSettings(let edit)):
      return .account(.editSettings(edit.reverse(before.settings)))
    case .account(.editProfile(let edit)):
      return before.ownStream?.profile.map { .account(.editProfile(edit.reverse($0))) }
    case .filter(.save(let filter)):
      let known = before.ownStream?.filters.first { $0.id == filter.id }
      return known.map { .filter(.save($0)) } ?? .filter(.remove(filter.id))
    case .filter(.remove(let id)):
      return before.ownStream?.filters.first { $0.id == id }.map { .filter(.save($0)) }
    case .category(.move(let list, before: _)):
      let order = before.order ?? before.ownStream?.listsInOrder ?? []
      guard let place = order.firstIndex(of: list) else { return nil }
      return .category(.move(list, before: place + 1 < order.count ? order[place + 1] : nil))
    default: return nil
    }
  }

  private static func back(
    from change: PersonalChange, to was: Personal, _ now: Timestamp
  ) -> PersonalChange? {
    switch change {
    case .plan: .plan(was.plan)
    case .remind(let reminder): was.reminders.contains(reminder) ? nil : .forget(reminder)
    case .forget(let reminder): was.reminders.contains(reminder) ? .remind(reminder) : nil
    case .snooze: .snooze(until: was.snooze.flatMap { $0 > now ? $0 : nil })
    case .day: .day(was.day)
    case .note: .note(was.note)
    case .watch: .watch(was.watch)
    }
  }
}

extension Situation {
  /// Moves a list among one's own lists, as if a move had been made.
  fileprivate mutating func place(_ list: CategoryID, before next: CategoryID?) {
    var all = (order ?? ownStream?.listsInOrder ?? []).filter { $0 != list }
    all.insert(list, at: next.flatMap { all.firstIndex(of: $0) } ?? all.count)
    order = all
  }
}

extension FieldChange {
  /// Returns the change that sets a field to its former value, if this change touched it.
  fileprivate func reverse(_ was: Value?) -> FieldChange {
    switch self {
    case .keep: .keep
    case .clear, .set: was.map { .set($0) } ?? .clear
    }
  }
}

extension SettingsEdit {
  fileprivate func reverse(_ was: PersonalSettings) -> SettingsEdit {
    var edit = SettingsEdit()
    edit.reminders = reminders.reverse(was.reminders)
    edit.dueSoonHours = dueSoonHours.reverse(was.dueSoonHours)
    edit.defaultDue = defaultDue.reverse(was.defaultDue)
    edit.muted = muted.reverse(was.muted)
    edit.digest = digest.reverse(was.digest)
    edit.levels = levels.map { change in
      was.levels.first { $0.about == change.about }.map { .choose($0) } ?? .clear(change.about)
    }
    return edit
  }
}

extension ProfileEdit {
  fileprivate func reverse(_ was: Profile) -> ProfileEdit {
    ProfileEdit(
      name: name.map { _ in was.name }, location: location.map { _ in was.location },
      zone: zone.map { _ in was.zone }, invitedBy: invitedBy.map { _ in was.invitedBy },
      locale: locale.map { _ in was.locale })
  }
}
