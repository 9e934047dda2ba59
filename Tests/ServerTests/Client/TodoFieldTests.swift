import Domain
import Foundation
import Net
import Sync
import Testing
import Wire
@testable import Client

@Suite("library: a post has fields and a place")
struct TodoFieldTests {
  private struct Bench {
    let server: TestServer
    let folder: Folder
    let todo: Todo
    let list: TodoList

    init() throws {
      server = try TestServer()
      folder = Folder()
      try folder.signIn("author", at: server)
      todo = try Todo(state: folder.path, program: "test", keeping: .queue)
      try todo.waitUntilLevel()
      try todo.addList("home").wait()
      list = try #require(todo.list(named: "home"))
    }

    func add(_ title: String) throws -> TodoPost.ID {
      let receipt = try todo.add(title, to: list)
      try receipt.wait()
      return try #require(receipt.post)
    }

    func post(_ id: TodoPost.ID) throws -> TodoPost {
      try #require(todo.posts(in: list).first { $0.id == id })
    }
  }

  @Test("steps are added, moved and finished, and with the last the post is done")
  func steps() throws {
    let it = try Bench()
    defer { it.todo.close() }
    let post = try it.add("trip")
    let bag = try it.todo.addStep("bag", to: post, in: it.list)
    let map = try it.todo.addStep("map", to: post, in: it.list)
    #expect(try it.post(post).steps.map(\.text) == ["bag", "map"], "before any answer")
    try bag.receipt.wait()
    try map.receipt.wait()
    try it.todo.rename(map.step, to: "maps", of: post, in: it.list).wait()
    try it.todo.move(map.step, before: bag.step, of: post, in: it.list).wait()
    try it.todo.complete(bag.step, of: post, in: it.list).wait()
    #expect(try it.post(post).steps.map(\.text) == ["maps", "bag"])
    #expect(try it.post(post).steps.map(\.isDone) == [false, true])
    #expect(try !it.post(post).isDone)
    try it.todo.complete(map.step, of: post, in: it.list).wait()
    #expect(try it.post(post).isDone)
    try it.todo.reopen(map.step, of: post, in: it.list).wait()
    try it.todo.remove(map.step, of: post, in: it.list).wait()
    #expect(try it.post(post).steps.map(\.id) == [bag.step] && !it.post(post).isDone)
  }

