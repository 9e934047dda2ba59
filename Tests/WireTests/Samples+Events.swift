import Domain

@testable import Wire

extension Samples {
  static let milk = Post(
    id: ID.post, number: 1, title: "Milk", notes: "", addedBy: ID.author, createdAt: ID.time(0),
    updatedAt: ID.time(0), version: 1)

  static func cafe(
    version: Int, completed: Completion? = nil, removed: Stamp? = nil
  ) -> Post {
    Post(
      id: ID.post, number: 12, title: "Café", notes: "two\n\"litres\"", addedBy: ID.author,
      createdAt: ID.time(0), updatedAt: ID.time(5), version: version, completed: completed,
      removed: removed)
  }

  static let steps = [
    Step(
      id: ID.step, content: "Oat milk",
      finished: StepFinish(ID.stamp(5, ID.editor), withPost: true)),
    Step(
      id: ID.otherStep, content: "Rye \"bread\"", finished: StepFinish(ID.stamp(4, ID.author))),
  ]

  static let erased = Post(
    id: ID.post, number: 12, title: "", notes: "", addedBy: ID.author, createdAt: ID.time(0),
    updatedAt: ID.time(7), version: 6, erased: ID.stamp(7, ID.author))

  static let evening = Due.time(Day(number: 20_781), minute: 1_080, zone: "Europe/Lisbon")
  static let rossio = Location(
    text: "Rossio", point: GeoPoint(latitude: 38_707_100, longitude: -9_135_490))

  static let everyField = PostEdit(
    priority: .set(.high), color: .set(.red), due: .set(evening), location: .set(rossio))

  static func rule(_ text: String) -> RecurrenceRule {
    do { return try RecurrenceRule(text) } catch { preconditionFailure("\(text): \(error)") }
  }

  static let third = Occurrence(
    number: 3, due: evening, start: Day(number: 20_781), taken: 2, last: ID.stamp(5, ID.editor))
  static let first = Occurrence(number: 1, due: evening, start: Day(number: 20_781))
  /// An undo had brought back the one before it, when one more had been there.
  static let ninth = Occurrence(number: 9, due: evening, start: Day(number: 20_781))
  static let monthly = Repetition(rule("FREQ=MONTHLY"), occurrence: first)
  /// Done in turn: whose it is, and how often each has done it.
  static let fourth = Occurrence(
    number: 4, due: evening, start: Day(number: 20_781), last: ID.stamp(5, ID.editor),
    turn: ID.author,
    turns: [TurnCount(user: ID.author, times: 0), TurnCount(user: ID.editor, times: 1)])

  static let again = milk.edited(
    by: PostEdit(
      due: .set(evening),
      repeats: .set(
        Repetition(
          rule("FREQ=WEEKLY;INTERVAL=2;COUNT=5"), basis: .completion, missed: .kept,
          occurrence: third))))

  static func full(version: Int) -> Post { cafe(version: version).edited(by: everyField) }

  static let dueOnADay = cafe(version: 2).edited(
    by: PostEdit(
      priority: .set(.low), due: .set(.day(Day(number: 20_781))),
      location: .set(Location(text: "", point: GeoPoint(latitude: -1, longitude: 0)))))

  static let assigned: Post = {
    var post = milk
    post.assignees = [Assignment(user: ID.author, seq: 7), Assignment(user: ID.editor, seq: 9)]
    return post
  }()

  static func forge(_ edited: [Source.Field]) -> Source {
    Source(
      name: "forge", id: "12", url: "https://forge.example/issues/12", edited: edited)
  }

  static let fromElsewhere: Post = {
    var post = milk
    post.source = forge([.title, .location])
    return post
  }()

  static let submitted: Post = {
    var post = milk.edited(
      by: PostEdit(
        due: .set(evening),
        repeats: .set(Repetition(rule("FREQ=WEEKLY"), confirms: true, occurrence: first))))
    post.submitted = ID.stamp(5, ID.editor)
    return post
  }()

  static let forEach: Post = {
    var post = milk
    post.mode = .each
    post.parts = [
      PostPart(user: ID.author, at: ID.time(3), seq: 7),
      PostPart(user: ID.editor, at: ID.time(5), seq: 9),
    ]
    return post
  }()

