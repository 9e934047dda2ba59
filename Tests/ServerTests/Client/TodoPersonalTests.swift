import Domain
import Foundation
import Net
import Sync
import Testing
import Wire
@testable import Client

@Suite("library: the personal part of a post is the account's own")
struct TodoPersonalTests {
  /// A fixture of a person who has just signed in.
  private struct PersonalFixture {
    let server: TestServer
    let folder = Folder()
    let todo: Todo

    init() throws {
      server = try TestServer()
      try folder.signIn("author", at: server)
      todo = try Todo(state: folder.path, program: "test", keeping: .queue)
      try todo.waitUntilLevel()
    }
  }

  @Test("it is kept, told, and taken back")
  func personal() throws {
    let fixture = try PersonalFixture()
    let todo = fixture.todo
    defer { todo.close() }
    try todo.addList("home").wait()
    let list = try #require(todo.list(named: "home"))
    let added = try todo.add("call", to: list)
    try added.wait()
    let post = try #require(added.post)
    #expect(todo.personal(post, in: list) == nil)
    let later = Int64(Date().timeIntervalSince1970 * 1_000) + 3_600_000
    try todo.remind(at: later, of: post, in: list).wait()
    try todo.remind(minutesBefore: 60, of: post, in: list).wait()
    try todo.snooze(until: later + 1, post, in: list).wait()
    try todo.note("two\nlines", on: post, in: list).wait()
    try todo.watch(true, post, in: list).wait()
    let time = TodoDue(time: "2031-11-24T18:00", zone: "Europe/Lisbon")
    try todo.plan(time, minutes: 50, of: post, in: list).wait()
    let said = try #require(todo.personal(post, in: list))
    #expect(said.remindersAt == [later] && said.remindersBefore == [60])
    #expect(said.snoozedUntil == later + 1 && said.note == "two\nlines" && said.watches)
    #expect(said.plan == time && said.minutes == 50)
    try todo.forgetReminders(of: post, in: list)
    try todo.snooze(until: nil, post, in: list).wait()
    try todo.note("", on: post, in: list).wait()
    try todo.plan(nil, of: post, in: list).wait()
    try todo.watch(false, post, in: list).wait()
    #expect(todo.personal(post, in: list) == nil)
    let error = #expect(throws: TodoError.self) {
      try todo.plan(TodoDue(day: "2031-11-24"), of: post, in: list)
    }
    #expect(error?.kind == "invalid")
    // One whose moment has come is told, and then it is not asked for any more.
    try todo.remind(at: later - 7_200_000, of: post, in: list).wait()
    let deadline = Date(timeIntervalSinceNow: 20)
    while todo.personal(post, in: list) != nil {
      _ = todo.client.waitForNews(milliseconds: 100)
      try #require(Date() < deadline, "it is not told")
    }
  }

  @Test("The library tells what happened on a day")
  func digest() throws {
    let fixture = try PersonalFixture()
    let todo = fixture.todo
    defer { todo.close() }
    let first = Date()
    try todo.addList("home").wait()
    try todo.add("call", to: try #require(todo.list(named: "home"))).wait()
    // A midnight may have come in between.
    let days = Set([first, Date()].map { ISO8601DateFormatter().string(from: $0).prefix(10) })
    let found = try days.map { try todo.waitForDigest(of: String($0)) }
    let lists = found.flatMap(\.lists).filter { $0.name == "home" }
    #expect(lists.map(\.mine.added) == [1] && lists.map(\.total.added) == [1])
    #expect(found.map(\.of).max() == 1 && lists.allSatisfy(\.people.isEmpty))
    let error = #expect(throws: TodoError.self) { try todo.waitForDigest(of: "yesterday") }
    #expect(error?.kind == "invalid")
  }

  @Test("who has completed how much is told")
  func stats() throws {
    let fixture = try PersonalFixture()
    let todo = fixture.todo
    defer { todo.close() }
    try todo.addList("home").wait()
    let list = try #require(todo.list(named: "home"))
    try todo.add("call", to: list).wait()
    let now = Date()
    let days = [-86_400, 86_400].map {
      ISO8601DateFormatter().string(from: now.addingTimeInterval($0)).prefix(10)
    }
    let found = try todo.waitForStats(of: list, from: String(days[0]), to: String(days[1]))
    #expect(found.added == 1 && found.completed == 0 && found.punctuality == nil && !found.more)
    #expect(found.people.map(\.added) == [1] && found.days.isEmpty)
    let error = #expect(throws: TodoError.self) {
      try todo.waitForStats(of: list, from: "soon", to: "later")
    }
    #expect(error?.kind == "invalid")
  }

  @Test("The library tells what one has completed in all lists, and how much on the best day")
  func ownStats() throws {
    let fixture = try PersonalFixture()
    let todo = fixture.todo
    defer { todo.close() }
    let now = Date()
    func day(_ days: Double) -> String {
      let moment = now.addingTimeInterval(days * 86_400)
      return String(ISO8601DateFormatter().string(from: moment).prefix(10))
    }
    let (first, last) = (day(-1), day(1))
    #expect(try todo.waitForMyStats(from: first, to: last).people.isEmpty)
    for name in ["home", "work"] {
      try todo.addList(name).wait()
      let list = try #require(todo.list(named: name))
      let added = try todo.add("call", to: list)
      try added.wait()
      try todo.complete(try #require(added.post), in: list).wait()
    }
    let found = try todo.waitForMyStats(from: first, to: last)
    let person = try #require(found.people.first)
    #expect(found.added == 2 && found.completed == 2 && found.people.count == 1)
    #expect(person.places == [] && person.steps == 0 && person.amounts == [])
    // A midnight may have come in between.
    #expect(person.record?.completed == found.days.map(\.completed).max())
    let ten = try todo.waitForMyStats(from: day(-3_658), to: last)
    #expect(ten.added == nil && ten.completed == 2 && ten.people.first?.added == nil)
    let error = #expect(throws: TodoError.self) {
      try todo.waitForMyStats(from: day(-3_659), to: last)
    }
    #expect(error?.kind == "invalid")
  }

  @Test("The library tells what each list comes to")
  func badges() throws {
    let fixture = try PersonalFixture()
    let todo = fixture.todo
    defer { todo.close() }
    for name in ["home", "work"] { try todo.addList(name).wait() }
    let home = try #require(todo.list(named: "home"))
    for title in ["call", "write", "read"] { try todo.add(title, to: home).wait() }
    let posts = todo.openPosts(in: home)
    try todo.complete(posts[0].id, in: home).wait()
    let me = try #require(todo.people(in: home).first)
    try todo.setAssigned(me, of: posts[1].id, in: home).wait()
    let badges = try todo.waitForBadges().sorted { $0.name < $1.name }
    #expect(badges.map(\.name) == ["home", "work"] && badges.map(\.id).first == home.id)
    #expect(badges.map(\.open) == [2, 0] && badges.map(\.done) == [1, 0])
    #expect(badges.map(\.overdue) == [0, 0] && badges.map(\.role) == ["owner", "owner"])
    let one = TodoBadge.Count(count: 1, more: false)
    let none = TodoBadge.Count(count: 0, more: false)
    #expect(badges.map(\.mine) == [one, none] && badges.map(\.unread) == [none, none])
    #expect(badges.allSatisfy { !$0.isGroup && $0.group == nil && !$0.isArchived })
  }
}
