import Domain
import Sync
import Testing
import Wire

@testable import Store

private let day = Day(number: 20_781)

/// Returns the moment so many hours before the end of that day in UTC.
private func end(_ hours: Int64) -> Timestamp {
  Timestamp(milliseconds: Int64(day.number + 1) * 86_400_000 - hours * 3_600_000)
}

extension Desk {
  fileprivate func due(in list: CategoryID, by user: UserID) throws -> PostID {
    let post = try post("post", in: list, by: user)
    let edit = PostEdit(due: .set(.day(day)))
    try run(.editPost(list, post, edit, ifVersion: nil), by: user)
    return post
  }

  fileprivate func say(
    _ change: PersonalChange, _ post: PostID, in list: CategoryID, by user: UserID
  ) throws {
    try run(.changePersonal(list, post, change), by: user)
  }

  fileprivate func verify() throws {
    if let store = store as? SQLiteStore { #expect(try store.verify().differences == []) }
  }
}

@Suite("protocol §5.10: reminders in a store")
struct ReminderTests {
  @Test(
    "who added a post is reminded of it a day before, and that it is overdue, each once",
    arguments: StoreKind.allCases)
  func once(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    var desk = Desk(pair.writer)
    let author = try desk.person("author")
    let editor = try desk.person("editor")
    let list = try desk.category("list", by: author)
    try desk.bring(editor, "editor", to: .category(list), by: author)
    let post = try desk.due(in: list, by: author)
    try desk.remind(at: Timestamp(milliseconds: end(24).milliseconds - 2_000_000))
    #expect(try desk.told(author) == [], "due soon is muted")
    try desk.remind(at: end(24))
    #expect(try desk.told(author) == [Alarm(kind: .reminder, at: end(24))])
    // A server that has just started knows only what the store does.
    desk = Desk(pair.writer, from: 3)
    try desk.remind(at: end(0))
    let both = [Alarm(kind: .reminder, at: end(24)), Alarm(kind: .overdue, at: end(0))]
    #expect(try desk.told(author) == both)
    // The due goes there and back again.
    for due in [FieldChange.set(Due.day(day.adding(days: 9))), .set(.day(day))] {
      try desk.run(.editPost(list, post, PostEdit(due: due), ifVersion: nil), by: editor)
      try desk.remind(at: end(0))
    }
    #expect(try desk.told(author) == both)
    #expect(try desk.told(editor) == [])
    try desk.verify()
  }

