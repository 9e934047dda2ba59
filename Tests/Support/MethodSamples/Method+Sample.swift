package import Domain

// The sample of each method, family by family. A new method does not compile before it has a sample here.

private typealias Doing = Household.Doing

private let list = Household.list
private let here = StreamID.category(list)
private let owner = Household.owner
private let sender = Household.sender

extension Method {
  /// The sample of the method. Nil when the ledger does not decide it as a change: it only reads, holds for a moment,
  /// or belongs to a connection.
  package var sample: MethodSample? {
    switch self {
    case .category(let method): method.sample
    case .post(let method): method.sample
    case .step(let method): method.sample
    case .run(let method): method.sample
    case .contest(let method): method.sample
    case .tag(let method): method.sample
    case .personal(let method): method.sample
    case .group(let method): method.sample
    case .invitation(let method): method.sample
    case .member(let method): method.sample
    case .link(let method): method.sample
    case .single(let method): method.sample
    case .account(let method): method.sample
    case .person(let method): method.sample
    case .filter(let method): method.sample
    case .bot(let method): method.sample
    case .line(let method): method.sample
    case .signIn(let method): method.sample
    case .connection, .query, .moment: nil
    }
  }
}

extension CategoryMethod {
  fileprivate var sample: MethodSample {
    let archive = Doing(.category(.archive(list)), by: owner)
    let remove = Doing(.category(.remove(list)), by: owner)
    return switch self {
    case .add:
      MethodSample(
        command: .category(.add(Household.newList, name: "new", group: Household.group)),
        least: .editor,
        after: [Doing(.member(.remove(.group(Household.group), sender)), by: owner)],
        home: .category(Household.newList))
    case .edit:
      .inList(
        .editor, .category(.edit(list, name: "new")), after: [remove])
    case .remove:
      .inList(
        .owner, .category(.remove(list)),
        after: [Doing(.category(.restore(list)), by: owner), Household.senderIsRemoved])
    case .restore:
      .inList(.owner, .category(.restore(list)), before: [remove], after: [remove])
    case .archive:
      .inList(
        .admin, .category(.archive(list)),
        after: [Doing(.category(.unarchive(list)), by: owner), Household.senderIsRemoved])
    case .unarchive:
      .inList(
        .admin, .category(.unarchive(list)), before: [archive],
        after: [archive, Household.senderIsRemoved])
    case .move:
      .personal(
        .category(.move(list, before: nil)),
        after: [Doing(.category(.move(Household.ownList, before: nil)), by: sender)])
    }
  }
}

extension PostMethod {
  fileprivate var sample: MethodSample {
    let (open, own, daily) = (Household.open, Household.own, Household.daily)
    let new = PostAddress(category: list, post: Household.newPost)
    let release = Doing(.post(.change(list, open, .release)), by: owner)
    return switch self {
    case .add:
      .inList(
        .editor,
        .post(
          .add(new, NewPost(title: "new", notes: "n", fields: PostEdit(priority: .set(.high))))))
    case .edit:
      .inList(
        .editor,
        .editPost(
          list, open,
          PostEdit(title: "new", due: .set(.time(Household.farDay, minute: 60, zone: "UTC"))),
          ifVersion: 1))
    case .complete:
      .inList(
        .doer, .completePost(list, open, ifVersion: 1),
        after: [
          Doing(.reopenPost(list, open, ifVersion: nil), by: owner), Household.senderIsRemoved,
        ])
    case .reopen: .inList(.doer, .reopenPost(list, Household.done, ifVersion: 2))
    case .remove: .inList(.editor, .removePost(list, open, ifVersion: 1))
    case .restore: .inList(.editor, .restorePost(list, Household.removed, ifVersion: 2))
    case .erase: .inList(.editor, .erasePost(list, own))
    case .move: .inList(.editor, .movePost(list, open, after: nil, before: daily))
    case .moveTo: .inList(.editor, .movePost(list, open, to: Household.ownList))
    case .copy: .inList(.editor, .post(.change(list, open, .copy(as: new.post, to: list))))
    case .tag: .inList(.editor, .post(.change(list, open, .tag(Household.tag))))
    case .untag: .inList(.editor, .post(.change(list, own, .untag(Household.tag))))
    case .assign: .inList(.editor, .post(.change(list, open, .assign(Household.member))))
    case .unassign: .inList(.editor, .post(.change(list, own, .unassign(sender))))
    case .skip:
      .inList(
        .editor, .changeOccurrence(list, daily, 2, .skip),
        after: [
          Doing(.changeOccurrence(list, daily, 3, .complete), by: owner), Household.senderIsRemoved,
        ])
    case .takeBack:
      .inList(
        .doer, .post(.change(list, daily, .takeBack(event: Household.ending))),
        after: [
          Doing(.changeOccurrence(list, daily, 1, .complete), by: owner), Household.senderIsRemoved,
        ])
    case .importUpsert:
      .inList(
        .editor,
        .post(
          .importUpsert(
            new,
            ImportedPost(
              source: SourceKey(name: "forge", id: "12"), url: "https://forge.example/12",
              fields: PostEdit(title: "from elsewhere")))),
        after: [
          Doing(.removePost(list, new.post, ifVersion: nil), by: owner), Household.senderIsRemoved,
        ])
    case .claim:
      .inList(
        .doer, .post(.change(list, open, .claim(milliseconds: 60_000))),
        after: [release, Household.senderIsRemoved])
    case .release: .inList(.doer, .post(.change(list, Household.claimed, .release)))
    case .claimNext: .inList(.doer, .post(.claimNext(list, milliseconds: 60_000)))
    }
  }
}

