// From an action to requests: it looks references up, and makes ids and keys, but sends nothing. The chat and scripts
// share it.

import Client
import Domain
import Screen
import Sync
import Wire

/// Turns actions into plans in a situation.
struct Planner {
  let situation: Situation
  /// The times of a post that comes again that are meant, where the person named them.
  var times: Times?
  /// The situation on the screen when the person was asked; nil means the present one.
  var seen: Situation?
  /// The events that could not be undone; the next undo goes on with what was before them.
  var stuck: Set<StreamPosition> = []
  /// Whether the person means a time that comes after something done a moment ago.
  var isMeant = false
  /// The changes of this device; only undo and redo read them.
  var trail = ChangeTrail()

  /// Plans an action. Throws a sentence when something that the action names does not exist.
  func plan(_ action: Action) throws(Problem) -> Plan { noticed(try planned(action)) }

  private func planned(_ action: Action) throws(Problem) -> Plan {
    switch action {
    case .help(let name): .help(name)
    case .quit: .quit
    case .logout: .logout
    case .password: .password
    case .account(let step): try plan(step)
    case .export(let path): .send([try export(to: path)])
    case .recover: .recover
    case .open(let list): .open(try situation.catalog.list(list))
    case .lists, .groups, .show, .showPost, .tags, .look, .lookAtList, .lookAtTag, .lookAtRole:
      .show(try view(action) ?? .lists)
    case .group(let name): try group(name)
    case .bin, .removedPlaces, .who, .history, .find, .view, .twins, .digest, .stats:
      .send([try question(action)])
    case .undo(let list): .send([try undo(list)])
    case .redo(let list): .send([try redo(list)])
    case .me: .send(me)
    case .notifications: .send([Planner.notifications])
    case .privacy: .send([Errand(request: .about, report: .privacy)])
    case .sessions: .send([Errand(request: .query(.sessions), report: .sessions)])
    case .unsent(nil): .show(.unsent)
    case .unsent(let step?): .decide(try unsent(step), step)
    case .closeSession(let number): .send([Planner.closing(session: number)])
    case .editMe(let edit): .send([change(.account(.editProfile(edit)), "your profile is changed")])
    case .add, .complete, .completeForAll, .reopen, .edit, .note, .remove, .restore, .purge,
      .addStep, .move, .copy:
      .send(try errands(aboutPosts: action))
    case .quickAdd(let line): .send(try quickAdd(line))
    case .plain(let words): .send(try plain(words))
    case .due(let list, let number, let wish): .send([try setDue(number, in: list, wish)])
    case .repeating(let list, let it, let wish): .send([try setRepeat(it, in: list, wish)])
    case .skip(let list, let numbers): .send([try skip(numbers, in: list)])
    case .claim(let list, let it, let minutes): .send([try claim(it, in: list, minutes: minutes)])
    case .claimNext(let list, let minutes): .send([try claimNext(in: list, minutes: minutes)])
    case .release(let list, let numbers): .send([try release(numbers, in: list)])
    case .set(let list, let number, let edit): .send([try set(number, in: list, edit)])
    case .editList(let list, let edit): .send([try self.edit(list: list, edit)])
    case .filter(let step): try plan(step)
    case .copyList(let list, let wish): .send(try copy(list: list, wish))
    case .archived: .show(.archived)
    case .archiveList(let list): .send([try archive(list)])
    case .unarchiveList(let list): .send([try unarchive(list)])
    case .together(let actions): .send([try together(actions)])
    case .times(let times, let action):
      try Planner(situation: situation, times: times, seen: seen, isMeant: isMeant).plan(action)
    case .moveLists(let lists, let place): .send([try move(lists: lists, to: place)])
    case .tag, .untag, .untagAll, .assign, .unassign, .unassignAll, .changeTag:
      .send([try errand(aboutMarks: action)])
    case .newList, .renameList, .removeList, .restoreLists, .newGroup, .renameGroup, .removeGroup,
      .restoreGroup:
      .send([try errand(aboutPlaces: action)])
    case .invite, .code, .revoke, .setRole, .removeMember, .leave, .accept, .decline:
      .send([try errand(aboutPeople: action)])
    case .reach(let step): try plan(step)
    case .way(let step): try plan(step)
    case .personal(let list, let it, let wish): .send([try errand(it, in: list, wish)])
    case .settings(let wish): plan(wish)
    }
  }