  @Test("tags are the list's; posts have them")
  func tags() throws {
    let it = try Bench()
    defer { it.todo.close() }
    let post = try it.add("milk")
    try it.todo.addTag("shop", to: it.list).wait()
    let tag = try #require(it.todo.tags(in: it.list).first)
    try it.todo.setTag(tag, on: post, in: it.list).wait()
    #expect(try it.post(post).tags == [tag.id])
    try it.todo.rename(tag, to: "shops", in: it.list).wait()
    #expect(it.todo.tags(in: it.list).map(\.name) == ["shops"])
    let error = #expect(throws: TodoError.self) {
      try it.todo.addTag("SHOPS", to: it.list).wait()
    }
    #expect(error?.kind == "exists")
    let page = try it.todo.waitForPosts(with { $0.tag = tag })
    #expect(page.lines.map(\.post.id) == [post] && page.isLast)
    try it.todo.setTag(tag, false, on: post, in: it.list).wait()
    try it.todo.remove(tag, in: it.list).wait()
    #expect(try it.post(post).tags == [] && it.todo.tags(in: it.list).isEmpty)
  }

  @Test("posts have an order, go to another list, and are copied")
  func places() throws {
    let it = try Bench()
    defer { it.todo.close() }
    let posts = try ["one", "two", "three"].map { try it.add($0) }
    func order() -> [String] { it.todo.openPosts(in: it.list).map(\.title) }
    #expect(order() == ["one", "two", "three"])
    try it.todo.move(posts[2], before: posts[0], in: it.list)?.wait()
    #expect(order() == ["three", "one", "two"])
    try it.todo.move(posts[2], before: nil, in: it.list)?.wait()
    #expect(order() == ["one", "two", "three"])
    #expect(try it.todo.move(posts[1], before: posts[1], in: it.list) == nil)
    try it.todo.addList("work").wait()
    let work = try #require(it.todo.list(named: "work"))
    try it.todo.move(posts[0], from: it.list, to: work).wait()
    #expect(order() == ["two", "three"])
    #expect(it.todo.posts(in: work).map(\.id) == [posts[0]])
    let copied = try it.todo.copy(posts[1], from: it.list, to: work)
    #expect(try copied.wait().number == 2)
    let copy = try #require(it.todo.posts(in: work).last)
    #expect(copy.id == copied.post && copy.title == "two")
  }

  @Test("lists have an order of one's own")
  func lists() throws {
    let it = try Bench()
    defer { it.todo.close() }
    for name in ["work", "chores"] { try it.todo.addList(name).wait() }
    let all = it.todo.lists
    #expect(all.map(\.name) == [it.list.name, "work", "chores"])
    try it.todo.move(all[2], before: all[0]).wait()
    #expect(it.todo.lists.map(\.name) == ["chores", it.list.name, "work"])
    try it.todo.move(all[0], before: nil).wait()
    #expect(it.todo.lists.map(\.name) == ["chores", "work", it.list.name])
    #expect(try it.todo.move(all[0], before: nil).wait().changed == false)
  }

  @Test("a post comes again, in turn, until it does not")
  func repeating() throws {
    let it = try Bench()
    defer { it.todo.close() }
    let post = try it.add("plants")
    #expect(TodoRecurrence("FREQ=HOURLY") == nil)
    let weekly = try #require(
      TodoRecurrence("freq=weekly", keepsMissed: true, rotation: .turn, isConfirmed: true))
    let error = #expect(throws: TodoError.self) {
      try it.todo.setRecurrence(weekly, of: post, in: it.list).wait()
    }
    #expect(error?.kind == "invalid", "it is never due")
    try it.todo.setRecurrence(weekly, from: TodoDue(day: "2026-11-24"), of: post, in: it.list)
      .wait()
    let person = try #require(it.todo.people(in: it.list).first)
    try it.todo.setAssigned(person, of: post, in: it.list).wait()
    #expect(it.todo.assignees(of: post, in: it.list) == [person])
    #expect(it.todo.turn(of: post, in: it.list) == person)
    let first = try #require(try it.post(post).recurrence)
    #expect(first.rule == "FREQ=WEEKLY" && first.keepsMissed && !first.isFromCompletion)
    #expect(first.rotation == .turn && first.isConfirmed)
    #expect(try !it.post(post).isSubmitted)
    try it.todo.complete(post, in: it.list).wait()
    try #require(try it.todo.skip(post, in: it.list)).wait()
    let third = try it.post(post)
    #expect(third.due == TodoDue(day: "2026-12-08") && !third.isDone)
    #expect(third.recurrence?.occurrence == first.occurrence.map { $0 + 2 })
    // The same again is no other wish.
    #expect(try !it.todo.setRecurrence(third.recurrence, of: post, in: it.list).wait().changed)
    try it.todo.setAssigned(person, false, of: post, in: it.list).wait()
    #expect(it.todo.turn(of: post, in: it.list) == nil)
    try it.todo.setRecurrence(nil, of: post, in: it.list).wait()
    #expect(try it.post(post).recurrence == nil)
    #expect(try it.todo.skip(post, in: it.list) == nil)
  }

  @Test("the last occurrence is taken back, as it was due")
  func takingBack() throws {
    let it = try Bench()
    defer { it.todo.close() }
    let post = try it.add("plants")
    #expect(try it.todo.waitToTakeBack(post, in: it.list) == nil, "it does not come again")
    let due = TodoDue(day: "2026-11-24")
    try it.todo.setRecurrence(TodoRecurrence("FREQ=WEEKLY"), from: due, of: post, in: it.list)
      .wait()
    #expect(try it.todo.waitToTakeBack(post, in: it.list) == nil, "none was completed")
    let first = try it.post(post)
    try it.todo.complete(post, in: it.list).wait()
    #expect(try it.post(post).due != due)
    try #require(try it.todo.waitToTakeBack(post, in: it.list)).wait()
    #expect(try it.post(post).due == due)
    #expect(try it.post(post).recurrence?.occurrence == first.recurrence?.occurrence)
  }

  private func with(_ change: (inout TodoWish) -> Void) -> TodoWish {
    var wish = TodoWish()
    change(&wish)
    return wish
  }

  @Test("posts are found by what they are, page by page")
  func views() throws {
    let it = try Bench()
    defer { it.todo.close() }
    let posts = try (0..<60).map { try it.add("post \($0)") }
    try it.todo.setDue(TodoDue(day: "2026-11-24"), of: posts[7], in: it.list).wait()
    try it.todo.setPriority(.high, of: posts[9], in: it.list).wait()
    try it.todo.complete(posts[3], in: it.list).wait()
    let all = with { $0.isMine = true }
    let first = try it.todo.waitForPosts(all)
    let second = try it.todo.waitForPosts(all, after: first)
    #expect(!first.isLast && second.isLast)
    #expect(Set((first.lines + second.lines).map(\.post.id)) == Set(posts).subtracting([posts[3]]))
    #expect(first.lines.allSatisfy { $0.list == it.list.id })
    let rows: [(TodoWish, [TodoPost.ID])] = [
      (with { $0.state = .done }, [posts[3]]),
      (with { $0.priority = .medium }, [posts[9]]),
      (with { $0.firstDay = "2026-11-24" }, [posts[7]]),
      (with { $0.lastDay = "2026-11-23" }, []),
      (with { $0.isMyWork = true }, []),
      (
        with {
          $0.lists = [it.list]; $0.state = .bin
        }, []
      ),
    ]
    for (wish, found) in rows {
      #expect(try it.todo.waitForPosts(wish).lines.map(\.post.id) == found)
    }
    #expect(try it.todo.waitForPosts(with { $0.order = .due }).lines.first?.post.id == posts[7])
    for wish in [
      with { $0.firstDay = "today" },
      with {
        $0.order = .due; $0.state = .done
      },
    ] {
      let error = #expect(throws: TodoError.self) { try it.todo.waitForPosts(wish) }
      #expect(error?.kind == "invalid")
    }
  }

  @Test("whom one has blocked is heard of no more")
  func blocks() throws {
    let it = try Bench()
    defer { it.todo.close() }
    let other = Folder()
    try other.signIn("pest", at: it.server)
    let pest = try Todo(state: other.path, program: "test")
    defer { pest.close() }
    try pest.waitUntilLevel()
    try it.todo.block("pest").wait()
    let block = try #require(it.todo.blocks.first)
    #expect(block.username == "pest")
    try pest.addList("spam").wait()
    let spam = try #require(pest.list(named: "spam"))
    try pest.invite("author", to: spam).wait()
    try it.todo.unblock(block).wait()
    #expect(it.todo.blocks.isEmpty && it.todo.invitations.isEmpty)
  }
}