  static let forEachDoer: Post = {
    var post = milk
    post.mode = .each
    post.modeRole = .doer
    post.parts = [PostPart(user: ID.editor, at: ID.time(5), seq: 9)]
    return post
  }()

  static let claimed: Post = {
    var post = milk
    post.claim = PostClaim(user: ID.editor, seq: 9, until: ID.time(600_000))
    return post
  }()

  static let overdue: Post = {
    var post = milk
    let day = Day(number: 20_716)
    post.due = .day(day)
    post.overdue = Timestamp(milliseconds: Int64(day.number + 1) * 86_400_000)
    return post
  }()

  static let tagged: Post = {
    var post = milk
    post.tags = [ID.tag, ID.otherTag]
    return post
  }()

  static let completion = Completion(at: ID.time(5), by: ID.editor, seq: 14)

  static let groceries = Category(
    id: ID.category, name: "Groceries", group: nil, added: ID.stamp(0, ID.author))

  static let kathmandu = {
    var category = groceries
    category.zone = "Asia/Kathmandu"
    category.color = .green
    return category
  }()

  static let filter = Filter(
    id: ID.filter, name: "Urgent", PostWhere(assignee: .me, tag: ID.tag, priority: .high),
    days: DayWindow(until: 6), in: [ID.category], sort: .due)
  static let thisYear = Filter(
    id: ID.filter, name: "This year",
    PostWhere(
      state: .any,
      due: DueWindow(from: .day(Day("2026-01-01")!), until: .day(Day("2026-12-31")!))))

  static let archived = {
    var category = groceries
    category.archived = ID.stamp(9, ID.author)
    return category
  }()

  static let code = InvitationCode(
    id: ID.invitation, role: .editor, uses: 30, made: ID.stamp(0, ID.author),
    endsAt: ID.time(7 * 86_400_000))

  static let profile = Profile(
    id: ID.author, username: "author", name: "Author Lima", location: "", zone: "Europe/Lisbon",
    kind: .person, registeredAt: ID.time(0))

  static let portuguese = {
    var it = profile
    it.locale = "pt-PT"
    return it
  }()

  static let link = GuestLink(
    id: ID.link,
    guest: UserID(UUID(high: 0x0189_0A5D_AC96_774B, low: 0xFFFF_FFFF_0000_0011)),
    made: ID.stamp(0, ID.author), endsAt: ID.time(604_800_000), seq: 9)

  static let guest = {
    var it = Profile(
      id: ID.author, username: "guest-7k2m9xq4tb", name: "Guest", location: "",
      zone: "Europe/Lisbon", kind: .person, registeredAt: ID.time(0))
    it.isGuest = true
    return it
  }()

  static let guestMember = {
    var it = Member(
      id: ID.author, username: "guest-7k2m9xq4tb", name: "Guest", kind: .person,
      grants: Grants(direct: .editor), joinedSeq: 3)
    it.isGuest = true
    return it
  }()

  static let endsAt = ID.time(14 * 86_400_000)

  static let ending = {
    var it = profile
    it.endsAt = endsAt
    return it
  }()

  static func editor(_ grants: Grants) -> Member {
    Member(
      id: ID.editor, username: "editor", name: "Editor", kind: .person, grants: grants, joinedSeq: 3
    )
  }

  static let invitation = Invitation(
    id: ID.invitation, stream: ID.groupStream, streamName: "Family", user: ID.editor,
    username: "editor", role: .editor, sent: ID.stamp(0, ID.author), senderUsername: "author")

  static let block = Block(user: ID.editor, username: "editor", at: ID.time(0))

  static let ops: [Sample<Op>] =
    listOps + stepOps + runOps + contestOps + memberOps + talkOps + ownOps + personalOps