  /// Plans an action that only asks.
  private func question(_ action: Action) throws(Problem) -> Errand {
    switch action {
    case .bin(let list): try bin(list)
    case .removedPlaces: Planner.removedPlaces
    case .who(let place): try who(place)
    case .history(let list, let number): try history(of: number, in: list)
    case .find(let text, let list): try find(text, in: list)
    case .view(let wish): try errand(wish)
    case .twins(let list, let title): try twins(of: title, in: list)
    case .digest(let wish): try digest(wish)
    case .stats(let place, let span, let view): try stats(of: place, span, view)
    default: preconditionFailure("an action that only asks")
    }
  }

  private static let notifications = Errand(
    request: .query(.notifications(limit: 30)), report: .notifications)

  /// Asks for the sessions first, because the number is that of one of them.
  private static func closing(session number: Int) -> Errand {
    Errand(request: .query(.sessions), report: .closeSession(number))
  }

  private var me: [Errand] {
    [
      Errand(request: .query(.profile), report: .profile),
      Errand(request: .query(.notifications(limit: 1)), report: .day),
    ]
  }

  private func unsent(_ step: UnsentStep) throws(Problem) -> UnsentCommand {
    let number =
      switch step {
      case .again(let number), .drop(let number), .choose(let number, _): number
      }
    guard let unsent = situation.shown.unsent.pick(number, among: situation.unsent) else {
      throw Problem("there is no \(number) in /unsent")
    }
    if case .choose = step,
      !situation.conflicts.contains(where: { $0.number == unsent.queued.number })
    {
      throw Problem("\(number) is no choice between two texts: /unsent \(number) again or drop")
    }
    return unsent
  }

  /// Returns an errand for a command, with a key of its own.
  func change(
    _ command: Command, _ made: Phrase, same: Phrase = "nothing changed", told: Bool = false
  ) -> Errand {
    Errand(
      request: .command(command, key: Identifiers.key()),
      report: told ? .told(made: made, same: same) : .change(made: made, same: same))
  }

  private func bin(_ reference: Reference?) throws(Problem) -> Errand {
    guard reference != nil || situation.openList != nil else { return Planner.removedPlaces }
    return Errand(request: .about, report: .binOf(try situation.list(reference)))
  }

  private static var removedPlaces: Errand {
    Errand(request: .query(.removedCategories), report: .removedLists)
  }

  private func who(_ reference: Reference?) throws(Problem) -> Errand {
    let place = try situation.place(reference)
    return Errand(request: .query(.members(place.stream)), report: .members(place))
  }
}

// MARK: What was

extension Planner {
  private func history(of number: Int?, in reference: Reference?) throws(Problem) -> Errand {
    let place = try situation.place(reference)
    var query = HistoryEventsQuery(stream: place.stream, limit: 40)
    if let number, case .list(let list) = place {
      query.post = try situation.post(number, in: list).id
    }
    return Errand(request: .query(.history(.events(query))), report: .history(place, query.post))
  }

  /// Asks whether a post that is not in the list has moved to another one.
  func whereabouts(of number: Int, in list: Category) -> Errand {
    let query = HistoryEventsQuery(
      stream: .category(list.id), kinds: [.post(.movedOut)], limit: Limits.listPageMax)
    return Errand(
      request: .query(.history(.events(query))), report: .whereabouts(of: number, list))
  }

