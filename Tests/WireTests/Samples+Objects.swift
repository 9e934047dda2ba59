import Domain

@testable import Wire

extension Samples {
  static let objects: [Sample<Object>] =
    listObjects + runObjects + contestObjects + talkObjects

  private static let listObjects: [Sample<Object>] = [
    Sample("category", .category(groceries)),
    Sample(
      "category: of a group, removed",
      .category(
        Category(
          id: ID.category, name: "Groceries", group: ID.group, added: ID.stamp(0, ID.author),
          removed: ID.stamp(9, ID.editor), lastPost: 12, counters: Counters(open: 3, done: 9)))),
    Sample(
      "category: what was before is for those who were there",
      .category(
        Category(
          id: ID.category, name: "Groceries", group: ID.group, history: .joined,
          added: ID.stamp(0, ID.author), removed: ID.stamp(9, ID.editor), lastPost: 12,
          counters: Counters(open: 3, done: 9)))),
    Sample("category: with a zone and a color", .category(kathmandu)),
    Sample("category: archived", .category(archived)),
    Sample("category: without talk", .category(silent)),
    Sample("group", .group(Group(id: ID.group, name: "Family", added: ID.stamp(0, ID.author)))),
    Sample(
      "group: removed",
      .group(
        Group(
          id: ID.group, name: "Family", added: ID.stamp(0, ID.author),
          removed: ID.stamp(9, ID.author), removedCategories: [ID.category]))),
    Sample("group: without talk", .group(silentGroup)),
    Sample("group_category", .groupCategory(GroupCategory(id: ID.category))),
    Sample("profile", .profile(profile)),
    Sample(
      "profile: a bot with a location",
      .profile(
        Profile(
          id: ID.author, username: "build.bot", name: "Build", location: "Room 3", zone: "UTC",
          kind: .bot, registeredAt: ID.time(0)))),
    Sample(
      "profile: who may invite",
      .profile(
        Profile(
          id: ID.author, username: "author", name: "Author Lima", location: "",
          zone: "Europe/Lisbon", kind: .person, invitedBy: .shared, registeredAt: ID.time(0)))),
    Sample("profile: with a language", .profile(portuguese)),
    Sample("profile: a guest", .profile(guest)),
    Sample("profile: a bot with an owner", .profile(ownedBot)),
    Sample("member: a guest", .member(guestMember)),
    Sample("profile: of an account that ends", .profile(ending)),
    Sample("member: whose account has ended", .member(editor(Grants()).withoutName)),
    Sample(
      "member",
      .member(
        Member(
          id: ID.author, username: "author", name: "Author Lima", kind: .person,
          grants: Grants(direct: .owner), joinedSeq: 1))),
    Sample("member: by two grants", .member(editor(Grants(direct: .editor, viaGroup: .owner)))),
    Sample(
      "member: raised in a group's category",
      .member(editor(Grants(viaGroup: .editor, raised: .admin)))),
    Sample("member: who left", .member(editor(Grants()))),
    Sample("post", .post(milk)),
    Sample("post: completed", .post(cafe(version: 2, completed: completion))),
    Sample(
      "post: completed and removed",
      .post(cafe(version: 3, completed: completion, removed: ID.stamp(6, ID.author)))),
    Sample("post: completed, with steps", .post(completedWithSteps)),
    Sample("post: erased", .post(erased)),
    Sample("post: every field", .post(full(version: 2))),
    Sample("post: due on a day, at a point", .post(dueOnADay)),
    Sample("post: tagged", .post(tagged)),
    Sample("post: overdue", .post(overdue)),
    Sample("post: in another list now", .post(left)),
    Sample("post: gone from the bin for good", .post(purged)),
    Sample("post: assigned", .post(assigned)),
    Sample("post: somebody is on it", .post(claimed)),
    Sample("post: from elsewhere", .post(fromElsewhere)),
    Sample("post: an admin has to confirm it", .post(submitted)),
    Sample("post: everybody completes it for themselves", .post(forEach)),
    Sample("post: each doer completes it for themselves", .post(forEachDoer)),
    Sample("post: that comes again", .post(again)),
    Sample("tag", .tag(Domain.Tag(id: ID.tag, name: "uni"))),
    Sample("tag: colored", .tag(Domain.Tag(id: ID.tag, name: "Università", color: .red))),
    Sample("invitation", .invitation(invitation)),
    Sample("invitation_code", .invitationCode(code)),
    Sample("link", .link(link)),
    Sample("membership", .membership(Membership(stream: ID.list, role: .editor))),
    Sample(
      "membership: with a place",
      .membership(
        Membership(stream: ID.list, role: .editor, position: .of(number: 9)))),
    Sample("read_mark", .readMark(ReadMark(stream: ID.list, seq: 42))),
    Sample("declines", .declines(Declines(stream: ID.list, times: 1))),
    Sample("block", .block(block)),
    Sample("filter", .filter(filter)),
    Sample("filter: with days of the calendar", .filter(thisYear)),
    Sample(
      "reactions",
      .reactions(Reactions(to: 14, [Reaction(user: ID.author, sign: "👏", post: ID.post)]))),
    Sample("personal", .personal(personal)),
    Sample("personal: watched", .personal(watched)),
    Sample("settings", .settings(settings)),
    Sample(
      "notification: a reminder",
      .notice(
        Notice(
          kind: .reminder, seq: 7, opIndex: 0, at: ID.time(0), by: nil, stream: ID.list,
          post: ID.post))),
    Sample(
      "reminder",
      .reminder(
        KeptReminder(
          Reminded(address: personalAddress, kind: .reminder, at: ID.time(0)),
          told: ID.time(1_000), seq: 7, opIndex: 1))),
    Sample("settings: as for everybody", .settings(PersonalSettings(user: ID.author))),
    Sample(
      "notification",
      .notice(
        Notice(
          kind: .invited, seq: 3, opIndex: 0, at: ID.time(0), by: ID.author, stream: ID.groupStream)
      )),
    Sample(
      "notification: another role",
      .notice(
        Notice(
          kind: .roleChanged, seq: 9, opIndex: 0, at: ID.time(0), by: ID.author, stream: ID.list))),
    Sample(
      "notification: assigned",
      .notice(
        Notice(
          kind: .assigned, seq: 9, opIndex: 0, at: ID.time(0), by: ID.author, stream: ID.list,
          post: ID.post))),
    Sample(
      "notification: removed, by the system",
      .notice(
        Notice(kind: .removed, seq: 8, opIndex: 1, at: ID.time(0), by: nil, stream: ID.list))),
  ]

  private static let completedWithSteps: Post = {
    var post = cafe(version: 2, completed: completion)
    post.steps = steps
    post.position = Position("4zzz")
    return post
  }()
}

extension Samples {
  static let silent = {
    var category = groceries
    category.talk = .off
    return category
  }()

  static let silentGroup = {
    var group = Group(id: ID.group, name: "Family", added: ID.stamp(0, ID.author))
    group.talk = .off
    return group
  }()
}