  private static let stepOps: [Sample<Op>] = [
    stepOp("step.added", .added(Step(id: ID.step, content: "Oat milk"))),
    stepOp("step.edited", .edited(ID.step, content: "Rye bread")),
    stepOp("step.removed", .removed(ID.step)),
    stepOp("step.moved", .moved(ID.step, before: ID.otherStep)),
    stepOp("step.moved: to the end", .moved(ID.step, before: nil)),
    stepOp("step.completed", .completed([ID.step], StepFinish(ID.stamp(5, ID.editor)))),
    stepOp(
      "step.completed: with the post",
      .completed(
        [ID.step, ID.otherStep], StepFinish(ID.stamp(5, ID.editor), withPost: true))),
    stepOp("step.reopened", .reopened(ID.step)),
    stepOp("steps.set", .set(steps)),
    stepOp("steps.set: none", .set([])),
    Sample("post.moved", .post(.moved(ID.post, version: 4, Position("50000000007r")))),
    Sample("post.moved: back to its number", .post(.moved(ID.post, version: 4, nil))),
    Sample(
      "post.moved_out",
      .post(.movedOut(ID.post, version: 4, ID.stamp(6, ID.author), Counters(open: 0, done: 0)))),
    Sample("post.moved_in", .post(.movedIn(arrived, Counters(open: 0, done: 1)))),
  ]

  private static var arrived: Post {
    var post = cafe(version: 5, completed: completion)
    post.came = 9
    post.lastOccurrence = 4
    return post
  }

  /// The post that is left in the list that it has left.
  static var left: Post {
    var post = Post(
      id: ID.post, number: 12, title: "", notes: "", addedBy: ID.author, createdAt: ID.time(0),
      updatedAt: ID.time(5), version: 4, removed: ID.stamp(5, ID.editor))
    post.moved = 9
    return post
  }

  static var purged: Post {
    var post = left
    post.moved = nil
    post.purged = ID.time(9)
    return post
  }

  private static func stepOp(_ name: String, _ op: StepOp) -> Sample<Op> {
    Sample(name, .step(ID.post, version: 4, op))
  }

