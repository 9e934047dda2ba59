import Domain

@testable import WhattodoTerminal

/// Lines of commands with the actions that they mean, family by family.
enum CommandRows {
  static let all: [(String, Action)] = [
    rows(shown, Action.show), rows(asked, Action.ask), rows(posts, Action.post),
    rows(fields, Action.field), rows(marks, Action.mark), rows(lists, Action.list),
    rows(groups, Action.group), rows(people, Action.people), rows(talk, Action.talk),
    rows(account, Action.account), others,
  ].flatMap { $0 }

  private static func rows<Family>(
    _ rows: [(String, Family)], _ make: (Family) -> Action
  ) -> [(String, Action)] {
    rows.map { ($0, make($1)) }
  }

  private static let shown: [(String, ShowAction)] = [
    ("show #12", .post(nil, 12)), ("show #l 12", .post(Reference("#l"), 12)),
    ("show #l #12", .post(Reference("#l"), 12)),
    ("show #12 done", .posts(Reference("#12"), done: true)), ("tags", .tags(nil)),
    ("tags #groceries", .tags(Reference("#groceries"))), ("note 3", .value(nil, 3, .notes)),
    ("due 3", .value(nil, 3, .due)), ("p #l #3", .value(Reference("#l"), 3, .priority)),
    ("repeat 3", .value(nil, 3, .recurrence)), ("edit 3", .value(nil, 3, .title)),
    ("edit 3.1", .value(nil, PostNumber(3, step: 1), .title)), ("step 12", .post(nil, 12)),
    ("color 3", .value(nil, 3, .color)), ("color", .listValue(nil, .color)),
    ("color #l", .listValue(Reference("#l"), .color)), ("zone", .listValue(nil, .zone)),
    ("rename #l", .listValue(Reference("#l"), .name)), ("tag 3", .value(nil, 3, .tags)),
    ("assign 3", .value(nil, 3, .assignees)), ("tags color uni", .tag(nil, "uni")),
    ("tags rename +uni", .tag(nil, "uni")), ("role @author", .role("author", in: nil)),
    ("role author in home", .role("author", in: Reference("home"))),
    ("where 3", .value(nil, 3, .location)), ("archive", .archived),
    ("show", .posts(nil, done: false)), ("show done", .posts(nil, done: true)),
    ("show #l done", .posts(Reference("#l"), done: true)),
    ("show 2", .posts(Reference("2"), done: false)),
    ("show big shop done", .posts(Reference("big shop"), done: true)), ("lists", .lists),
    ("group", .groups), ("plan 3", .value(nil, 3, .plan)),
    ("remind 3", .value(nil, 3, .reminders)), ("snooze 3", .value(nil, 3, .snooze)),
    ("private 3", .value(nil, 3, .privateNote)), ("talk", .talk(nil)),
    ("talk #l", .talk(Reference("#l"))), ("talk our home", .talk(Reference("our home"))),
    ("talk 12", .comments(nil, 12)), ("talk #l #12", .comments(Reference("#l"), 12)),
    ("c 12", .comments(nil, 12)), ("react 12.c3", .line(nil, .comment(3, on: 12))),
    ("react #l line 57", .line(Reference("#l"), 57)),
    ("talk older sister", .talk(Reference("older sister"))),
  ]