  private func find(_ text: String, in reference: Reference?) throws(Problem) -> Errand {
    let list = try reference.map { (list) throws(Problem) in try situation.list(list) }
    guard let query = SearchQuery(text, in: list.map { [$0.id] }) else {
      throw Problem("there is no word in that")
    }
    return Errand(request: .query(.search(query)), report: .found)
  }

  /// Asks for the person's own last events, because no copy has them.
  func ownDoings(
    in reference: Reference?, _ report: (Category) -> Report
  ) throws(Problem) -> Errand {
    let list =
      if let reference { try situation.catalog.anyList(reference) } else {
        try situation.list(nil)
      }
    return doings(in: list, report)
  }

  func doings(in list: Category, _ report: (Category) -> Report) -> Errand {
    let query = HistoryEventsQuery(
      stream: .category(list.id), person: situation.me, limit: Limits.listPageMax)
    return Errand(request: .query(.history(.events(query))), report: report(list))
  }
}

// MARK: Posts

extension Planner {
  private func errands(aboutPosts action: Action) throws(Problem) -> [Errand] {
    switch action {
    case .add(let list, let title): [try add(title, to: list)]
    case .complete(let list, let numbers): [try complete(numbers, in: list)]
    case .completeForAll(let list, let numbers):
      [try complete(numbers, in: list, isForAll: true)]
    case .reopen(let list, let numbers): try reopen(numbers, in: list)
    case .edit(let list, let number, let title): [try edit(number, in: list, title: title)]
    case .note(let list, let number, let notes):
      [try edit(number, in: list, PostEdit(notes: notes))]
    case .addStep(let list, let number, let text): [try addStep(text, to: number, in: list)]
    case .move(let list, let numbers, let place): [try move(numbers, to: place, in: list)]
    case .copy(let list, let numbers, let other): [try copy(numbers, in: list, to: other)]
    case .remove(let list, let numbers): [try remove(numbers, in: list)]
    case .restore(let list, let numbers):
      [try inBin(numbers, in: list) { Report.restorePosts($0, numbers) }]
    case .purge(let list, let numbers):
      [try inBin(numbers, in: list) { Report.purgePosts($0, numbers) }]
    default: preconditionFailure("an action about posts")
    }
  }

  private func add(_ title: String, to reference: Reference?) throws(Problem) -> Errand {
    let list = try situation.list(reference)
    let due = situation.dueOfNew(in: list).map { FieldChange.set($0) } ?? .keep
    let post = PostAddress(category: list.id, post: PostID(Identifiers.make()))
    let command = Command.addPost(post, NewPost(title: title, fields: PostEdit(due: due)))
    return Errand(
      request: .command(command, key: Identifiers.key()),
      report: .addedPost(post, title: title, list: list.tag))
  }

  private func complete(
    _ numbers: [PostNumber], in reference: Reference?, isForAll: Bool = false
  ) throws(Problem) -> Errand {
    try together(numbers, in: reference) { (list, number, post, step) throws(Problem) in
      try refuseHabit(post, step, in: list)
      if let step {
        return PlannedChange(
          .complete(post, in: list.id, step: step.id), "✔ \(number) \(step.content)",
          same: "\(number) is done already")
      }
      if post.mode == .each, isForAll {
        return PlannedChange(
          .complete(post, in: list.id, isForAll: true), "✔ #\(post.number) \(post.title): for all",
          same: "#\(post.number) is done already")
      }
      if post.mode == .each {
        return PlannedChange(
          .complete(post, in: list.id), "✔ #\(post.number) \(post.title): your part",
          same: "your part of #\(post.number) is done already")
      }
      if situation.submits(post, in: list) {
        return PlannedChange(
          .complete(post, in: list.id), "? #\(post.number) \(post.title): an admin confirms it",
          same: "#\(post.number) waits for an admin already")
      }
      return PlannedChange(
        .complete(post, in: list.id), "✔ #\(post.number) \(post.title)",
        same: "#\(post.number) is done already")
    }
  }

