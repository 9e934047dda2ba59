import Testing

@testable import Domain

extension Scene {
  fileprivate func counting(_ post: PostID) -> [UserID] {
    (self.post(post, in: 1)?.assignees ?? []).filter {
      member($0.user, of: .category(1))?.holds($0) == true
    }.map(\.user)
  }

  fileprivate mutating func undo(_ event: Int64, by user: UserID = "a") -> Decision {
    must(.undo(UndoTarget(stream: .category(1), events: [event], seen: nil)), by: user)
  }

  /// Returns the house with b as a doer and c as an editor of category 1.
  fileprivate static func shared() -> Scene {
    var scene = Scene.house()
    scene.admit("b", to: .category(1), as: .doer, by: "a", number: 901)
    scene.admit("c", to: .category(1), as: .editor, by: "a", number: 902)
    return scene
  }
}

private func assign(_ user: UserID, _ post: PostID = 1) -> Command {
  .post(.change(1, post, .assign(user)))
}

@Suite("An assignment says whose work a post is") struct AssigneeTests {
  @Test("is said by members of members, each with a version")
  func life() {
    var scene = Scene.shared()
    let first = scene.must(assign("b"), by: "a")
    #expect(first.version == 2 && scene.counting(1) == ["b"])
    #expect(scene.changes(assign("b"), by: "a") == false)
    #expect(scene.refusal(of: assign("d"), by: "a") == .notFound("member"))
    #expect(scene.refusal(of: assign("b", 3), by: "a") == .gone("post"))
    scene.must(assign("a"), by: "c")
    #expect(scene.counting(1) == ["a", "b"])
    scene.must(.post(.change(1, 1, .unassign("b"))), by: "c")
    #expect(scene.counting(1) == ["a"])
    #expect(scene.changes(.post(.change(1, 1, .unassign("b"))), by: "c") == false)
  }

  @Test("is told whom it is given to, in the same transaction, but not oneself")
  func told() throws {
    var scene = Scene.shared()
    let decision = scene.must(assign("b"), by: "a")
    #expect(decision.drafts.map(\.stream) == [.category(1), .user("b")])
    #expect(decision.drafts[1].ops == [.personal(.assignmentAdded(.category(1), 1))])
    let event = try #require(scene.events[.user("b")]?.last)
    let news = notify(event, in: .user("b"), viewer: Viewer(user: "b", joinedSeq: 0))
    #expect(news.map(\.kind) == [.assigned])
    #expect(news[0].about == .category(1) && news[0].post == 1)
    #expect(scene.must(assign("a"), by: "a").drafts.map(\.stream) == [.category(1)])
    #expect(
      scene.must(.post(.change(1, 1, .unassign("b"))), by: "a").drafts.map(\.stream)
        == [.category(1)])
  }

  @Test("ends with the access, and does not come back with the person")
  func access() {
    var scene = Scene.shared()
    scene.must(assign("b"), by: "a")
    let removal = scene.must(.member(.remove(.category(1), "b")), by: "a")
    // However many posts there were, no post gets an op.
    #expect(removal.drafts.map(\.ops.count) == [1, 1])
    #expect(scene.counting(1) == [])
    scene.admit("b", to: .category(1), as: .doer, by: "a", number: 903)
    #expect(scene.counting(1) == [])
    let again = scene.must(assign("b"), by: "a")
    #expect(again.drafts.map(\.stream) == [.category(1), .user("b")])
    #expect(scene.counting(1) == ["b"])
    #expect(scene.post(1, in: 1)?.assignees.count == 1)
  }

  @Test("stays with another role, and with a grant that is left")
  func roles() {
    var scene = Scene.house()
    scene.must(.post(.change(3, 1, .assign("b"))), by: "a")
    scene.must(.member(.setRole(.group(1), "b", .viewer)), by: "a")
    let member = scene.member("b", of: .category(3))
    let assignment = scene.post(1, in: 3)?.assignees.first
    #expect(assignment.flatMap { member?.holds($0) } == true)
  }

  @Test("is of so many and no more; who has left makes room")
  func quota() {
    var scene = Scene.shared()
    let max = Limits.assigneesPerPostMax
    scene.must(assign("b"), by: "a")
    let strangers = (1..<max).map { UserID(UUID(high: 0xF, low: UInt64($0))) }
    let ops = strangers.flatMap { stranger in
      let seq = scene.head + 1
      let member = Member(
        id: stranger, username: "\(stranger)", name: "", kind: .person,
        grants: Grants(direct: .editor), joinedSeq: seq)
      return [Op.member(.added(member)), .post(.marked(1, version: 3, .assigned(stranger)))]
    }
    scene.carryOut(Decision(drafts: [Draft(stream: .category(1), ops: ops)]), by: "a")
    #expect(scene.counting(1).count == max)
    #expect(
      scene.refusal(of: assign("c"), by: "a") == .quota(limit: "assignees", max: max))
    scene.must(.member(.leave(.category(1))), by: "b")
    let marks = scene.must(assign("c"), by: "a").drafts[0].ops
    #expect(
      marks == [
        .post(.marked(1, version: 4, .unassigned("b"))),
        .post(.marked(1, version: 5, .assigned("c"))),
      ])
  }
}