  private static let asked: [(String, AskAction)] = [
    ("bin", .bin(nil)), ("bin #lists", .bin(Reference("#lists"))), ("bin lists", .removedPlaces),
    ("history", .history(nil, nil)), ("history 3", .history(nil, 3)),
    ("history #3", .history(nil, 3)), ("history 3 runs", .runs(nil, 3)),
    ("history #groceries 3 runs", .runs(Reference("#groceries"), 3)),
    ("handover", .handOver(nil, since: nil)),
    ("handover #l", .handOver(Reference("#l"), since: nil)),
    ("handover since 8h", .handOver(nil, since: .minutes(480))),
    ("handover #l since 18:00", .handOver(Reference("#l"), since: .time(minute: 1_080))),
    ("glance", .glance), ("why 3", .why(nil, 3)), ("why #l #3", .why(Reference("#l"), 3)),
    ("why @editor", .whyPerson(nil, "editor")),
    ("why #l @editor", .whyPerson(Reference("#l"), "editor")),
    ("history #groceries", .history(Reference("#groceries"), nil)),
    ("find oat milk", .find("oat milk", in: nil)),
    ("find #groceries milk", .find("milk", in: Reference("#groceries"))),
    ("f #12", .find("#12", in: nil)), ("history home", .history(Reference("home"), nil)),
    ("history our house", .history(Reference("our house"), nil)),
    ("history #groceries #3", .history(Reference("#groceries"), 3)), ("who", .who(nil, .week)),
    ("who #l", .who(Reference("#l"), .week)),
    ("who home month", .who(Reference("home"), .month)), ("who all", .who(nil, .all)),
    ("n", .notifications(nil)),
    ("n #l", .notifications(Reference("#l"))),
    ("news big shop", .notifications(Reference("big shop"))),
    ("n #read", .notifications(Reference("#read"))),
    ("digest", .digest(.today)),
    ("digest yesterday", .digest(.yesterday)),
    ("digest 2026-11-21", .digest(.day(Day("2026-11-21")!))),
    ("score", .stats(nil, .week, .score)), ("score month", .stats(nil, .month, .score)),
    ("score #l today", .stats(Reference("#l"), .today, .score)),
    ("stats big house week", .stats(Reference("big house"), .week, .stats)),
    ("stats", .stats(nil, .week, .stats)), ("stats #l", .stats(Reference("#l"), .week, .stats)),
    ("score me", .ownStats(.week, .score)), ("stats me year", .ownStats(.year, .stats)),
    ("score #me all", .stats(Reference("#me"), .all, .score)),
    ("stats about me year", .stats(Reference("about me"), .year, .stats)),
    ("privacy", .privacy), ("about", .privacy),
    ("talk older", .olderTalk(nil, nil, before: nil)),
    ("talk older 57", .olderTalk(nil, nil, before: 57)),
    ("talk 12 older", .olderTalk(nil, 12, before: nil)),
    ("talk #l #12 older 57", .olderTalk(Reference("#l"), 12, before: 57)),
    ("talk our home older", .olderTalk(Reference("our home"), nil, before: nil)),
    ("talk our home older 5", .olderTalk(Reference("our home"), nil, before: 5)),
  ]