extension StepMethod {
  fileprivate var sample: MethodSample {
    let (own, step) = (Household.own, Household.openStep)
    func by(_ change: StepChange) -> Doing {
      Doing(.changeStep(list, own, step, change), by: owner)
    }
    return switch self {
    case .add: .inList(.editor, .changeStep(list, own, Household.newStep, .add(content: "new")))
    case .edit:
      .inList(.editor, .changeStep(list, own, step, .edit(content: "new"), ifVersion: 6))
    case .remove: .inList(.editor, .changeStep(list, own, step, .remove))
    case .move:
      .inList(
        .editor, .changeStep(list, own, step, .move(before: nil)),
        after: [by(.move(before: Household.finishedStep)), Household.senderIsRemoved])
    case .complete:
      .inList(
        .doer, .changeStep(list, own, step, .complete),
        after: [by(.reopen), Household.senderIsRemoved])
    case .reopen: .inList(.doer, .changeStep(list, own, Household.finishedStep, .reopen))
    }
  }
}

extension RunMethod {
  fileprivate var sample: MethodSample {
    let running = Household.claimed
    func by(_ change: RunChange) -> Doing {
      Doing(.changeRun(list, running, Household.run, change), by: sender)
    }
    return switch self {
    case .start:
      .inList(
        .doer,
        .changeRun(
          list, Household.open, Household.newRun, .start(lease: 90_000, phase: "new phase")))
    case .phase:
      .inList(
        .doer, .changeRun(list, running, Household.run, .phase("drying")),
        after: [by(.end(.failed, text: nil)), Household.senderIsRemoved])
    case .end:
      .inList(
        .doer, .changeRun(list, running, Household.run, .end(.ok, text: "all clean")))
    }
  }
}

extension TagMethod {
  fileprivate var sample: MethodSample {
    switch self {
    case .add:
      .inList(.editor, .changeTag(list, Household.newTag, .add(name: "new", color: .red)))
    case .edit:
      .inList(
        .editor, .changeTag(list, Household.tag, .edit(TagEdit(name: "new", color: .set(.red)))))
    case .remove: .inList(.editor, .changeTag(list, Household.tag, .remove))
    }
  }
}

extension PersonalMethod {
  fileprivate var sample: MethodSample {
    func change(_ change: PersonalChange) -> Command {
      .changePersonal(list, Household.open, change)
    }
    func by(_ it: PersonalChange) -> Doing { Doing(change(it), by: sender) }
    let plan = Plan(
      at: .time(Household.farDay, minute: 60, zone: "Europe/Lisbon"), minutes: 50)
    return switch self {
    case .plan: .personal(change(.plan(plan)))
    case .addReminder: .personal(change(.remind(.before(minutes: 60))))
    case .removeReminder:
      .personal(change(.forget(.before(minutes: 60))), before: [by(.remind(.before(minutes: 60)))])
    case .snooze:
      .personal(
        change(.snooze(until: Timestamp(milliseconds: 1_950_000_000_000))),
        after: [by(.snooze(until: nil))])
    case .day: .personal(change(.day(MyDay(day: Household.farDay, order: 1))))
    case .note: .personal(change(.note("the blue one")))
    case .watch: .personal(change(.watch(true)), after: [by(.watch(false))])
    }
  }
}

