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

extension LedgerDriver {
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
    var driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let editor = try driver.person("editor")
    let list = try driver.category("list", by: author)
    try driver.bring(editor, "editor", to: .category(list), by: author)
    let post = try driver.due(in: list, by: author)
    try driver.remind(at: Timestamp(milliseconds: end(24).milliseconds - 2_000_000))
    #expect(try driver.told(author) == [], "due soon is muted")
    try driver.remind(at: end(24))
    #expect(try driver.told(author) == [Alarm(kind: .reminder, at: end(24))])
    // A server that has just started knows only what the store does.
    driver = LedgerDriver(pair.writer, from: 3)
    try driver.remind(at: end(0))
    let both = [Alarm(kind: .reminder, at: end(24)), Alarm(kind: .overdue, at: end(0))]
    #expect(try driver.told(author) == both)
    // The due goes there and back again.
    for due in [FieldChange.set(Due.day(day.adding(days: 9))), .set(.day(day))] {
      try driver.run(.editPost(list, post, PostEdit(due: due), ifVersion: nil), by: editor)
      try driver.remind(at: end(0))
    }
    #expect(try driver.told(author) == both)
    #expect(try driver.told(editor) == [])
    try driver.verify()
  }

  @Test("Only those whose work it is are told; who watches hears of what is nobody's")
  func whom() throws {
    let pair = try StorePair(.sqlite)
    let driver = LedgerDriver(pair.writer)
    let people = try ["author", "editor", "watcher"].map { try driver.person($0) }
    let list = try driver.category("list", by: people[0])
    for (person, name) in zip(people.dropFirst(), ["editor", "watcher"]) {
      try driver.bring(person, name, to: .category(list), by: people[0])
    }
    let given = try driver.due(in: list, by: people[0])
    let free = try driver.due(in: list, by: people[0])
    for post in [given, free] { try driver.say(.watch(true), post, in: list, by: people[2]) }
    try driver.run(.post(.change(list, given, .assign(people[1]))), by: people[0])
    try driver.remind(at: end(24))
    let one = [Alarm(kind: .reminder, at: end(24))]
    for person in people { #expect(try driver.told(person) == one) }
    // A person who has left is told nothing more.
    try driver.run(.member(.leave(.category(list))), by: people[1])
    try driver.remind(at: end(0))
    #expect(try driver.told(people[1]) == one)
    #expect(try driver.told(people[0]).suffix(2).map(\.kind) == [.overdue, .overdue])
    try driver.verify()
  }

  @Test("everything is looked at again when its moment comes", arguments: StoreKind.allCases)
  func rechecked(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let post = try driver.due(in: list, by: author)
    try driver.say(.remind(.at(end(30))), post, in: list, by: author)
    try driver.say(.remind(.before(minutes: 60)), post, in: list, by: author)
    try driver.look()
    // The post is done and open again before the first moment: reminders that come while it is done are not told.
    try driver.run(.completePost(list, post, ifVersion: nil), by: author)
    try driver.remind(at: end(30))
    try driver.run(.reopenPost(list, post, ifVersion: nil), by: author)
    try driver.remind(at: end(29))
    #expect(try driver.told(author) == [])
    // The snooze is over the reminder of a day before, until 20 hours before.
    try driver.say(.snooze(until: end(20)), post, in: list, by: author)
    try driver.remind(at: end(20))
    #expect(try driver.told(author) == [Alarm(kind: .snoozed, at: end(20))])
    try driver.remind(at: end(1))
    // The due becomes a later one: reminders of the old due do not come.
    let edit = PostEdit(due: .set(.day(day.adding(days: 1))))
    try driver.run(.editPost(list, post, edit, ifVersion: nil), by: author)
    try driver.remind(at: end(0))
    let said = [Alarm(kind: .snoozed, at: end(20)), Alarm(kind: .reminder, at: end(1))]
    #expect(try driver.told(author).prefix(2) == said[...])
    #expect(try driver.told(author).dropFirst(2).allSatisfy { $0.kind != .overdue })
    // Muted before it comes.
    var muted = SettingsEdit()
    muted.muted = .set([.overdue])
    muted.reminders = .set([])
    try driver.run(.account(.editSettings(muted)), by: author)
    let count = try driver.told(author).count
    try driver.remind(at: end(-24))
    #expect(try driver.told(author).dropFirst(count).map(\.kind) == [.reminder])
    try driver.verify()
  }

  @Test(
    "A reminder that waits is told, whatever is said or changed before",
    arguments: StoreKind.allCases)
  func waiting(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let post = try driver.due(in: list, by: author)
    try driver.say(.remind(.at(end(30))), post, in: list, by: author)
    try driver.look()
    // Nothing ran while both moments came: the first things that clients send then are what waited in their queues.
    driver.pass(to: end(23))
    try driver.say(.note("mine"), post, in: list, by: author)
    var settings = SettingsEdit()
    settings.defaultDue = .set(.today)
    try driver.run(.account(.editSettings(settings)), by: author)
    let edit = PostEdit(due: .set(.time(day, minute: 23 * 60, zone: "UTC")))
    try driver.run(.editPost(list, post, edit, ifVersion: nil), by: author)
    try driver.remind(at: end(22))
    #expect(try driver.told(author).first == Alarm(kind: .reminder, at: end(30)))
    try driver.remind(at: end(0))
    let all = try driver.told(author)
    #expect(all.last == Alarm(kind: .overdue, at: end(1)))
    #expect(Set(all).count == all.count)
    try driver.verify()
  }

  @Test(
    "An asked-for reminder of a post that was brought back is told, also without a due",
    arguments: StoreKind.allCases)
  func broughtBack(_ kind: StoreKind) throws {
    let pair = try StorePair(kind)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let post = try driver.post("post", in: list, by: author)
    for hours: Int64 in [30, 20, 10] {
      try driver.say(.remind(.at(end(hours))), post, in: list, by: author)
    }
    try driver.run(.completePost(list, post, ifVersion: nil), by: author)
    try driver.remind(at: end(30))
    try driver.run(.reopenPost(list, post, ifVersion: nil), by: author)
    try driver.remind(at: end(20))
    let first = [Alarm(kind: .reminder, at: end(20))]
    #expect(try driver.told(author) == first)
    try driver.run(.category(.archive(list)), by: author)
    try driver.run(.category(.unarchive(list)), by: author)
    try driver.run(.category(.remove(list)), by: author)
    try driver.remind(at: end(11))
    try driver.run(.category(.restore(list)), by: author)
    try driver.remind(at: end(10))
    #expect(try driver.told(author) == first + [Alarm(kind: .reminder, at: end(10))])
    try driver.verify()
  }

  @Test("nothing is told of an archived list")
  func archived() throws {
    let pair = try StorePair(.sqlite)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let post = try driver.due(in: list, by: author)
    try driver.say(.remind(.at(end(30))), post, in: list, by: author)
    try driver.run(.category(.archive(list)), by: author)
    try driver.remind(at: end(-24))
    #expect(try driver.told(author) == [])
    try driver.verify()
  }

  @Test("who comes back is told of what they added, and nobody of another's work")
  func cameBack() throws {
    let pair = try StorePair(.sqlite)
    let driver = LedgerDriver(pair.writer)
    let people = try ["author", "editor"].map { try driver.person($0) }
    let list = try driver.category("list", by: people[0])
    try driver.bring(people[1], "editor", to: .category(list), by: people[0])
    _ = try driver.due(in: list, by: people[1])
    try driver.look()
    try driver.run(.member(.leave(.category(list))), by: people[1])
    try driver.remind(at: end(24))
    #expect(try driver.told(people[1]) == [])
    try driver.bring(people[1], "editor", to: .category(list), by: people[0])
    try driver.remind(at: end(0))
    #expect(try driver.told(people[1]) == [Alarm(kind: .overdue, at: end(0))])
    #expect(try driver.told(people[0]) == [])
    try driver.verify()
  }

  @Test("who comes for the first time is told of theirs that came there before them")
  func came() throws {
    let pair = try StorePair(.sqlite)
    let driver = LedgerDriver(pair.writer)
    let people = try ["author", "editor"].map { try driver.person($0) }
    let (here, there) = (
      try driver.category("here", by: people[0]), try driver.category("there", by: people[0])
    )
    try driver.bring(people[1], "editor", to: .category(here), by: people[0])
    let post = try driver.due(in: here, by: people[1])
    try driver.run(.movePost(here, post, to: there), by: people[0])
    try driver.remind(at: end(24))
    #expect(try driver.told(people[1]) == [], "who is not there")
    try driver.bring(people[1], "editor", to: .category(there), by: people[0])
    try driver.remind(at: end(0))
    #expect(try driver.told(people[1]) == [Alarm(kind: .overdue, at: end(0))])
    try driver.verify()
  }

  @Test("many notes are worked off together")
  func together() throws {
    let pair = try StorePair(.sqlite)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    for _ in 0..<30 { _ = try driver.due(in: list, by: author) }
    #expect(try driver.store.reminderChecks(limit: 200, butAbout: []).count == 30)
    #expect(try driver.store.reminderChecks(limit: 7, butAbout: []).count == 7)
    try driver.look()
    try driver.remind(at: end(24))
    #expect(try driver.told(author).count == 30)
    try driver.verify()
  }

  @Test("Private notes go along with a post to where one may see it, and end where not")
  func moved() throws {
    let pair = try StorePair(.sqlite)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let editor = try driver.person("editor")
    let list = try driver.category("list", by: author)
    let other = try driver.category("other", by: author)
    try driver.bring(editor, "editor", to: .category(list), by: author)
    let post = try driver.due(in: list, by: author)
    for person in [author, editor] {
      try driver.say(.note("mine"), post, in: list, by: person)
      try driver.say(.remind(.before(minutes: 60)), post, in: list, by: person)
    }
    try driver.look()
    try driver.run(.movePost(list, post, to: other), by: author)
    try driver.look(limit: 1)
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
    try driver.remind(at: end(1))
    #expect(try driver.told(author).last == Alarm(kind: .reminder, at: end(1)))
    #expect(try driver.told(editor) == [])
    try driver.verify()
  }

  @Test("a due of a thousand people leaves one note, and is worked off in parts")
  func many() throws {
    let pair = try StorePair(.memory)
    let driver = LedgerDriver(pair.writer)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let post = try driver.due(in: list, by: author)
    var watchers: [UserID] = []
    for index in 0..<30 {
      let person = try driver.person("person-\(index)")
      try driver.bring(person, "person-\(index)", to: .category(list), by: author)
      try driver.say(.watch(true), post, in: list, by: person)
      watchers.append(person)
    }
    try driver.look()
    let edit = PostEdit(due: .set(.day(day.adding(days: 1))))
    let work = try driver.work(.editPost(list, post, edit, ifVersion: nil), by: author)
    let staged = try driver.staged([work])
    #expect(staged.reminders.isEmpty && staged.reminderChecks.count == 1)
    try driver.remind(at: end(24), limit: 7)
    for person in watchers { #expect(try driver.told(person).count == 1) }
  }

  @Test(
    "a store that fails at any call leaves a reminder untold or told",
    arguments: FaultyStore.Fault.allCases, StoreKind.allCases)
  func faults(_ fault: FaultyStore.Fault, _ kind: StoreKind) throws {
    for call in 1..<40 {
      let pair = try StorePair(kind)
      let driver = LedgerDriver(pair.writer)
      let author = try driver.person("author")
      let list = try driver.category("list", by: author)
      _ = try driver.due(in: list, by: author)
      let store = FaultyStore(pair.writer, failing: call, with: fault)
      let failing = LedgerDriver(store, from: 7)
      do { try failing.remind(at: end(24)) } catch { #expect(error is StoreError) }
      try failing.remind(at: end(24))
      try LedgerDriver(pair.writer, from: 9).remind(at: end(24))
      #expect(try driver.told(author) == [Alarm(kind: .reminder, at: end(24))], "call \(call)")
      guard store.hasFailed else { return }
    }
    Issue.record("the fault came every time")
  }
}
