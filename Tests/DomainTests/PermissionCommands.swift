import Testing

@testable import Domain

// A command of each method that a role is asked for. It is about category 1 or group 1 of the house, and succeeds for
// everybody who may call the method.

private let one: CategoryID = 1

extension Method {
  /// The changes that a role is asked for.
  static let judged = allCases.filter { $0.row.kind == .change && $0.row.leastRole != nil }

  /// The command of this method in the house. Nil when no role is asked for.
  var commandInHouse: Command? {
    switch self {
    case .category(let method): method.commandInHouse
    case .post(let method): method.commandInHouse
    case .step(let method): method.commandInHouse
    case .tag(let method): method.commandInHouse
    case .personal(let method): method.commandInHouse
    case .group(let method): method.commandInHouse
    case .invitation(let method): method.commandInHouse
    case .member(let method): method.commandInHouse
    case .link(let method): method.commandInHouse
    case .single(let method): method.commandInHouse
    case .connection, .signIn, .query, .moment, .account, .person, .filter: nil
    }
  }
}

extension CategoryMethod {
  fileprivate var commandInHouse: Command {
    switch self {
    case .add: .category(.add(50, name: "New", group: 1))
    case .edit: .category(.edit(one, name: "New"))
    case .remove: .category(.remove(one))
    case .restore: .category(.restore(one))
    case .archive: .category(.archive(one))
    case .unarchive: .category(.unarchive(one))
    case .move: .category(.move(one, before: nil))
    }
  }
}

extension PostMethod {
  fileprivate var commandInHouse: Command {
    switch self {
    case .add: .post(.add(one, 50, title: "New", notes: ""))
    case .edit: .editPost(one, 1, PostEdit(title: "New"), ifVersion: nil)
    case .complete: .completePost(one, 1, ifVersion: nil)
    case .reopen: .reopenPost(one, 2, ifVersion: nil)
    case .remove: .removePost(one, 1, ifVersion: nil)
    case .restore: .restorePost(one, 3, ifVersion: nil)
    case .erase: .erasePost(one, 40)
    case .move: .movePost(one, 1, after: 40, before: nil)
    case .moveTo: .movePost(one, 1, to: 51)
    case .copy: .post(.change(one, 1, .copy(as: 77, to: one)))
    case .tag: .post(.change(one, 1, .tag(50)))
    case .untag: .post(.change(one, 40, .untag(50)))
    case .assign: .post(.change(one, 1, .assign("b")))
    case .unassign: .post(.change(one, 40, .unassign("c")))
    case .skip: .changeOccurrence(one, 41, 1, .skip)
    case .takeBack: .post(.change(one, 42, .takeBack(event: ownEnding)))
    case .importUpsert: .post(.importUpsert(PostAddress(category: one, post: 78), imported))
    case .claim: .post(.change(one, 1, .claim(milliseconds: 60_000)))
    case .release: .post(.change(one, 1, .release))
    case .claimNext: .post(.claimNext(one, milliseconds: 60_000))
    }
  }
}

extension StepMethod {
  fileprivate var commandInHouse: Command {
    switch self {
    case .add: .changeStep(one, 40, 9, .add(content: "New"))
    case .edit: .changeStep(one, 40, 1, .edit(content: "New"))
    case .remove: .changeStep(one, 40, 1, .remove)
    case .move: .changeStep(one, 40, 1, .move(before: nil))
    case .complete: .changeStep(one, 40, 1, .complete)
    case .reopen: .changeStep(one, 40, 2, .reopen)
    }
  }
}

extension TagMethod {
  fileprivate var commandInHouse: Command {
    switch self {
    case .add: .changeTag(one, 51, .add(name: "new"))
    case .edit: .changeTag(one, 50, .edit(TagEdit(name: "other")))
    case .remove: .changeTag(one, 50, .remove)
    }
  }
}

extension PersonalMethod {
  fileprivate var commandInHouse: Command {
    switch self {
    case .plan: .changePersonal(one, 1, .plan(nil))
    case .addReminder: .changePersonal(one, 1, .remind(.before(minutes: 60)))
    case .removeReminder: .changePersonal(one, 1, .forget(.before(minutes: 60)))
    case .snooze: .changePersonal(one, 1, .snooze(until: nil))
    case .day: .changePersonal(one, 1, .day(nil))
    case .note: .changePersonal(one, 1, .note("to myself"))
    case .watch: .changePersonal(one, 1, .watch(true))
    }
  }
}