extension GroupMethod {
  fileprivate var sample: MethodSample {
    let group = Household.group
    let remove = Doing(.group(.remove(group)), by: owner)
    return switch self {
    case .add:
      .ofOneself(
        .group(.add(Household.newGroup, name: "new")), home: .group(Household.newGroup))
    case .edit: .inGroup(.admin, .group(.edit(group, name: "new")), after: [remove])
    case .remove:
      .inGroup(
        .owner, .group(.remove(group)), after: [Doing(.group(.restore(group)), by: owner)])
    case .restore:
      .inGroup(.owner, .group(.restore(group)), before: [remove], after: [remove])
    }
  }
}

extension InvitationMethod {
  fileprivate var sample: MethodSample {
    let (new, asked, stranger) = (Household.newInvitation, Household.asked, Household.stranger)
    func isOut(_ user: UserID) -> Doing { Doing(.member(.remove(here, user)), by: owner) }
    return switch self {
    case .send:
      .inList(
        .admin, .invitation(.send(new, here, username: "stranger", .viewer)),
        after: [Doing(.invitation(.accept(new)), by: stranger), Household.senderIsRemoved])
    case .accept:
      .ofOneself(
        .invitation(.accept(Household.invitation)), by: asked, after: [isOut(asked)])
    case .decline: .ofOneself(.invitation(.decline(Household.invitation)), by: asked)
    case .revoke: .inList(.admin, .invitation(.revoke(Household.invitation, here)))
    case .makeCode:
      .inList(.admin, .invitation(.makeCode(new, here, NewCode(role: .viewer, uses: 2, days: 1))))
    case .redeem:
      .ofOneself(
        .invitation(.redeem(CodeInHand(text: "", opens: .invitation(new, here)))), by: stranger,
        before: [
          Doing(
            .invitation(.makeCode(new, here, NewCode(role: .doer, uses: 1, days: 1))), by: owner)
        ], after: [isOut(stranger)])
    }
  }
}

extension MemberMethod {
  fileprivate var sample: MethodSample {
    switch self {
    case .leave: .inList(.viewer, .member(.leave(here)), after: [])
    case .remove: .inList(.admin, .member(.remove(here, Household.member)))
    case .setRole: .inList(.admin, .member(.setRole(here, Household.member, .doer)))
    }
  }
}

extension LinkMethod {
  fileprivate var sample: MethodSample {
    switch self {
    case .make: .inList(.admin, .link(.make(Household.newLink, list, NewLink(days: 3))))
    case .revoke: .inList(.admin, .link(.revoke(Household.link, list)))
    }
  }
}

extension LineMethod {
  fileprivate var sample: MethodSample {
    let (here, line) = (StreamID.category(list), Household.line)
    return switch self {
    case .say:
      .inList(
        .commenter,
        .line(.say(here, text: "I do", post: Household.open, answers: line)))
    case .edit: .inList(.commenter, .line(.edit(here, line: line, text: "Who cooks today?")))
    case .react: .inList(.commenter, .line(.react(here, line: line, sign: "👏")))
    case .remove: .inList(.commenter, .line(.remove(here, line: line)))
    }
  }
}

extension SingleMethod {
  fileprivate var sample: MethodSample {
    switch self {
    case .undo:
      .inList(
        .doer, .undo(UndoTarget(stream: here, events: [Household.completion], seen: nil)))
    case .markRead:
      .personal(
        .markRead(here, seq: Household.ending),
        after: [Doing(.markRead(here, seq: Household.completion), by: sender)])
    case .react:
      .inList(.commenter, .react(list, event: Household.completion, sign: "👏"))
    case .batch:
      MethodSample(
        command: .batch([
          .post(.add(list, Household.newPost, title: "new", notes: "")),
          .completePost(list, Household.newPost, ifVersion: 1),
          .completePost(list, Household.done, ifVersion: nil),
          .category(.add(Household.newList, name: "new", group: Household.group)),
        ]), least: nil, after: [Household.senderIsRemoved], home: here)
    }
  }
}

extension AccountMethod {
  fileprivate var sample: MethodSample {
    let delete = Doing(.account(.delete(days: 14)), by: Household.stranger)
    let plain = PersonalSettings(user: sender)
    var settings = plain
    settings.dueSoonHours = 24
    return switch self {
    case .closeSession: .ofOneself(.account(.closeSession(Household.session)))
    case .keep: .ofOneself(.account(.keep), by: delete.by, before: [delete], after: [delete])
    case .editProfile:
      .ofOneself(
        .account(.editProfile(ProfileEdit(name: "Another", zone: "Europe/Lisbon"))),
        after: [Doing(.account(.editProfile(ProfileEdit(name: "Sender"))), by: sender)])
    case .editSettings:
      .ofOneself(
        .account(.editSettings(SettingsEdit(from: plain, to: settings))),
        after: [
          Doing(.account(.editSettings(SettingsEdit(from: settings, to: plain))), by: sender)
        ])
    }
  }
}

