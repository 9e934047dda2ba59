import Domain
import Sync
import Testing
import Wire

@testable import WhattodoTerminal

@Suite("a list is copied by its client")
struct ListCopyTests {
  private func batches(_ wish: CopyWish, _ situation: Situation) throws -> [[Command]] {
    let action = Action.list(.copy(Reference("#groceries"), wish))
    let plan = try Planner(situation: situation).plan(action)
    guard case .send(let requests) = plan else { return [] }
    return requests.compactMap { planned in
      if case .command(.batch(let it), key: _, base: _) = planned.request { it } else { nil }
    }
  }

  /// Returns a text for each post that is copied, with how many days later it is due.
  private func copies(_ commands: [Command], _ situation: Situation) -> [String] {
    commands.compactMap { command in
      guard case .post(.change(let address, .copy(_, _, let days), ifVersion: nil)) = command,
        let post = situation.streams[address.stream]?.post(address.post)
      else { return nil }
      return days == 0 ? post.title : "\(post.title) +\(days)"
    }
  }

  @Test("a list like it, its tags, its posts in their order; done ones where they are asked for")
  func whole() throws {
    var situation = Demo.situation()
    _ = Demo.applied(
      .category(.edited(CategoryEdit(zone: "Asia/Kathmandu", color: .set(.pink)))),
      by: Demo.author, &situation)
    _ = Demo.applied(
      .post(.moved(Demo.post(2, "").id, version: 2, Position("1"))), by: Demo.author, &situation)
    let all = try #require(try batches(CopyWish(), situation).first)
    guard case .category(.add(let id, let new)) = all[0] else {
      Issue.record("it begins with \(all[0])")
      return
    }
    #expect(all[1] == .changeTag(id, Demo.urgent.id, .add(name: "urgent", color: .red)))
    #expect(
      new
        == NewCategory(
          name: "groceries copy", group: Demo.home, zone: "Asia/Kathmandu", color: .pink))
    #expect(copies(all, situation) == ["bread", "milk"])
    let done = try batches(CopyWish(name: "New", withDone: true), situation)[0]
    #expect(copies(done, situation) == ["bread", "milk", "tea"])
  }

  @Test("the first post of a template is due on the day named, the others as long after it")
  func template() throws {
    var situation = Demo.situation()
    situation.clock = Clock(zone: "UTC", now: Timestamp(milliseconds: 20_000 * 86_400_000))
    let none = CopyWish(firstDue: DueWish("today"))
    #expect(throws: Problem("nothing in it is due")) { try batches(none, situation) }
    for (post, day) in [(1, 19_905), (2, 19_900)] {
      let edit = PostEdit(due: .set(.day(Day(number: day))))
      _ = Demo.applied(
        .post(.edited(Demo.post(post, "").id, version: 2, edit)), by: Demo.author, &situation)
    }
    let made = try batches(CopyWish(withDone: true, firstDue: DueWish("tomorrow")), situation)[0]
    #expect(copies(made, situation) == ["milk +101", "bread +101", "tea"])
  }

  @Test("a long list goes in many batches, none of them longer than an event may be")
  func long() throws {
    var situation = Demo.situation()
    for number in 10..<160 {
      let notes = String(repeating: "n", count: number < 20 ? 16_000 : 10)
      _ = Demo.applied(
        .post(.added(Demo.post(number, "p\(number)", notes: notes), Counters(open: 9))),
        by: Demo.author, &situation)
    }
    let made = try batches(CopyWish(), situation)
    let count = made.reduce(0) { $0 + $1.count }
    #expect(count == 154, "the list, its tag, its posts")
    #expect(made.allSatisfy { $0.count <= Limits.batchCommandsMax })
    #expect(made.count == 3, "10 long posts are 160 KB")
    #expect(Set(made.joined().compactMap(\.post)).count == 152)
  }
}