  private static let posts: [(String, PostAction)] = [
    ("add milk", .add(nil, title: "milk")),
    ("add #groceries oat  milk", .add(Reference("#groceries"), title: "oat  milk")),
    ("a #12 milk", .add(Reference("#12"), title: "milk")), ("add #", .add(nil, title: "#")),
    ("plain", .plain([])), ("plain fri !high", .plain(["fri", "!high"])),
    ("done 12", .complete(nil, [12])), ("done #12", .complete(nil, [12])),
    ("done #12 #13 14", .complete(nil, [12, 13, 14])),
    ("done #groceries 12", .complete(Reference("#groceries"), [12])),
    ("DONE 12", .complete(nil, [12])),
    ("done 12.3 13", .complete(nil, [PostNumber(12, step: 3), 13])),
    ("x #12.2", .complete(nil, [PostNumber(12, step: 2)])),
    ("done #groceries 12.3", .complete(Reference("#groceries"), [PostNumber(12, step: 3)])),
    ("done 3 5-7 #12", .complete(nil, [3, 5, 6, 7, 12])),
    ("done 5-7 6 5", .complete(nil, [5, 6, 7])),
    ("done 12 13 all", .completeForAll(nil, [12, 13])),
    ("done #groceries 12 all", .completeForAll(Reference("#groceries"), [12])),
    ("done #groceries 5-6", .complete(Reference("#groceries"), [5, 6])),
    ("reopen 3", .reopen(nil, [3])), ("reopen 3.1", .reopen(nil, [PostNumber(3, step: 1)])),
    ("step 12 a dozen  eggs", .addStep(nil, 12, "a dozen  eggs")),
    ("step #l #12 3.5", .addStep(Reference("#l"), 12, "3.5")),
    ("move 3 5-6 12 before 1", .move(nil, [3, 5, 6, 12], .before(1))),
    ("move 3 #m", .move(nil, [3], .list(Reference("#m")))),
    ("move #l 3-4 to #m", .move(Reference("#l"), [3, 4], .list(Reference("#m")))),
    ("copy 3 4", .copy(nil, [3, 4], to: nil)),
    ("copy #l 3 to #m", .copy(Reference("#l"), [3], to: Reference("#m"))),
    ("move 12 top", .move(nil, [12], .top)), ("move #12 before #3", .move(nil, [12], .before(3))),
    ("move #l #12 top", .move(Reference("#l"), [12], .top)),
    ("move 12.3 top", .move(nil, [PostNumber(12, step: 3)], .top)),
    ("move 12.3 bottom", .move(nil, [PostNumber(12, step: 3)], .bottom)),
    (
      "move #l 12.3 before 12.1",
      .move(Reference("#l"), [PostNumber(12, step: 3)], .before(PostNumber(12, step: 1)))
    ),
    ("rm 12.1", .remove(nil, [PostNumber(12, step: 1)])),
    ("rm #12.1", .remove(nil, [PostNumber(12, step: 1)])),
    ("claim 3", .claim(nil, [3], minutes: nil)),
    ("claim 3 5-6 45m", .claim(nil, [3, 5, 6], minutes: 45)),
    ("claim #l #3 2h", .claim(Reference("#l"), [3], minutes: 120)),
    ("claim next", .claimNext(nil, minutes: nil)),
    ("react 3 👏", .react(nil, 3, "👏")), ("react #l #3 off", .react(Reference("#l"), 3, nil)),
    ("claim #l next 7d", .claimNext(Reference("#l"), minutes: 10_080)),
    ("release 3 #4", .release(nil, [3, 4])), ("release #l 3", .release(Reference("#l"), [3])),
    ("claim 12.3 4", .claim(nil, [PostNumber(12, step: 3), 4], minutes: nil)),
    ("release #l 12.3", .release(Reference("#l"), [PostNumber(12, step: 3)])),
    ("join 3 5-6", .join(nil, [3, 5, 6])), ("join #l #3", .join(Reference("#l"), [3])),
    ("withdraw 3", .withdraw(nil, [3])), ("at 3 120", .reach(nil, 3, 120, isCorrection: false)),
    ("at #l #3 0 correct", .reach(Reference("#l"), 3, 0, isCorrection: true)),
    ("skip 3 5-6", .skip(nil, [3, 5, 6])), ("rm 3 4", .remove(nil, [3, 4])),
    ("rm #groceries 4", .remove(Reference("#groceries"), [4])), ("rm #4", .remove(nil, [4])),
    ("rm #4 #5", .remove(nil, [4, 5])), ("restore 4", .restore(nil, [4])),
    ("purge #groceries 4 5", .purge(Reference("#groceries"), [4, 5])),
  ]