  @Test("Only those whose work it is are told; who watches hears of what is nobody's")
  func whom() throws {
    let pair = try StorePair(.sqlite)
    let desk = Desk(pair.writer)
    let people = try ["author", "editor", "watcher"].map { try desk.person($0) }
    let list = try desk.category("list", by: people[0])
    for (person, name) in zip(people.dropFirst(), ["editor", "watcher"]) {
      try desk.bring(person, name, to: .category(list), by: people[0])
    }
    let given = try desk.due(in: list, by: people[0])
    let free = try desk.due(in: list, by: people[0])
    for post in [given, free] { try desk.say(.watch(true), post, in: list, by: people[2]) }
    try desk.run(.post(.change(list, given, .assign(people[1]))), by: people[0])
    try desk.remind(at: end(24))
    let one = [Alarm(kind: .reminder, at: end(24))]
    for person in people { #expect(try desk.told(person) == one) }
    // A person who has left is told nothing more.
    try desk.run(.member(.leave(.category(list))), by: people[1])
    try desk.remind(at: end(0))
    #expect(try desk.told(people[1]) == one)
    #expect(try desk.told(people[0]).suffix(2).map(\.kind) == [.overdue, .overdue])
    try desk.verify()
  }

  @Test("everything is looked at again when its moment comes", arguments: StoreKind.allCases)
  func rechecked(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let desk = Desk(pair.writer)
    let author = try desk.person("author")
    let list = try desk.category("list", by: author)
    let post = try desk.due(in: list, by: author)
    try desk.say(.remind(.at(end(30))), post, in: list, by: author)
    try desk.say(.remind(.before(minutes: 60)), post, in: list, by: author)
    try desk.look()
    // The post is done and open again before the first moment: reminders that come while it is done are not told.
    try desk.run(.completePost(list, post, ifVersion: nil), by: author)
    try desk.remind(at: end(30))
    try desk.run(.reopenPost(list, post, ifVersion: nil), by: author)
    try desk.remind(at: end(29))
    #expect(try desk.told(author) == [])
    // The snooze is over the reminder of a day before, until 20 hours before.
    try desk.say(.snooze(until: end(20)), post, in: list, by: author)
    try desk.remind(at: end(20))
    #expect(try desk.told(author) == [Alarm(kind: .snoozed, at: end(20))])
    try desk.remind(at: end(1))
    // The due becomes a later one: reminders of the old due do not come.
    let edit = PostEdit(due: .set(.day(day.adding(days: 1))))
    try desk.run(.editPost(list, post, edit, ifVersion: nil), by: author)
    try desk.remind(at: end(0))
    let said = [Alarm(kind: .snoozed, at: end(20)), Alarm(kind: .reminder, at: end(1))]
    #expect(try desk.told(author).prefix(2) == said[...])
    #expect(try desk.told(author).dropFirst(2).allSatisfy { $0.kind != .overdue })
    // Muted before it comes.
    var muted = SettingsEdit()
    muted.muted = .set([.overdue])
    muted.reminders = .set([])
    try desk.run(.account(.editSettings(muted)), by: author)
    let count = try desk.told(author).count
    try desk.remind(at: end(-24))
    #expect(try desk.told(author).dropFirst(count).map(\.kind) == [.reminder])
    try desk.verify()
  }

  @Test(
    "A reminder that waits is told, whatever is said or changed before",
    arguments: StoreKind.allCases)
  func waiting(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let desk = Desk(pair.writer)
    let author = try desk.person("author")
    let list = try desk.category("list", by: author)
    let post = try desk.due(in: list, by: author)
    try desk.say(.remind(.at(end(30))), post, in: list, by: author)
    try desk.look()
    // Nothing ran while both moments came: the first things that clients send then are what waited in their queues.
    desk.pass(to: end(23))
    try desk.say(.note("mine"), post, in: list, by: author)
    var settings = SettingsEdit()
    settings.defaultDue = .set(.today)
    try desk.run(.account(.editSettings(settings)), by: author)
    let edit = PostEdit(due: .set(.time(day, minute: 23 * 60, zone: "UTC")))
    try desk.run(.editPost(list, post, edit, ifVersion: nil), by: author)
    try desk.remind(at: end(22))
    #expect(try desk.told(author).first == Alarm(kind: .reminder, at: end(30)))
    try desk.remind(at: end(0))
    let all = try desk.told(author)
    #expect(all.last == Alarm(kind: .overdue, at: end(1)))
    #expect(Set(all).count == all.count)
    try desk.verify()
  }

  @Test(
    "An asked-for reminder of a post that was brought back is told, also without a due",
    arguments: StoreKind.allCases)
  func broughtBack(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let desk = Desk(pair.writer)
    let author = try desk.person("author")
    let list = try desk.category("list", by: author)
    let post = try desk.post("post", in: list, by: author)
    for hours: Int64 in [30, 20, 10] {
      try desk.say(.remind(.at(end(hours))), post, in: list, by: author)
    }
    try desk.run(.completePost(list, post, ifVersion: nil), by: author)
    try desk.remind(at: end(30))
    try desk.run(.reopenPost(list, post, ifVersion: nil), by: author)
    try desk.remind(at: end(20))
    let first = [Alarm(kind: .reminder, at: end(20))]
    #expect(try desk.told(author) == first)
    try desk.run(.category(.archive(list)), by: author)
    try desk.run(.category(.unarchive(list)), by: author)
    try desk.run(.category(.remove(list)), by: author)
    try desk.remind(at: end(11))
    try desk.run(.category(.restore(list)), by: author)
    try desk.remind(at: end(10))
    #expect(try desk.told(author) == first + [Alarm(kind: .reminder, at: end(10))])
    try desk.verify()
  }

  @Test("nothing is told of an archived list")
  func archived() throws {
    let pair = try StorePair(.sqlite)
    let desk = Desk(pair.writer)
    let author = try desk.person("author")
    let list = try desk.category("list", by: author)
    let post = try desk.due(in: list, by: author)
    try desk.say(.remind(.at(end(30))), post, in: list, by: author)
    try desk.run(.category(.archive(list)), by: author)
    try desk.remind(at: end(-24))
    #expect(try desk.told(author) == [])
    try desk.verify()
  }

  @Test("who comes back is told of what they added, and nobody of another's work")
  func cameBack() throws {
    let pair = try StorePair(.sqlite)
    let desk = Desk(pair.writer)
    let people = try ["author", "editor"].map { try desk.person($0) }
    let list = try desk.category("list", by: people[0])
    try desk.bring(people[1], "editor", to: .category(list), by: people[0])
    _ = try desk.due(in: list, by: people[1])
    try desk.look()
    try desk.run(.member(.leave(.category(list))), by: people[1])
    try desk.remind(at: end(24))
    #expect(try desk.told(people[1]) == [])
    try desk.bring(people[1], "editor", to: .category(list), by: people[0])
    try desk.remind(at: end(0))
    #expect(try desk.told(people[1]) == [Alarm(kind: .overdue, at: end(0))])
    #expect(try desk.told(people[0]) == [])
    try desk.verify()
  }

  @Test("who comes for the first time is told of theirs that came there before them")
  func came() throws {
    let pair = try StorePair(.sqlite)
    let desk = Desk(pair.writer)
    let people = try ["author", "editor"].map { try desk.person($0) }
    let (here, there) = (
      try desk.category("here", by: people[0]), try desk.category("there", by: people[0])
    )
    try desk.bring(people[1], "editor", to: .category(here), by: people[0])
    let post = try desk.due(in: here, by: people[1])
    try desk.run(.movePost(here, post, to: there), by: people[0])
    try desk.remind(at: end(24))
    #expect(try desk.told(people[1]) == [], "who is not there")
    try desk.bring(people[1], "editor", to: .category(there), by: people[0])
    try desk.remind(at: end(0))
    #expect(try desk.told(people[1]) == [Alarm(kind: .overdue, at: end(0))])
    try desk.verify()
  }

  @Test("many notes are worked off together")
  func together() throws {
    let pair = try StorePair(.sqlite)
    let desk = Desk(pair.writer)
    let author = try desk.person("author")
    let list = try desk.category("list", by: author)
    for _ in 0..<30 { _ = try desk.due(in: list, by: author) }
    #expect(try desk.store.reminderChecks(limit: 200, butAbout: []).count == 30)
    #expect(try desk.store.reminderChecks(limit: 7, butAbout: []).count == 7)
    try desk.look()
    try desk.remind(at: end(24))
    #expect(try desk.told(author).count == 30)
    try desk.verify()
  }

  @Test("Private notes go along with a post to where one may see it, and end where not")
  func moved() throws {
    let pair = try StorePair(.sqlite)
    let desk = Desk(pair.writer)
    let author = try desk.person("author")
    let editor = try desk.person("editor")
    let list = try desk.category("list", by: author)
    let other = try desk.category("other", by: author)
    try desk.bring(editor, "editor", to: .category(list), by: author)
    let post = try desk.due(in: list, by: author)
    for person in [author, editor] {
      try desk.say(.note("mine"), post, in: list, by: person)
      try desk.say(.remind(.before(minutes: 60)), post, in: list, by: person)
    }
    try desk.look()
    try desk.run(.movePost(list, post, to: other), by: author)
    try desk.look(limit: 1)
    let there = PostAddress(category: other, post: post)
    let kept = try pair.reader.objects(.personal, in: .user(author)).map {
      try ObjectCodec.decode($0)
    }
    guard case .personal(let it)? = kept.first, kept.count == 1 else {
      Issue.record("\(kept)")
      return
    }
    #expect(it.address == there && it.note == "mine" && it.reminders == [.before(minutes: 60)])
    #expect(try pair.reader.objects(.personal, in: .user(editor)) == [])
    try desk.remind(at: end(1))
    #expect(try desk.told(author).last == Alarm(kind: .reminder, at: end(1)))
    #expect(try desk.told(editor) == [])
    try desk.verify()
  }

  @Test("a due of a thousand people leaves one note, and is worked off in parts")
  func many() throws {
    let pair = try StorePair(.memory)
    let desk = Desk(pair.writer)
    let author = try desk.person("author")
    let list = try desk.category("list", by: author)
    let post = try desk.due(in: list, by: author)
    var watchers: [UserID] = []
    for index in 0..<30 {
      let person = try desk.person("person-\(index)")
      try desk.bring(person, "person-\(index)", to: .category(list), by: author)
      try desk.say(.watch(true), post, in: list, by: person)
      watchers.append(person)
    }
    try desk.look()
    let edit = PostEdit(due: .set(.day(day.adding(days: 1))))
    let work = try desk.work(.editPost(list, post, edit, ifVersion: nil), by: author)
    let staged = try desk.staged([work])
    #expect(staged.reminders.isEmpty && staged.reminderChecks.count == 1)
    try desk.remind(at: end(24), limit: 7)
    for person in watchers { #expect(try desk.told(person).count == 1) }
  }

  @Test(
    "a store that fails at any call leaves a reminder untold or told",
    arguments: FaultyStore.Fault.allCases, StoreKind.allCases)
  func faults(_ fault: FaultyStore.Fault, _ kind: StoreKind) throws {
    for call in 1..<40 {
      let pair = try StorePair(kind)
      let desk = Desk(pair.writer)
      let author = try desk.person("author")
      let list = try desk.category("list", by: author)
      _ = try desk.due(in: list, by: author)
      let store = FaultyStore(pair.writer, failing: call, with: fault)
      let failing = Desk(store, from: 7)
      do { try failing.remind(at: end(24)) } catch { #expect(error is StoreError) }
      try failing.remind(at: end(24))
      try Desk(pair.writer, from: 9).remind(at: end(24))
      #expect(try desk.told(author) == [Alarm(kind: .reminder, at: end(24))], "call \(call)")
      guard store.hasFailed else { return }
    }
    Issue.record("the fault came every time")
  }
}