  private static let listOps: [Sample<Op>] = [
    Sample("category.added", .category(.added(groceries))),
    Sample("category.edited", .category(.edited(CategoryEdit(name: "Food")))),
    Sample(
      "category.edited: what members may read", .category(.edited(CategoryEdit(history: .joined)))),
    Sample("category.added: with a zone and a color", .category(.added(kathmandu))),
    Sample(
      "category.edited: zone and color",
      .category(.edited(CategoryEdit(zone: "Europe/Lisbon", color: .set(.pink))))),
    Sample("category.edited: without a color", .category(.edited(CategoryEdit(color: .clear)))),
    Sample("category.edited: without talk", .category(.edited(CategoryEdit(talk: .off)))),
    Sample("category.removed", .category(.removed(ID.stamp(9, ID.author)))),
    Sample("category.restored", .category(.restored)),
    Sample("category.archived", .category(.archived(ID.stamp(9, ID.author)))),
    Sample("category.unarchived", .category(.unarchived)),
    Sample("post.added", .post(.added(milk, Counters(open: 1, done: 0)))),
    Sample("post.added: with notes", .post(.added(cafe(version: 1), Counters(open: 4, done: 8)))),
    Sample("post.edited", .post(.edited(ID.post, version: 2, PostEdit(title: "Oat milk")))),
    Sample("post.edited: emptied notes", .post(.edited(ID.post, version: 3, PostEdit(notes: "")))),
    Sample("post.added: every field", .post(.added(full(version: 1), Counters(open: 4, done: 8)))),
    Sample("post.edited: every field", .post(.edited(ID.post, version: 2, everyField))),
    Sample(
      "post.edited: fields taken away",
      .post(
        .edited(
          ID.post, version: 3,
          PostEdit(priority: .clear, color: .clear, due: .clear, location: .clear)))),
    Sample(
      "post.completed",
      .post(
        .completed(
          ID.post, version: 2, ID.stamp(5, ID.editor), Counters(open: 0, done: 1)))),
    Sample("post.reopened", .post(.reopened(cafe(version: 3), Counters(open: 1, done: 0)))),
    Sample(
      "post.removed",
      .post(.removed(ID.post, version: 4, ID.stamp(6, ID.author), Counters(open: 0, done: 0)))),
    Sample(
      "post.restored",
      .post(.restored(cafe(version: 5, completed: completion), Counters(open: 0, done: 1)))),
    Sample("post.erased", .post(.erased(ID.post, version: 6, ID.stamp(7, ID.author)))),
    Sample("post.tagged", .post(.marked(ID.post, version: 2, .tagged(ID.tag)))),
    Sample("post.untagged", .post(.marked(ID.post, version: 3, .untagged(ID.tag)))),
    Sample("post.assigned", .post(.marked(ID.post, version: 2, .assigned(ID.editor)))),
    Sample("post.unassigned", .post(.marked(ID.post, version: 3, .unassigned(ID.editor)))),
    Sample(
      "post.submitted", .post(.marked(ID.post, version: 2, .submitted(ID.stamp(5, ID.editor))))),
    Sample("post.returned", .post(.marked(ID.post, version: 3, .returned))),
    Sample("post.part_completed", .post(.marked(ID.post, version: 2, .partCompleted(ID.editor)))),
    Sample("post.part_reopened", .post(.marked(ID.post, version: 3, .partReopened(ID.editor)))),
    Sample(
      "post.occurred",
      .post(
        .occurred(
          ID.post, version: 2, NextOccurrence(2, .completed(ID.stamp(5, ID.editor)), third),
          Counters(open: 0, done: 1)))),
    Sample(
      "post.occurred: left out",
      .post(
        .occurred(
          ID.post, version: 2, NextOccurrence(7, .skipped(ID.stamp(5, ID.editor)), ninth),
          Counters(open: 0, done: 1)))),
    Sample(
      "post.occurred: and whose turn it is then",
      .post(
        .occurred(
          ID.post, version: 2, NextOccurrence(3, .completed(ID.stamp(5, ID.editor)), fourth),
          Counters(open: 0, done: 1)))),
    Sample(
      "post.edited: comes again",
      .post(
        .edited(
          ID.post, version: 2, PostEdit(due: .set(evening), repeats: .set(monthly))))),
    Sample(
      "post.edited: comes no more",
      .post(.edited(ID.post, version: 3, PostEdit(repeats: .clear)))),
    Sample(
      "post.edited: for each doer",
      .post(
        .edited(ID.post, version: 2, PostEdit(mode: .set(.each), modeRole: .set(.doer))))),
    Sample(
      "post.edited: for each of all again",
      .post(.edited(ID.post, version: 3, PostEdit(modeRole: .clear)))),
    Sample(
      "post.became_overdue",
      .post(.overdue(ID.post, .became(ID.time(0)), Counters(open: 3, done: 9, overdue: 2)))),
    Sample(
      "post.overdue_again",
      .post(.overdue(ID.post, .again(ID.time(0)), Counters(open: 3, done: 9, overdue: 1)))),
    Sample("post.not_overdue", .post(.overdue(ID.post, .taken, Counters(open: 3, done: 9)))),
    Sample(
      "post.claimed",
      .claim(ID.post, .taken(ID.editor, until: ID.time(600_000), version: 2))),
    Sample("post.released", .claim(ID.post, .released(version: 3))),
    Sample("post.purged", .post(.purged(ID.post, nil))),
    Sample(
      "post.purged: from elsewhere",
      .post(.purged(ID.post, Source(name: "tracker", id: "#7")))),
    Sample("post.claim_ended", .claim(ID.post, .ended)),
    Sample(
      "post.imported",
      .post(
        .imported(
          ID.post, version: 4,
          PostEdit(title: "Oat milk", notes: "two litres", priority: .set(.high)),
          forge([.due])))),
    Sample(
      "post.imported: of an erased text",
      .post(.imported(ID.post, version: 4, PostEdit(title: ""), nil))),
    Sample("tag.added", .tag(.added(Domain.Tag(id: ID.tag, name: "uni", color: .red)))),
    Sample("tag.edited", .tag(.edited(ID.tag, TagEdit(name: "work", color: .clear)))),
    Sample("tag.removed", .tag(.removed(ID.tag))),
    Sample("tag.restored", .tag(.restored(Domain.Tag(id: ID.tag, name: "uni")))),
    Sample(
      "group.added",
      .group(.added(Group(id: ID.group, name: "Family", added: ID.stamp(0, ID.author))))
    ),
    Sample("group.edited", .group(.edited(name: "Our family"))),
    Sample("group.edited: with talk again", .group(.edited(talk: .on))),
    Sample("group.removed", .group(.removed(ID.stamp(9, ID.author), with: [ID.category]))),
    Sample("group.restored", .group(.restored)),
    Sample("group.category_added", .group(.categoryAdded(ID.category))),
  ]