  private static let fields: [(String, FieldAction)] = [
    ("edit 12.3 rye", .title(nil, PostNumber(12, step: 3), "rye")),
    ("edit 3 rye bread", .title(nil, 3, "rye bread")),
    ("edit #l #3 rye", .title(Reference("#l"), 3, "rye")),
    ("note 3 two lines", .notes(nil, 3, "two lines")), ("note #3 two", .notes(nil, 3, "two")),
    ("note 3 off", .notes(nil, 3, "")), ("note 3 OFF", .notes(nil, 3, "")),
    ("note 3 off road", .notes(nil, 3, "off road")), ("note 3 \\off", .notes(nil, 3, "off")),
    ("note 3 \\\\off", .notes(nil, 3, "\\off")), ("note 3 \\n", .notes(nil, 3, "\\n")),
    ("due 3 off", .due(nil, 3, nil)), ("due 3 none", .due(nil, 3, nil)),
    ("due #3 fri 18:00", .due(nil, 3, DueWish("fri 18:00"))),
    ("due #l 3 24.12.", .due(Reference("#l"), 3, DueWish("24.12."))),
    ("due #l 3 12-24", .due(Reference("#l"), 3, DueWish("12-24")!)),
    ("repeat #3 every week", .repeating(nil, 3, RepeatWish("every week")!)),
    ("repeat #l 3 off", .repeating(Reference("#l"), 3, RepeatWish("off")!)),
    ("priority 3 high", .set(nil, 3, PostEdit(priority: .set(.high)))),
    ("p #l #3 off", .set(Reference("#l"), 3, PostEdit(priority: .clear))),
    ("color 3 off", .set(nil, 3, PostEdit(color: .clear))),
    ("color 3 Red", .set(nil, 3, PostEdit(color: .set(.red)))),
    ("color #3 blue", .set(nil, 3, PostEdit(color: .clear))),
    ("where 3 off", .set(nil, 3, PostEdit(location: .clear))),
    (
      "where 3 Rossio square",
      .set(nil, 3, PostEdit(location: .set(Location(text: "Rossio square"))))
    ),
    (
      "where 3 Rossio geo:38.7071,-9.13549",
      .set(
        nil, 3,
        PostEdit(
          location: .set(
            Location(text: "Rossio", point: GeoPoint(latitude: 38_707_100, longitude: -9_135_490))))
      )
    ),
    ("plan 3 fri 14:00 for 50m", .personal(nil, 3, .plan(DueWish("fri 14:00"), minutes: 50))),
    (
      "plan #l #3 tomorrow", .personal(Reference("#l"), 3, .plan(DueWish("tomorrow"), minutes: nil))
    ),
    ("plan 3 for 1h30", .personal(nil, 3, .plan(nil, minutes: 90))),
    ("plan 3 off", .personal(nil, 3, .plan(nil, minutes: nil))),
    ("remind 3 off", .personal(nil, 3, .forgetAll)),
    ("remind 3 1d", .personal(nil, 3, .remind(.minutes(1_440)))),
    ("remind 3 30m before", .personal(nil, 3, .remind(.minutes(30)))),
    ("remind 3 fri 18:00", .personal(nil, 3, .remind(.at(DueWish("fri 18:00")!)))),
    ("remind #l 3 off 2h", .personal(Reference("#l"), 3, .forget(.minutes(120)))),
    ("snooze 3 2h", .personal(nil, 3, .snooze(.minutes(120)))),
    ("snooze 3 off", .personal(nil, 3, .snooze(nil))),
    ("watch 3", .personal(nil, 3, .watch(true))),
    ("watch 3 off", .personal(nil, 3, .watch(false))),
    ("private 3 the blue one", .personal(nil, 3, .note("the blue one"))),
    ("private 3 off", .personal(nil, 3, .note(""))),
    ("private 3 \\off", .personal(nil, 3, .note("off"))),
  ]

  private static let marks: [(String, MarkAction)] = [
    ("tag 3 uni", .tag(nil, [3], ["uni"])),
    (
      "tag #groceries 3 5-6 +uni essay",
      .tag(Reference("#groceries"), [3, 5, 6], ["uni", "essay"])
    ),
    ("tag #3 +2026", .tag(nil, [3], ["2026"])), ("untag 3 4 +uni", .untag(nil, [3, 4], ["uni"])),
    ("assign 3 @Editor", .assign(nil, [3], ["editor"])),
    (
      "assign #groceries 3-4 editor author",
      .assign(Reference("#groceries"), [3, 4], ["editor", "author"])
    ),
    ("unassign #3 @editor", .unassign(nil, [3], ["editor"])),
    ("tags rename +uni My work", .changeTag(nil, "uni", .rename("My work"))),
    ("tags #groceries color uni red", .changeTag(Reference("#groceries"), "uni", .color(.red))),
    ("tags remove uni", .changeTag(nil, "uni", .remove)), ("tag 3 off", .untagAll(nil, 3)),
    ("tag 3 +off", .tag(nil, [3], ["off"])), ("tag 3 4 off", .tag(nil, [3, 4], ["off"])),
    ("assign 3 off", .unassignAll(nil, 3)), ("assign 3 @off", .assign(nil, [3], ["off"])),
    ("handover @Author to editor", .handOver(from: "author", to: "editor", in: nil)),
    (
      "handover author to @editor in #groceries",
      .handOver(from: "author", to: "editor", in: Reference("#groceries"))
    ),
    ("tags color uni off", .changeTag(nil, "uni", .color(.standard))),
  ]