extension GroupMethod {
  fileprivate var commandInHouse: Command? {
    switch self {
    case .edit: .group(.edit(1, name: "New"))
    case .remove: .group(.remove(1))
    case .restore: .group(.restore(1))
    case .add: nil
    }
  }
}

extension InvitationMethod {
  fileprivate var commandInHouse: Command? {
    switch self {
    case .send: .invitation(.send(50, .category(one), username: "user-d", .viewer))
    case .revoke: .invitation(.revoke(40, .category(one)))
    case .makeCode:
      .invitation(.makeCode(50, .category(one), .init(role: .viewer, uses: 1, days: 1)))
    case .accept, .decline, .redeem: nil
    }
  }
}

extension MemberMethod {
  fileprivate var commandInHouse: Command {
    switch self {
    case .leave: .member(.leave(.category(one)))
    case .remove: .member(.remove(.category(one), "b"))
    case .setRole: .member(.setRole(.category(one), "b", .viewer))
    }
  }
}

extension LinkMethod {
  fileprivate var commandInHouse: Command {
    switch self {
    case .make: .link(.make(LinkID(UUID(high: 7, low: 9)), one, NewLink(days: 1)))
    case .revoke: .link(.revoke(LinkID(UUID(high: 7, low: 1)), one))
    }
  }
}

extension SingleMethod {
  fileprivate var commandInHouse: Command? {
    switch self {
    case .undo: .undo(UndoTarget(stream: .category(one), events: [ownEvent], seen: nil))
    case .markRead: .markRead(.category(one), seq: 1)
    case .batch: nil
    }
  }
}

private let imported = ImportedPost(
  source: SourceKey(name: "forge", id: "1"), url: nil, fields: PostEdit(title: "New"))

/// The number of the event of user c in category 1 of the house below.
private let ownEvent: Int64 = 9

/// The number of the event by which c completed an occurrence there.
private let ownEnding: Int64 = {
  let events = house(with: .doer).events[.category(1)] ?? []
  let ending = events.first {
    $0.ops.contains { if case .post(.occurred) = $0 { true } else { false } }
  }
  return ending?.seq ?? 0
}()

/// Returns the house with user c in category 1 and group 1 in this role. User c made a post and completed another one
/// before. User b is a member there too, and e is invited.
func house(with role: Role) -> Scene {
  var scene = Scene.house()
  scene.must(.account(.register(Registration("e"))), by: "e")
  scene.admit("c", to: .category(1), as: .editor, by: "a", number: 30)
  scene.must(.post(.add(1, 40, title: "Of c", notes: "")), by: "c")
  scene.must(.changeStep(1, 40, 1, .add(content: "one")), by: "c")
  scene.must(.changeStep(1, 40, 2, .add(content: "two")), by: "c")
  scene.must(.changeStep(1, 40, 2, .complete), by: "c")
  scene.must(.reopenPost(1, 2, ifVersion: nil), by: "c")
  scene.must(.completePost(1, 2, ifVersion: nil), by: "c")
  scene.must(.daily(1, 42), by: "a")
  scene.must(.changeOccurrence(1, 42, 1, .complete), by: "c")
  scene.must(.member(.setRole(.category(1), "c", role)), by: "a")
  scene.admit("c", to: .group(1), as: role, by: "a", number: 31)
  scene.admit("b", to: .category(1), as: .viewer, by: "a", number: 32)
  scene.must(.changeTag(1, 50, .add(name: "tag")), by: "a")
  scene.must(.post(.change(1, 40, .tag(50))), by: "a")
  scene.must(.post(.change(1, 40, .assign("c"))), by: "a")
  scene.must(.daily(1, 41), by: "a")
  scene.must(.link(.make(LinkID(UUID(high: 7, low: 1)), 1, NewLink(days: 1))), by: "a")
  scene.must(.invitation(.send(40, .category(1), username: "user-e", .viewer)), by: "a")
  scene.must(.category(.add(51, name: "Own", group: nil)), by: "c")
  return scene
}