extension PersonMethod {
  fileprivate var sample: MethodSample {
    let block = Doing(.person(.block(username: "owner")), by: sender)
    let unblock = Doing(.person(.unblock(owner)), by: sender)
    return switch self {
    case .block: .ofOneself(block.command, after: [unblock])
    case .unblock: .ofOneself(unblock.command, before: [block], after: [block])
    }
  }
}

extension FilterMethod {
  fileprivate var sample: MethodSample {
    func save(_ name: String) -> Doing {
      let filter = Filter(
        id: Household.newFilter, name: name, PostWhere(by: .me), days: DayWindow(until: 6),
        in: [list], sort: .due)
      return Doing(.filter(.save(filter)), by: sender)
    }
    let remove = Doing(.filter(.remove(Household.newFilter)), by: sender)
    return switch self {
    case .save: .ofOneself(save("urgent").command, after: [remove])
    case .remove: .ofOneself(remove.command, before: [save("urgent")], after: [save("other")])
    }
  }
}

extension BotMethod {
  fileprivate var sample: MethodSample {
    let bot = Household.bot
    func token(_ name: String) -> Command {
      .bot(
        .addToken(
          bot, Household.newToken,
          NewToken(name: name, lists: [list], methods: [.post(.add)], days: 30)))
    }
    let revoke = Doing(.bot(.revokeToken(bot, Household.newToken)), by: sender)
    let hooked = WebhookKey(bot: bot, id: Household.newWebhook)
    let hook = Doing(.bot(.addWebhook(bot, Household.newWebhook, webhook)), by: sender)
    let unhook = Doing(.bot(.removeWebhook(hooked)), by: sender)
    let pause = Doing(.bot(.pauseWebhook(hooked)), by: sender)
    let resume = Doing(.bot(.resumeWebhook(hooked)), by: sender)
    let (end, keep) = (Doing(.bot(.end(bot)), by: sender), Doing(.bot(.keep(bot)), by: sender))
    return switch self {
    case .add:
      .ofOneself(
        .bot(
          .add(
            NewBot(
              id: Household.newcomer, username: "newcomer", name: "Newcomer", zone: "UTC"))))
    case .end: .ofOneself(end.command, after: [keep])
    case .keep: .ofOneself(keep.command, before: [end], after: [end])
    case .give:
      .ofOneself(
        .bot(.give(bot, to: "owner")),
        after: [Doing(.bot(.give(bot, to: "sender")), by: owner)])
    case .addToken: .ofOneself(token("nightly"), after: [revoke])
    case .revokeToken:
      .ofOneself(revoke.command, before: [Doing(token("nightly"), by: sender)])
    case .addWebhook: .ofOneself(hook.command, after: [unhook])
    case .removeWebhook: .ofOneself(unhook.command, before: [hook])
    case .pauseWebhook: .ofOneself(pause.command, before: [hook], after: [resume])
    case .resumeWebhook: .ofOneself(resume.command, before: [hook, pause], after: [pause])
    }
  }

  private var webhook: NewWebhook {
    guard let address = WebhookAddress(ofText: "https://chat.example.org/hook") else {
      preconditionFailure("this is an address")
    }
    return NewWebhook(name: "team chat", address: address, form: .slack, lists: [list])
  }
}

extension SignInMethod {
  /// Nil for what makes or ends sessions only, and for the upgrade, which needs a guest: it has tests of its own.
  fileprivate var sample: MethodSample? {
    func recover(_ generation: Int) -> Command {
      .account(.recover(sender, PasswordHash(phc: "$new \(generation)"), generation: generation))
    }
    let delete = Doing(.account(.delete(days: 14)), by: Household.stranger)
    return switch self {
    case .register:
      .ofOneself(
        .account(.register(Household.registration(Household.newcomer, "newcomer"))),
        by: Household.newcomer)
    case .recover: .ofOneself(recover(1), after: [Doing(recover(2), by: sender)])
    case .changePassword:
      .ofOneself(
        .account(.changePassword(PasswordHash(phc: "$new"))),
        after: [Doing(.account(.changePassword(PasswordHash(phc: "$newer"))), by: sender)])
    case .delete:
      .ofOneself(
        delete.command, by: delete.by, after: [Doing(.account(.keep), by: delete.by)])
    case .login, .logout, .openPairing, .pair, .guest, .upgrade: nil
    }
  }
}