  private static let lists: [(String, ListAction)] = [
    ("copy #l", .copy(Reference("#l"), CopyWish())),
    ("copy #l as Next week", .copy(Reference("#l"), CopyWish(name: "Next week"))),
    (
      "copy #l done as Away from home from 24.12.",
      .copy(
        Reference("#l"),
        CopyWish(name: "Away from home", withDone: true, firstDue: DueWish("24.12.")))
    ),
    ("copy #l from fri", .copy(Reference("#l"), CopyWish(firstDue: DueWish("fri")))),
    ("move #l top", .move([Reference("#l")], .top)),
    ("move #l #m bottom", .move([Reference("#l"), Reference("#m")], .bottom)),
    ("move #l before #m", .move([Reference("#l")], .before(Reference("#m")))),
    ("move #l before 3", .move([Reference("#l")], .before(Reference("3")))),
    ("color #l off", .edit(Reference("#l"), CategoryEdit(color: .clear))),
    ("color #l teal", .edit(Reference("#l"), CategoryEdit(color: .set(.teal)))),
    ("color blue", .edit(nil, CategoryEdit(color: .clear))),
    ("zone Europe/Lisbon", .edit(nil, CategoryEdit(zone: "Europe/Lisbon"))),
    ("zone #l UTC", .edit(Reference("#l"), CategoryEdit(zone: "UTC"))),
    ("rm #groceries", .remove(Reference("#groceries"))),
    ("archive #groceries", .archive(Reference("#groceries"))),
    ("unarchive #groceries", .unarchive(Reference("#groceries"))),
    ("restore #groceries", .restore([Reference("#groceries")])),
    ("restore #a #b", .restore([Reference("#a"), Reference("#b")])),
    ("restore list 2", .restore([Reference("2")])),
    ("restore list 3 1-2", .restore([Reference("3"), Reference("1"), Reference("2")])),
    ("new Groceries", .new("Groceries", group: nil)),
    ("new things in house in home", .new("things in house", group: Reference("home"))),
    ("new #groceries", .new("groceries", group: nil)),
    ("new #Big shop in home", .new("Big shop", group: Reference("home"))),
    ("new ##1", .new("#1", group: nil)), ("new C# in home", .new("C#", group: Reference("home"))),
    ("rename #l #shop", .rename(Reference("#l"), "shop")),
    ("copy #l as #next", .copy(Reference("#l"), CopyWish(name: "next"))),
    ("new in", .new("in", group: nil)), ("new in home", .new("in home", group: nil)),
    ("new what is in", .new("what is in", group: nil)),
    ("rename #l new name", .rename(Reference("#l"), "new name")),
    ("rename new name", .rename(nil, "new name")), ("open 2", .open(Reference("2"))),
    ("open #big-shop", .open(Reference("#big-shop"))),
  ]

  private static let groups: [(String, GroupAction)] = [
    ("group rename home Our home", .rename(Reference("home"), "Our home")),
    ("group remove our-home", .remove(Reference("our-home"))),
    ("group restore home", .restore(Reference("home"))), ("group new remove", .new("remove")),
    ("group removed", .named("removed")), ("group home", .named("home")),
    ("group new Our home", .new("Our home")),
  ]

  private static let people: [(String, PeopleAction)] = [
    ("invite @Author", .invite("author", .editor, to: nil)),
    ("invite author owner to home", .invite("author", .owner, to: Reference("home"))),
    ("invite author to #big-shop", .invite("author", .editor, to: Reference("#big-shop"))),
    ("revoke author from home", .revoke("author", from: Reference("home"))),
    ("invite author doer", .invite("author", .doer, to: nil)),
    ("invite @author #home", .invite("author", .editor, to: Reference("#home"))),
    ("invite author doer #home", .invite("author", .doer, to: Reference("#home"))),
    ("role author doer #home", .setRole("author", .doer, in: Reference("#home"))),
    ("invite code", .code(.make(.editor, uses: 1, to: nil))),
    ("invite code doer 30 to home", .code(.make(.doer, uses: 30, to: Reference("home")))),
    ("invite @code", .invite("code", .editor, to: nil)),
    ("join ABCD-EFGH jkmn", .code(.join("ABCD-EFGH jkmn"))), ("codes", .code(.list(nil))),
    ("codes #home", .code(.list(Reference("#home")))),
    ("revoke code 2 from home", .code(.revoke(2, from: Reference("home")))),
    ("role @author admin", .setRole("author", .admin, in: nil)),
    ("role author viewer in home", .setRole("author", .viewer, in: Reference("home"))),
    ("kick author", .remove("author", from: nil)), ("accept", .accept(nil)), ("yes 2", .accept(2)),
    ("decline 1", .decline(1)), ("leave", .leave(nil)), ("leave home", .leave(Reference("home"))),
    ("leave to @Editor", .leave(nil, successor: "editor")),
    ("leave our home to editor", .leave(Reference("our home"), successor: "editor")),
    ("leave to", .leave(Reference("to"))), ("block", .reach(.blocks)),
    ("block @Editor", .reach(.block("editor"))), ("unblock editor", .reach(.unblock("editor"))),
    ("link", .link(.make(nil, days: 14))), ("link #l 3", .link(.make(Reference("#l"), days: 3))),
    ("links", .link(.list(nil))), ("unlink #l 2", .link(.revoke(2, from: Reference("#l")))),
  ]