  private func remove(
    _ numbers: [PostNumber], in reference: Reference?
  ) throws(Problem) -> Errand {
    try together(numbers, in: reference) { (list, number, post, step) throws(Problem) in
      if let step {
        return PlannedChange(
          .changeStep(list.id, post.id, step.id, .remove), "✘ \(number) \(step.content)")
      }
      let times = try times(of: post, in: list)
      if times == .this { return leaveOut(post, in: list, .remove) }
      let removed: Phrase = "✘ #\(post.number) \(post.title)"
      // It is the last time; the command holds only as long as it is.
      if times == nil, post.completed == nil, let number = post.occurrence?.number {
        return PlannedChange(.changeOccurrence(list.id, post.id, number, .remove), removed)
      }
      return PlannedChange(
        .removePost(list.id, post.id, ifVersion: nil), removed,
        same: "#\(post.number) is removed already")
    }
  }

  /// Asks for the removed posts first, because no copy has them.
  private func inBin(
    _ numbers: [Int], in reference: Reference?, _ report: (Category) -> Report
  ) throws(Problem) -> Errand {
    let list = try situation.list(reference)
    let query = PostsQuery(
      category: list.id, show: .removed, before: numbers.max().map { $0 + 1 },
      limit: Limits.listPageMax)
    return Errand(request: .query(.posts(query)), report: report(list))
  }

  func edit(
    _ number: Int, in reference: Reference?, _ edit: PostEdit
  ) throws(Problem) -> Errand {
    let list = try situation.list(reference)
    let post = try situation.post(number, in: list)
    return try editTimes(of: post, in: list, edit, "✎ #\(number) \(edit.title ?? post.title)")
  }

  /// Looks up all posts and steps before anything is sent.
  private func together(
    _ numbers: [PostNumber], in reference: Reference?,
    _ make: (Category, PostNumber, Post, Step?) throws(Problem) -> PlannedChange
  ) throws(Problem) -> Errand {
    let list = try situation.list(reference)
    var changes: [PlannedChange] = []
    for number in numbers {
      let (post, step) = try situation.post(number, in: list)
      changes.append(try make(list, number, post, step))
    }
    return try together(changes)
  }
}

// MARK: Lists and people

extension Planner {
  private func errand(aboutPlaces action: Action) throws(Problem) -> Errand {
    switch action {
    case .newList(let name, let group): try newList(name, in: group)
    case .renameList(let list, let name): try rename(list, to: name)
    case .removeList(let list): try removeList(list)
    case .restoreLists(let lists):
      Errand(request: .query(.removedCategories), report: .restoreLists(lists))
    case .newGroup(let name): newGroup(name)
    case .renameGroup(let group, let name): try rename(group: group, to: name)
    case .removeGroup(let group): try removeGroup(group)
    case .restoreGroup(let group): try restoreGroup(group)
    default: preconditionFailure("an action about lists or groups")
    }
  }

  private func errand(aboutPeople action: Action) throws(Problem) -> Errand {
    switch action {
    case .invite(let person, let role, let place): try invite(person, role, to: place)
    case .code(let step): try errand(step)
    case .revoke(let person, let place): try revoke(person, from: place)
    case .setRole(let person, let role, let place):
      try setRole(of: person, to: role, in: place)
    case .removeMember(let person, let place): try remove(person, from: place)
    case .leave(let place, let successor): try leave(place, to: successor)
    case .accept(let number): try accept(number)
    case .decline(let number): try decline(number)
    default: preconditionFailure("an action about people")
    }
  }

  private func newList(_ name: String, in reference: Reference?) throws(Problem) -> Errand {
    let group: GroupID? =
      if let reference { try situation.catalog.group(reference).id } else { nil }
    let id = CategoryID(Identifiers.make())
    return Errand(
      request: .command(.addCategory(id, name: name, group: group), key: Identifiers.key()),
      report: .addedList(id, name: name))
  }