@Suite("DESIGN §3: a doer leaves others' work alone") struct DoerTests {
  private static let others = Refusal.forbidden(
    "a doer completes and reopens only what is nobody's or their own")

  @Test("completes what is nobody's or theirs, and nothing else")
  func complete() {
    var scene = Scene.shared()
    let complete = Command.completePost(1, 1, ifVersion: nil)
    #expect(scene.changes(complete, by: "b") == true)
    scene.must(assign("c"), by: "a")
    #expect(scene.refusal(of: complete, by: "b") == DoerTests.others)
    #expect(scene.changes(complete, by: "c") == true)
    var both = scene
    both.must(assign("b"), by: "a")
    #expect(both.changes(complete, by: "b") == true)
    scene.must(.member(.leave(.category(1))), by: "c")
    #expect(scene.changes(complete, by: "b") == true)
  }

  @Test("reopens, finishes steps and undoes only there, too")
  func rest() {
    var scene = Scene.shared()
    scene.must(.changeStep(1, 1, 9, .add(content: "one")), by: "a")
    scene.must(.changeStep(1, 1, 8, .add(content: "two")), by: "a")
    scene.must(.changeStep(1, 1, 9, .complete), by: "b")
    scene.must(.completePost(1, 1, ifVersion: nil), by: "b")
    let completion = scene.head
    scene.must(assign("c"), by: "a")
    let commands: [Command] = [
      .reopenPost(1, 1, ifVersion: nil), .changeStep(1, 1, 9, .reopen),
    ]
    for command in commands { #expect(scene.refusal(of: command, by: "b") == DoerTests.others) }
    let undone = scene.undo(completion, by: "b")
    #expect(!undone.changed && undone.skipped?.map(\.reason) == [.forbidden])
    scene.must(.reopenPost(1, 1, ifVersion: nil), by: "c")
    #expect(scene.refusal(of: .changeStep(1, 1, 8, .complete), by: "b") == DoerTests.others)
  }
}

@Suite("DESIGN §4: undo of assignments") struct AssigneeUndoTests {
  @Test("takes them back and gives them again, telling nobody")
  func thereAndBack() {
    var scene = Scene.shared()
    scene.must(assign("b"), by: "a")
    let undone = scene.undo(scene.head)
    #expect(undone.drafts.map(\.ops) == [[.post(.marked(1, version: 3, .unassigned("b")))]])
    let redone = scene.undo(scene.head)
    #expect(redone.drafts.map(\.ops) == [[.post(.marked(1, version: 4, .assigned("b")))]])
    #expect(scene.counting(1) == ["b"])
  }

  @Test("takes back what was given anew to who came back")
  func anew() {
    var scene = Scene.shared()
    scene.must(assign("b"), by: "a")
    scene.must(.member(.remove(.category(1), "b")), by: "a")
    scene.admit("b", to: .category(1), as: .doer, by: "a", number: 905)
    scene.must(assign("b"), by: "a")
    #expect(scene.undo(scene.head).changed)
    #expect(scene.counting(1) == [])
  }

  @Test("does not give work to who has left since, also if they came back")
  func left() {
    var scene = Scene.shared()
    scene.must(assign("b"), by: "a")
    scene.must(.post(.change(1, 1, .unassign("b"))), by: "a")
    let event = scene.head
    scene.must(.member(.remove(.category(1), "b")), by: "a")
    for isBack in [false, true] {
      if isBack { scene.admit("b", to: .category(1), as: .doer, by: "a", number: 904) }
      let undone = scene.undo(event)
      #expect(!undone.changed && undone.skipped?.map(\.reason) == [.later])
    }
  }
}