  private static let talk: [(String, TalkAction)] = [
    ("say thanks!", .say(nil, "thanks!")),
    ("say #l it  is late", .say(Reference("#l"), "it  is late")),
    ("say #12 is mine", .say(nil, "#12 is mine")), ("say in time", .say(nil, "in time")),
    ("say in our home: 18:00?", .say(Reference("our home"), "18:00?")),
    ("say in : x", .say(nil, "in : x")), ("c 12 which one?", .comment(nil, 12, "which one?")),
    ("comment #l #12 7", .comment(Reference("#l"), 12, "7")),
    ("answer 57 the green one", .answer(nil, 57, "the green one")),
    ("answer #l 12.c3 yes", .answer(Reference("#l"), .comment(3, on: 12), "yes")),
    ("resay #12.C3 no", .edit(nil, .comment(3, on: 12), "no")),
    ("unsay 12.c3", .remove(nil, .comment(3, on: 12))),
    ("say #12.c3 is right", .say(nil, "#12.c3 is right")),
    ("react 12.c3 👍", .react(nil, .comment(3, on: 12), "👍")),
    ("react #l #12.c3 off", .react(Reference("#l"), .comment(3, on: 12), nil)),
    ("react line 57 🎉", .react(nil, 57, "🎉")),
    ("react in home: line 5 OFF", .react(Reference("home"), 5, nil)),
    ("answer in home: 5 yes", .answer(Reference("home"), 5, "yes")),
    ("resay #l 57 off", .edit(Reference("#l"), 57, "off")), ("unsay 57", .remove(nil, 57)),
    ("unsay in home: 5", .remove(Reference("home"), 5)), ("talk off", .set(nil, .off)),
    ("talk on #l", .set(Reference("#l"), .on)),
    ("talk off our home", .set(Reference("our home"), .off)),
  ]