  private func rename(_ reference: Reference?, to name: String) throws(Problem) -> Errand {
    let list = try situation.list(reference)
    return change(.editCategory(list.id, name: name), "\(list.tag) is \(name) now")
  }

  private func removeList(_ reference: Reference) throws(Problem) -> Errand {
    let list = try situation.catalog.list(reference)
    return change(
      .removeCategory(list.id), "\(list.tag) is removed; /restore \(list.tag) brings it back")
  }

  private func invite(
    _ person: String, _ role: Role, to reference: Reference?
  ) throws(Problem) -> Errand {
    let place = try situation.place(reference)
    let members = situation.streams[place.stream]?.members ?? []
    if let there = members.first(where: { $0.username == person && $0.role != nil }) {
      throw Problem(
        there.id == situation.me
          ? "you are in \(place.label) already"
          : "@\(person) is in \(place.label) already: /role changes what they may do")
    }
    let id = InvitationID(Identifiers.make())
    return change(
      .sendInvitation(id, place.stream, username: person, role),
      "@\(person) is invited to \(place.label)")
  }

  private func revoke(_ person: String, from reference: Reference?) throws(Problem) -> Errand {
    let place = try situation.place(reference)
    let sent = situation.streams[place.stream]?.invitations.first { $0.username == person }
    guard let sent else { throw Problem("@\(person) has no open invitation to \(place.label)") }
    return change(.revokeInvitation(sent.id, place.stream), "the invitation is taken back")
  }

  private func setRole(
    of person: String, to role: Role, in reference: Reference?
  ) throws(Problem) -> Errand {
    let (place, member) = try member(person, of: reference)
    return change(
      .setRole(place.stream, member.id, role), "@\(person) is \(role.word) of \(place.label) now")
  }

  private func remove(_ person: String, from reference: Reference?) throws(Problem) -> Errand {
    let (place, member) = try member(person, of: reference)
    return change(
      .removeMember(place.stream, member.id), "@\(person) is no longer in \(place.label)")
  }

  func member(
    _ person: String, of reference: Reference?
  ) throws(Problem) -> (Place, Member) {
    let place = try situation.place(reference)
    let member = situation.streams[place.stream]?.members.first { $0.username == person }
    guard let member else { throw Problem("@\(person) is not in \(place.label)") }
    return (place, member)
  }

  private func leave(
    _ reference: Reference?, to successor: String?
  ) throws(Problem) -> Errand {
    guard let successor else {
      let place = try situation.place(reference)
      return change(.leave(place.stream), "you left \(place.label)")
    }
    let (place, member) = try member(successor, of: reference)
    return change(
      .leave(place.stream, successor: member.id),
      "you left \(place.label) to @\(successor)")
  }

  private func accept(_ number: Int?) throws(Problem) -> Errand {
    let invitation = try invitation(number, "accept")
    return change(.acceptInvitation(invitation.id), "welcome to \(invitation.label)", told: true)
  }

  private func decline(_ number: Int?) throws(Problem) -> Errand {
    let invitation = try invitation(number, "decline")
    return change(
      .declineInvitation(invitation.id), "invitation to \(invitation.label) declined", told: true)
  }

  private func invitation(_ number: Int?, _ verb: String) throws(Problem) -> Invitation {
    let all = situation.invitations
    guard let number else {
      guard let only = all.first else { throw Problem("nobody has invited you") }
      guard all.count == 1 else {
        throw Problem("there are \(all.count) invitations (/lists): /\(verb) NUMBER")
      }
      return only
    }
    guard let invitation = situation.shown.invitations.pick(number, among: all) else {
      throw Problem("there is no invitation \(number)")
    }
    return invitation
  }
}

extension Invitation {
  /// The place to which it invites, as the screen writes it.
  var label: String {
    switch stream {
    case .category: "#" + streamName.oneWord
    case .group, .user: streamName
    }
  }
}