  static let completedMilk = CompletedWork(post: ID.post, by: ID.editor)

  private static let memberOps: [Sample<Op>] = [
    Sample(
      "event.reacted", .reaction(.reacted(event: 14, completedMilk, sign: "👏"))),
    Sample(
      "event.reacted: none any more",
      .reaction(.reacted(event: 14, completedMilk, sign: nil))),
    Sample("event.reactions_ended", .reaction(.ended(event: 14))),
    Sample("member.added", .member(.added(editor(Grants(direct: .editor, viaGroup: .owner))))),
    Sample("member.updated", .member(.updated(ID.editor, name: "Benjamin"))),
    Sample("member.granted", .member(.granted(ID.editor, Grants(viaGroup: .editor)))),
    Sample(
      "member.granted: on top of the group's",
      .member(.granted(ID.editor, Grants(viaGroup: .editor, raised: .admin)))),
    Sample("member.removed", .member(.removed(ID.editor, .left))),
    Sample("member.removed: by another", .member(.removed(ID.editor, .removed))),
    Sample(
      "member.removed: from this list alone", .member(.removed(ID.editor, .left, direct: true))),
    Sample("invitation.sent", .invitation(.sent(invitation))),
    Sample("invitation.accepted", .invitation(.accepted(ID.invitation))),
    Sample("invitation.declined", .invitation(.declined(ID.invitation))),
    Sample("invitation.revoked", .invitation(.revoked(ID.invitation))),
    Sample("invitation.expired", .invitation(.expired(ID.invitation))),
    Sample("code.made", .code(.made(code))),
    Sample("code.used", .code(.used(ID.invitation, times: 1))),
    Sample("code.ended", .code(.ended(ID.invitation))),
  ]

  private static let ownOps: [Sample<Op>] = [
    Sample("link.made", .link(.made(link))),
    Sample("link.ended", .link(.ended(link.id))),
    Sample("account.registered", .account(.registered(profile))),
    Sample(
      "account.upgraded",
      .person(.upgraded(ID.author, username: "author", name: "Author Lima"))),
    Sample(
      "profile.edited",
      .account(.edited(ProfileEdit(name: "Author L.", location: "", zone: "UTC")))),
    Sample("account.ending", .account(.ending(endsAt))),
    Sample("account.kept", .account(.kept)),
    Sample("bot.given", .account(.given(to: ID.editor))),
    Sample("person.forgotten", .person(.forgotten(ID.editor))),
    Sample(
      "member.added: somebody who has no name any more",
      .member(.added(editor(Grants(direct: .editor)).withoutName))),
    Sample("membership.added", .membership(.added(Membership(stream: ID.list, role: .editor)))),
    Sample(
      "membership.added: with a place",
      .membership(
        .added(
          Membership(stream: ID.list, role: .editor, position: .of(number: 9))))),
    Sample("membership.granted", .membership(.granted(Membership(stream: ID.list, role: .owner)))),
    Sample(
      "role.changed",
      .membership(.roleChanged(Membership(stream: ID.list, role: .doer)))),
    Sample("membership.moved", .membership(.moved(ID.list, .of(number: 9)))),
    Sample("membership.removed", .membership(.removed(ID.list, .removed))),
    Sample("assignment.added", .personal(.assignmentAdded(ID.list, ID.post))),
    Sample("read.marked", .personal(.readMarked(ReadMark(stream: ID.list, seq: 42)))),
    Sample("profile.edited: no language", .account(.edited(ProfileEdit(locale: "")))),
    Sample("profile.edited: who may invite", .account(.edited(ProfileEdit(invitedBy: .nobody)))),
    Sample("declines.counted", .personal(.declinesCounted(Declines(stream: ID.list, times: 2)))),
    Sample("person.blocked", .block(.blocked(block))),
    Sample("person.unblocked", .block(.unblocked(ID.editor))),
    Sample("filter.saved", .filter(.saved(filter))),
    Sample("filter.removed", .filter(.removed(ID.filter))),
    Sample("invitation.held_back", .invitation(.heldBack(ID.invitation))),
  ]
}