  private static let account: [(String, AccountAction)] = [
    ("me name", .profile), ("me locale off", .editProfile(ProfileEdit(locale: ""))),
    ("me location \\off", .editProfile(ProfileEdit(location: "off"))),
    ("settings due", .settings(.show)),
    ("settings remind off", .settings(.edit(edit { $0.reminders = .set([]) }))), ("me", .profile),
    ("me name Author B", .editProfile(ProfileEdit(name: "Author B"))),
    ("me locale pt-PT", .editProfile(ProfileEdit(locale: "pt-PT"))),
    ("me invited nobody", .editProfile(ProfileEdit(invitedBy: .nobody))),
    ("me invited Shared", .editProfile(ProfileEdit(invitedBy: .shared))),
    ("me zone Europe/Lisbon", .editProfile(ProfileEdit(zone: "Europe/Lisbon"))),
    ("settings", .settings(.show)),
    ("settings soon 24h", .settings(.edit(edit { $0.dueSoonHours = .set(24) }))),
    ("settings soon 2d", .settings(.edit(edit { $0.dueSoonHours = .set(48) }))),
    ("settings soon default", .settings(.edit(edit { $0.dueSoonHours = .clear }))),
    ("settings remind 1d 1h", .settings(.edit(edit { $0.reminders = .set([60, 1_440]) }))),
    ("settings remind none", .settings(.edit(edit { $0.reminders = .set([]) }))),
    ("settings due today", .settings(.edit(edit { $0.defaultDue = .set(.today) }))),
    ("settings mute overdue", .settings(.edit(edit { $0.muted = .set([.overdue]) }))),
    ("settings digest 18:00", .settings(.edit(edit { $0.digest = .set(ClockTime("18:00")!) }))),
    ("settings digest off", .settings(.edit(edit { $0.digest = .clear }))),
    ("n read", .markRead(nil)), ("news home read", .markRead(Reference("home"))),
    ("n #l read", .markRead(Reference("#l"))), ("mute", .levels),
    ("mute 2 off", level(.number(2), nil)),
    ("mute #builds", level(.place(Reference("#builds")), NotificationLevel.none)),
    ("settings mute #builds", level(.place(Reference("#builds")), NotificationLevel.none)),
    ("mute Home directed", level(.place(Reference("Home")), .directed)),
    ("mute #builds all", level(.place(Reference("#builds")), .all)),
    ("settings mute @bot off", level(.person("bot"), nil)),
    ("mute @Bot 2h", level(.person("bot"), NotificationLevel.none, until: .minutes(120))),
    (
      "mute #builds directed 30m",
      level(.place(Reference("#builds")), .directed, until: .minutes(30))
    ),
    ("settings mute default", .settings(.edit(edit { $0.muted = .clear }))), ("pair", .pair),
    ("me upgrade @Lima", .upgrade("lima")),
    ("me upgrade lima 7KQ2-XW9D", .upgrade("lima", code: "7KQ2-XW9D")), ("sessions", .sessions),
    ("sessions close 2", .closeSession(2)), ("password", .password),
  ]

  private static let others: [(String, Action)] = [
    ("note all 3", .times(.all, .show(.value(nil, 3, .notes)))),
    ("filter save all", .filter(.look("all"))),
    (
      "rm #groceries #tools",
      .together([.list(.remove(Reference("#groceries"))), .list(.remove(Reference("#tools")))])
    ),
    (
      "archive #a #b",
      .together([.list(.archive(Reference("#a"))), .list(.archive(Reference("#b")))])
    ),
    ("filters", .filter(.list)), ("filter urgent", .filter(.show("urgent"))),
    ("filter remove urgent", .filter(.remove("urgent"))),
    ("filter save all open", .filter(.save("all", FilterWish()))),
    (
      "done 3 5-6 #b 2.1",
      .together([
        .post(.complete(nil, [3, 5, 6])),
        .post(.complete(Reference("#b"), [PostNumber(2, step: 1)])),
      ])
    ),
    (
      "tag #a 3 #b 5 +x y",
      .together([
        .mark(.tag(Reference("#a"), [3], ["x", "y"])),
        .mark(.tag(Reference("#b"), [5], ["x", "y"])),
      ])
    ),
    (
      "assign 3 #b 5 @editor",
      .together([
        .mark(.assign(nil, [3], ["editor"])), .mark(.assign(Reference("#b"), [5], ["editor"])),
      ])
    ),
    (
      "move 3 #b 5 to #c",
      .together([
        .post(.move(nil, [3], .list(Reference("#c")))),
        .post(.move(Reference("#b"), [5], .list(Reference("#c")))),
      ])
    ),
    ("undo", .undo(nil)), ("undo #groceries", .undo(Reference("#groceries"))),
    ("redo", .redo(nil)), ("redo groceries", .redo(Reference("groceries"))),
    ("unsent", .unsent(nil)), ("unsent 2 again", .unsent(.again(2))),
    ("unsent 1 drop", .unsent(.drop(1))), ("unsent 3 both", .unsent(.choose(3, .both))),
    ("recover", .program(.recover)), ("logout", .program(.logout)), ("quit", .program(.quit)),
    ("help", .program(.help(nil))), ("help done", .program(.help("done"))),
    ("? done", .program(.help("done"))),
  ]

  private static func level(
    _ target: LevelTarget, _ level: NotificationLevel?, until: ReminderWish? = nil
  ) -> AccountAction {
    .level(LevelWish(target: target, level: level, until: until))
  }

  private static func edit(_ change: (inout SettingsEdit) -> Void) -> SettingsEdit {
    var edit = SettingsEdit()
    change(&edit)
    return edit
  }
}
