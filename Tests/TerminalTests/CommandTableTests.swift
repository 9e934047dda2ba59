import Domain
import Sync
import Testing

@testable import WhattodoTerminal

@Suite("commands: the one table")
struct CommandTableTests {
  @Test("no two commands have a name in common")
  func uniqueNames() {
    let names = CommandTable.entries.flatMap(\.names)
    #expect(Set(names).count == names.count)
    #expect(names.allSatisfy { $0 == $0.lowercased() && !$0.contains(" ") })
  }

  @Test("help for scripts shows every command on one line of 80 columns")
  func help() {
    let lines = HelpLines.all
    for entry in CommandTable.entries {
      let own = lines.filter { $0.plain.hasPrefix("  \(entry.name) ") }
      #expect(own.count == 1)
    }
    #expect(lines.allSatisfy { $0.width < 80 })
    #expect(lines.allSatisfy { !$0.plain.contains("…share") })
  }

  @Test("the overview shows every command on one screen", arguments: [40, 79, 80, 160])
  func overview(columns: Int) {
    let rows = HelpLines.overview(columns: columns).flatMap { $0.wrapped(columns: columns - 1) }
    let text = rows.map(\.plain).joined(separator: "\n")
    for entry in CommandTable.entries {
      #expect(entry.brief.count <= CommandEntry.briefColumnsMax)
      let name = "/" + entry.name
      let row = entry.isRare ? name : ListLines.pad(name, 10) + entry.brief
      #expect(text.contains(row), "\(row)")
    }
    // What was typed, and the line being typed.
    if columns >= 80 { #expect(rows.count <= 24 - 2) }
  }

  @Test("help for one command tells its words and its other names")
  func one() {
    #expect(
      HelpLines.one("/d").map(\.plain) == [
        "  /done [#LIST] NUMBER… [all]  complete posts, or steps (12.3)  (also /d /x)"
      ])
    let more = HelpLines.one("repeat").dropLast().last?.plain
    #expect(more?.hasSuffix("rotate, rotate least, confirmed") == true)
    #expect(HelpLines.one("me").map(\.plain)[0].contains("upgrade NAME"))
    #expect(
      HelpLines.one("dnoe").map(\.plain) == [
        "there is no command /dnoe; /help shows all. Do you mean /done?"
      ])
  }

  static let rows: [(String, Action)] = [
    ("add milk", .add(nil, title: "milk")),
    ("add #groceries oat  milk", .add(Reference("#groceries"), title: "oat  milk")),
    ("a #12 milk", .add(Reference("#12"), title: "milk")),
    ("add #", .add(nil, title: "#")),
    ("plain", .plain([])), ("plain fri !high", .plain(["fri", "!high"])),
    ("done 12", .complete(nil, [12])),
    ("done #12", .complete(nil, [12])),
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
    ("edit 12.3 rye", .edit(nil, PostNumber(12, step: 3), title: "rye")),
    ("move 3 5-6 12 before 1", .move(nil, [3, 5, 6, 12], .before(1))),
    ("move 3 #m", .move(nil, [3], .list(Reference("#m")))),
    ("move #l 3-4 to #m", .move(Reference("#l"), [3, 4], .list(Reference("#m")))),
    ("copy 3 4", .copy(nil, [3, 4], to: nil)),
    ("copy #l 3 to #m", .copy(Reference("#l"), [3], to: Reference("#m"))),
    ("copy #l", .copyList(Reference("#l"), CopyWish())),
    ("copy #l as Next week", .copyList(Reference("#l"), CopyWish(name: "Next week"))),
    (
      "copy #l done as Away from home from 24.12.",
      .copyList(
        Reference("#l"),
        CopyWish(name: "Away from home", withDone: true, firstDue: DueWish("24.12.")))
    ),
    ("copy #l from fri", .copyList(Reference("#l"), CopyWish(firstDue: DueWish("fri")))),
    ("move 12 top", .move(nil, [12], .top)), ("move #12 before #3", .move(nil, [12], .before(3))),
    ("move #l top", .moveLists([Reference("#l")], .top)),
    ("move #l #m bottom", .moveLists([Reference("#l"), Reference("#m")], .bottom)),
    ("move #l before #m", .moveLists([Reference("#l")], .before(Reference("#m")))),
    ("move #l before 3", .moveLists([Reference("#l")], .before(Reference("3")))),
    ("move #l #12 top", .move(Reference("#l"), [12], .top)),
    ("move 12.3 top", .move(nil, [PostNumber(12, step: 3)], .top)),
    ("move 12.3 bottom", .move(nil, [PostNumber(12, step: 3)], .bottom)),
    (
      "move #l 12.3 before 12.1",
      .move(Reference("#l"), [PostNumber(12, step: 3)], .before(PostNumber(12, step: 1)))
    ),
    ("rm 12.1", .remove(nil, [PostNumber(12, step: 1)])),
    ("rm #12.1", .remove(nil, [PostNumber(12, step: 1)])),
    ("show #12", .showPost(nil, 12)), ("show #l 12", .showPost(Reference("#l"), 12)),
    ("show #l #12", .showPost(Reference("#l"), 12)),
    ("show #12 done", .show(Reference("#12"), done: true)),
    ("tag 3 uni", .tag(nil, [3], ["uni"])),
    (
      "tag #groceries 3 5-6 +uni essay",
      .tag(Reference("#groceries"), [3, 5, 6], ["uni", "essay"])
    ),
    ("tag #3 +2026", .tag(nil, [3], ["2026"])),
    ("untag 3 4 +uni", .untag(nil, [3, 4], ["uni"])),
    ("assign 3 @Editor", .assign(nil, [3], ["editor"])),
    (
      "assign #groceries 3-4 editor author",
      .assign(Reference("#groceries"), [3, 4], ["editor", "author"])
    ),
    ("unassign #3 @editor", .unassign(nil, [3], ["editor"])),
    ("claim 3", .claim(nil, [3], minutes: nil)),
    ("claim 3 5-6 45m", .claim(nil, [3, 5, 6], minutes: 45)),
    ("claim #l #3 2h", .claim(Reference("#l"), [3], minutes: 120)),
    ("claim next", .claimNext(nil, minutes: nil)),
    ("claim #l next 7d", .claimNext(Reference("#l"), minutes: 10_080)),
    ("release 3 #4", .release(nil, [3, 4])), ("release #l 3", .release(Reference("#l"), [3])),
    ("tags", .tags(nil)),
    ("tags #groceries", .tags(Reference("#groceries"))),
    ("tags rename +uni My work", .changeTag(nil, "uni", .rename("My work"))),
    ("tags #groceries color uni red", .changeTag(Reference("#groceries"), "uni", .color(.red))),
    ("tags remove uni", .changeTag(nil, "uni", .remove)),
    ("edit 3 rye bread", .edit(nil, 3, title: "rye bread")),
    ("edit #l #3 rye", .edit(Reference("#l"), 3, title: "rye")),
    ("note 3 two lines", .note(nil, 3, notes: "two lines")),
    ("note #3 two", .note(nil, 3, notes: "two")),
    ("note 3", .look(nil, 3, .notes)), ("note 3 off", .note(nil, 3, notes: "")),
    ("note 3 OFF", .note(nil, 3, notes: "")), ("note 3 off road", .note(nil, 3, notes: "off road")),
    ("note 3 \\off", .note(nil, 3, notes: "off")),
    ("note 3 \\\\off", .note(nil, 3, notes: "\\off")),
    ("note 3 \\n", .note(nil, 3, notes: "\\n")),
    ("note all 3", .times(.all, .look(nil, 3, .notes))),
    ("due 3", .look(nil, 3, .due)), ("due 3 off", .due(nil, 3, nil)),
    ("due 3 none", .due(nil, 3, nil)),
    ("due #3 fri 18:00", .due(nil, 3, DueWish("fri 18:00"))),
    ("due #l 3 24.12.", .due(Reference("#l"), 3, DueWish("24.12."))),
    ("due #l 3 12-24", .due(Reference("#l"), 3, DueWish("12-24")!)),
    ("repeat #3 every week", .repeating(nil, 3, RepeatWish("every week")!)),
    ("repeat #l 3 off", .repeating(Reference("#l"), 3, RepeatWish("off")!)),
    ("skip 3 5-6", .skip(nil, [3, 5, 6])),
    ("priority 3 high", .set(nil, 3, PostEdit(priority: .set(.high)))),
    ("p #l #3", .look(Reference("#l"), 3, .priority)),
    ("p #l #3 off", .set(Reference("#l"), 3, PostEdit(priority: .clear))),
    ("repeat 3", .look(nil, 3, .recurrence)), ("edit 3", .look(nil, 3, .title)),
    ("edit 3.1", .look(nil, PostNumber(3, step: 1), .title)), ("step 12", .showPost(nil, 12)),
    ("color 3", .look(nil, 3, .color)), ("color 3 off", .set(nil, 3, PostEdit(color: .clear))),
    ("color", .lookAtList(nil, .color)), ("color #l", .lookAtList(Reference("#l"), .color)),
    ("color #l off", .editList(Reference("#l"), CategoryEdit(color: .clear))),
    ("zone", .lookAtList(nil, .zone)), ("rename #l", .lookAtList(Reference("#l"), .name)),
    ("tag 3", .look(nil, 3, .tags)), ("tag 3 off", .untagAll(nil, 3)),
    ("tag 3 +off", .tag(nil, [3], ["off"])), ("tag 3 4 off", .tag(nil, [3, 4], ["off"])),
    ("assign 3", .look(nil, 3, .assignees)), ("assign 3 off", .unassignAll(nil, 3)),
    ("assign 3 @off", .assign(nil, [3], ["off"])),
    ("tags color uni", .lookAtTag(nil, "uni")), ("tags rename +uni", .lookAtTag(nil, "uni")),
    ("tags color uni off", .changeTag(nil, "uni", .color(.standard))),
    ("role @author", .lookAtRole("author", in: nil)),
    ("role author in home", .lookAtRole("author", in: Reference("home"))),
    ("me name", .me), ("me locale off", .editMe(ProfileEdit(locale: ""))),
    ("me location \\off", .editMe(ProfileEdit(location: "off"))),
    ("settings due", .settings(.show)),
    ("settings remind off", .settings(.edit(Self.edit { $0.reminders = .set([]) }))),
    ("filter save all", .filter(.look("all"))),
    ("color 3 Red", .set(nil, 3, PostEdit(color: .set(.red)))),
    ("color #3 blue", .set(nil, 3, PostEdit(color: .clear))),
    ("color #l teal", .editList(Reference("#l"), CategoryEdit(color: .set(.teal)))),
    ("color blue", .editList(nil, CategoryEdit(color: .clear))),
    ("where 3", .look(nil, 3, .location)),
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
            Location(
              text: "Rossio", point: GeoPoint(latitude: 38_707_100, longitude: -9_135_490)))))
    ),
    ("zone Europe/Lisbon", .editList(nil, CategoryEdit(zone: "Europe/Lisbon"))),
    ("zone #l UTC", .editList(Reference("#l"), CategoryEdit(zone: "UTC"))),
    ("rm 3 4", .remove(nil, [3, 4])),
    ("rm #groceries", .removeList(Reference("#groceries"))),
    ("rm #groceries 4", .remove(Reference("#groceries"), [4])),
    ("rm #4", .remove(nil, [4])), ("rm #4 #5", .remove(nil, [4, 5])),
    (
      "rm #groceries #tools",
      .together([.removeList(Reference("#groceries")), .removeList(Reference("#tools"))])
    ),
    ("archive #groceries", .archiveList(Reference("#groceries"))),
    (
      "archive #a #b", .together([.archiveList(Reference("#a")), .archiveList(Reference("#b"))])
    ),
    ("unarchive #groceries", .unarchiveList(Reference("#groceries"))),
    ("filters", .filter(.list)), ("filter urgent", .filter(.show("urgent"))),
    ("filter remove urgent", .filter(.remove("urgent"))),
    ("filter save all open", .filter(.save("all", FilterWish()))),
    ("archive", .archived),
    (
      "done 3 5-6 #b 2.1",
      .together([
        .complete(nil, [3, 5, 6]), .complete(Reference("#b"), [PostNumber(2, step: 1)]),
      ])
    ),
    (
      "tag #a 3 #b 5 +x y",
      .together([
        .tag(Reference("#a"), [3], ["x", "y"]), .tag(Reference("#b"), [5], ["x", "y"]),
      ])
    ),
    (
      "assign 3 #b 5 @editor",
      .together([.assign(nil, [3], ["editor"]), .assign(Reference("#b"), [5], ["editor"])])
    ),
    (
      "move 3 #b 5 to #c",
      .together([
        .move(nil, [3], .list(Reference("#c"))),
        .move(Reference("#b"), [5], .list(Reference("#c"))),
      ])
    ),
    ("restore #groceries", .restoreLists([Reference("#groceries")])),
    ("restore #a #b", .restoreLists([Reference("#a"), Reference("#b")])),
    ("restore 4", .restore(nil, [4])),
    ("purge #groceries 4 5", .purge(Reference("#groceries"), [4, 5])),
    ("bin", .bin(nil)), ("bin #lists", .bin(Reference("#lists"))), ("bin lists", .removedPlaces),
    ("restore list 2", .restoreLists([Reference("2")])),
    ("restore list 3 1-2", .restoreLists([Reference("3"), Reference("1"), Reference("2")])),
    ("undo", .undo(nil)),
    ("undo #groceries", .undo(Reference("#groceries"))),
    ("redo", .redo(nil)),
    ("redo groceries", .redo(Reference("groceries"))),
    ("history", .history(nil, nil)),
    ("history 3", .history(nil, 3)),
    ("history #3", .history(nil, 3)),
    ("history #groceries", .history(Reference("#groceries"), nil)),
    ("find oat milk", .find("oat milk", in: nil)),
    ("find #groceries milk", .find("milk", in: Reference("#groceries"))),
    ("f #12", .find("#12", in: nil)),
    ("history home", .history(Reference("home"), nil)),
    ("history our house", .history(Reference("our house"), nil)),
    ("history #groceries #3", .history(Reference("#groceries"), 3)),
    ("new Groceries", .newList("Groceries", group: nil)),
    ("new things in house in home", .newList("things in house", group: Reference("home"))),
    ("new #groceries", .newList("groceries", group: nil)),
    ("new #Big shop in home", .newList("Big shop", group: Reference("home"))),
    ("new ##1", .newList("#1", group: nil)),
    ("new C# in home", .newList("C#", group: Reference("home"))),
    ("rename #l #shop", .renameList(Reference("#l"), "shop")),
    ("copy #l as #next", .copyList(Reference("#l"), CopyWish(name: "next"))),
    ("new in", .newList("in", group: nil)),
    ("new in home", .newList("in home", group: nil)),
    ("new what is in", .newList("what is in", group: nil)),
    ("rename #l new name", .renameList(Reference("#l"), "new name")),
    ("rename new name", .renameList(nil, "new name")),
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
    ("join ABCD-EFGH jkmn", .code(.join("ABCD-EFGH jkmn"))),
    ("codes", .code(.list(nil))), ("codes #home", .code(.list(Reference("#home")))),
    ("revoke code 2 from home", .code(.revoke(2, from: Reference("home")))),
    ("role @author admin", .setRole("author", .admin, in: nil)),
    ("role author viewer in home", .setRole("author", .viewer, in: Reference("home"))),
    ("group rename home Our home", .renameGroup(Reference("home"), "Our home")),
    ("group remove our-home", .removeGroup(Reference("our-home"))),
    ("group restore home", .restoreGroup(Reference("home"))),
    ("group new remove", .newGroup("remove")), ("group removed", .group("removed")),
    ("kick author", .removeMember("author", from: nil)),
    ("accept", .accept(nil)), ("yes 2", .accept(2)), ("decline 1", .decline(1)),
    ("leave", .leave(nil)), ("leave home", .leave(Reference("home"))),
    ("leave to @Editor", .leave(nil, successor: "editor")),
    ("leave our home to editor", .leave(Reference("our home"), successor: "editor")),
    ("leave to", .leave(Reference("to"))),
    ("who", .who(nil)), ("who #l", .who(Reference("#l"))),
    ("me", .me), ("me name Author B", .editMe(ProfileEdit(name: "Author B"))),
    ("me locale pt-PT", .editMe(ProfileEdit(locale: "pt-PT"))),
    ("me invited nobody", .editMe(ProfileEdit(invitedBy: .nobody))),
    ("me invited Shared", .editMe(ProfileEdit(invitedBy: .shared))),
    ("block", .reach(.blocks)), ("block @Editor", .reach(.block("editor"))),
    ("unblock editor", .reach(.unblock("editor"))),
    ("me zone Europe/Lisbon", .editMe(ProfileEdit(zone: "Europe/Lisbon"))),
    ("show", .show(nil, done: false)), ("show done", .show(nil, done: true)),
    ("show #l done", .show(Reference("#l"), done: true)),
    ("show 2", .show(Reference("2"), done: false)),
    ("show big shop done", .show(Reference("big shop"), done: true)),
    ("open 2", .open(Reference("2"))), ("open #big-shop", .open(Reference("#big-shop"))),
    ("lists", .lists), ("n", .notifications), ("group", .groups), ("group home", .group("home")),
    ("group new Our home", .newGroup("Our home")),
    ("plan 3 fri 14:00 for 50m", .personal(nil, 3, .plan(DueWish("fri 14:00"), minutes: 50))),
    (
      "plan #l #3 tomorrow", .personal(Reference("#l"), 3, .plan(DueWish("tomorrow"), minutes: nil))
    ),
    ("plan 3 for 1h30", .personal(nil, 3, .plan(nil, minutes: 90))),
    ("plan 3", .look(nil, 3, .plan)), ("plan 3 off", .personal(nil, 3, .plan(nil, minutes: nil))),
    ("remind 3", .look(nil, 3, .reminders)), ("remind 3 off", .personal(nil, 3, .forgetAll)),
    ("remind 3 1d", .personal(nil, 3, .remind(.minutes(1_440)))),
    ("remind 3 30m before", .personal(nil, 3, .remind(.minutes(30)))),
    ("remind 3 fri 18:00", .personal(nil, 3, .remind(.at(DueWish("fri 18:00")!)))),
    ("remind #l 3 off 2h", .personal(Reference("#l"), 3, .forget(.minutes(120)))),
    ("snooze 3 2h", .personal(nil, 3, .snooze(.minutes(120)))),
    ("snooze 3", .look(nil, 3, .snooze)), ("snooze 3 off", .personal(nil, 3, .snooze(nil))),
    ("watch 3", .personal(nil, 3, .watch(true))),
    ("watch 3 off", .personal(nil, 3, .watch(false))),
    ("private 3 the blue one", .personal(nil, 3, .note("the blue one"))),
    ("private 3", .look(nil, 3, .privateNote)), ("private 3 off", .personal(nil, 3, .note(""))),
    ("private 3 \\off", .personal(nil, 3, .note("off"))),
    ("settings", .settings(.show)),
    ("settings soon 24h", .settings(.edit(Self.edit { $0.dueSoonHours = .set(24) }))),
    ("settings soon 2d", .settings(.edit(Self.edit { $0.dueSoonHours = .set(48) }))),
    ("settings soon default", .settings(.edit(Self.edit { $0.dueSoonHours = .clear }))),
    ("settings remind 1d 1h", .settings(.edit(Self.edit { $0.reminders = .set([60, 1_440]) }))),
    ("settings remind none", .settings(.edit(Self.edit { $0.reminders = .set([]) }))),
    ("settings due today", .settings(.edit(Self.edit { $0.defaultDue = .set(.today) }))),
    ("settings mute overdue", .settings(.edit(Self.edit { $0.muted = .set([.overdue]) }))),
    (
      "settings digest 18:00", .settings(.edit(Self.edit { $0.digest = .set(ClockTime("18:00")!) }))
    ),
    ("settings digest off", .settings(.edit(Self.edit { $0.digest = .clear }))),
    ("digest", .digest(.today)), ("digest yesterday", .digest(.yesterday)),
    ("digest 2026-11-21", .digest(.day(Day("2026-11-21")!))),
    ("score", .stats(nil, .week, .score)), ("score month", .stats(nil, .month, .score)),
    ("score #l today", .stats(Reference("#l"), .today, .score)),
    ("stats big house week", .stats(Reference("big house"), .week, .stats)),
    ("stats", .stats(nil, .week, .stats)), ("stats #l", .stats(Reference("#l"), .week, .stats)),
    ("settings mute default", .settings(.edit(Self.edit { $0.muted = .clear }))),
    ("privacy", .privacy), ("about", .privacy), ("pair", .way(.pair)),
    ("me upgrade @Lima", .way(.upgrade("lima"))),
    ("link", .way(.link(nil, days: 14))), ("link #l 3", .way(.link(Reference("#l"), days: 3))),
    ("links", .way(.links(nil))), ("unlink #l 2", .way(.unlink(2, from: Reference("#l")))),
    ("me upgrade lima 7KQ2-XW9D", .way(.upgrade("lima", code: "7KQ2-XW9D"))),
    ("sessions", .sessions), ("sessions close 2", .closeSession(2)), ("password", .password),
    ("unsent", .unsent(nil)), ("unsent 2 again", .unsent(.again(2))),
    ("unsent 1 drop", .unsent(.drop(1))), ("unsent 3 both", .unsent(.choose(3, .both))),
    ("recover", .recover), ("logout", .logout), ("quit", .quit), ("help", .help(nil)),
    ("help done", .help("done")), ("? done", .help("done")),
  ]

  static func edit(_ change: (inout SettingsEdit) -> Void) -> SettingsEdit {
    var edit = SettingsEdit()
    change(&edit)
    return edit
  }

  @Test("words become actions", arguments: rows)
  func parse(line: String, action: Action) {
    #expect(Input(command: line) == .action(action))
    #expect(Input(chat: "  /\(line) ") == .action(action))
  }

  @Test("who gets the words of a setting wrong is shown right ones")
  func hint() {
    guard case .wrong(let error) = Input(command: "settings soon 90m") else {
      Issue.record("understood")
      return
    }
    #expect(
      error.sentence(slash: true)
        == "usage: /settings [WORD VALUE…]: remind 1d 1h, soon 24h (whole hours, up to 30d), "
        + "due today, mute overdue, digest 18:00")
    for case .wrong(let other) in [Input(command: "rm")] {
      #expect(other.sentence(slash: false) == "usage: rm [#LIST] NUMBER… | #LIST…")
    }
  }

  static let wrong = [
    "copy", "copy #l as", "copy #l from x", "copy #l done from", "copy #l into",
    "filter save", "filter remove", "filter a b", "filter save x someday", "filter save x by name",
    "filter save x done by due", "archive 3", "unarchive", "done 3 #b", "done 3 #b x",
    "unsent 2", "unsent drop", "unsent 2 ours", "unsent 2 drop now",
    "due", "due fri", "due 3 someday", "due 3 fri 25:00", "priority 3 urgent", "priority",
    "where 3 geo:98.7,-9.1", "where 3 Rossio geo:38.7", "group new",
    "group remove", "group restore", "group rename home", "restore list", "restore list x",
    "priority 3 high now", "color mauve", "color 3 red red", "where",
    "done", "done milk", "done 0", "done -1", "done 12x", "done 9999999999", "done #l", "edit",
    "done 12.", "done 12.0", "done .3", "done 1.2.3", "done 12.#3", "step",
    "step 12.3 x", "move 12.3", "move 12.3 up", "move 12.3 before", "move 12.3 before x",
    "move 12.3 top 4",
    "edit milk", "note", "rm", "new", "invite", "invite @", "invite author home", "join",
    "invite code boss", "revoke code", "revoke code x",
    "invite author to",
    "accept all", "accept 1 2", "me", "open", "lists all", "quit now", "sessions close",
    "me shoe 12", "me invited friends", "block a b", "unblock", "unblock a b",
    "plan", "plan x", "plan 3 for", "plan 3 for 9x", "plan 3 for 25h", "remind 3 soon",
    "remind 3 5w", "snooze 3 x", "watch", "watch 3 on", "private", "me zone off", "assign 3 4",
    "settings soon 0h", "settings soon 90m", "settings soon 1h30", "settings soon 31d",
    "settings soon 24", "settings soon 24h now", "new #", "new # in home", "rename #l #",
    "copy #l as #",
    "settings mute reminder", "settings shoe 1", "settings remind 1d 2d 3d 4d 5d 6d",
    "me name off", "add", "revoke", "role author boss", "role author in",
    "add #groceries", "me upgrade", "me upgrade a b c", "link 367", "unlink",
  ].filter { $0 != "me" }

  @Test("words that do not fit are told with the usage", arguments: wrong)
  func usage(line: String) {
    guard case .wrong(let error) = Input(command: line) else {
      Issue.record("\(line) was understood as \(Input(command: line))")
      return
    }
    #expect(line.hasPrefix(error.command))
  }

  @Test(
    "A line that begins with / and is no command is never a post",
    arguments: ["/dnoe 1", "/", "/ add x", "//x"])
  func unknown(line: String) {
    guard case .unknown = Input(chat: line) else {
      Issue.record("\(Input(chat: line))")
      return
    }
  }

  static let plain: [(String, Input)] = [
    ("milk", .action(.quickAdd("milk"))),
    ("  milk  ", .action(.quickAdd("milk"))),
    ("#1 in town", .action(.quickAdd("#1 in town"))),
    ("done 3", .action(.quickAdd("done 3"))),
    ("'hello", .talk), (" 'hello", .talk), ("", .nothing), ("   ", .nothing),
  ]

  @Test("other lines add, talk, or nothing", arguments: plain)
  func plainLines(line: String, input: Input) {
    #expect(Input(chat: line) == input)
  }
}
