import Testing

@testable import Domain

private let home: StreamID = .category(1)
private let stamp = Stamp(at: Timestamp(milliseconds: 1), by: "a")

private let finish = StepFinish(at: stamp.at, by: "a")

private func someone(_ letter: Unicode.Scalar, _ grants: Grants) -> Op {
  .member(
    .added(
      Member(
        id: UserID(letter), username: "user-\(letter)", name: "", kind: .person, grants: grants,
        joinedSeq: 5)))
}

private func letter(to user: UserID) -> Op {
  .invitation(
    .sent(
      Invitation(
        id: 1, stream: home, streamName: "Home", user: user, username: "user-d", role: .editor,
        sent: stamp, senderUsername: "user-a")))
}

private func reaction(to user: UserID, _ sign: String?) -> Op {
  .reaction(.reacted(event: 4, CompletedWork(post: 1, by: user), sign: sign))
}

/// An op, the place where it happens, and its meaning for d.
private struct Meaning: CustomTestStringConvertible {
  let op: Op
  var stream: StreamID = home
  var seq: Int64 = 5
  var by: UserID? = "a"
  let kind: Notification.Kind?
  var testDescription: String { "\(op)" }
}

@Suite("DESIGN §8: notify(event, viewer)") struct NotifyTests {
  @Test(
    "Each op means something, or nothing",
    arguments: [
      Meaning(op: .post(.added(openPost(1), Counters())), kind: .added),
      Meaning(op: .post(.completed(1, version: 2, stamp, Counters())), kind: .completed),
      Meaning(op: .post(.reopened(openPost(1), Counters())), kind: .reopened),
      Meaning(op: .post(.removed(1, version: 2, stamp, Counters())), kind: .removed),
      Meaning(op: .post(.restored(openPost(1), Counters())), kind: .restored),
      Meaning(op: .post(.edited(1, version: 2, PostEdit(title: "x"))), kind: nil),
      Meaning(op: someone("c", Grants(direct: .editor)), kind: .joined),
      Meaning(op: someone("c", Grants(viaGroup: .editor)), kind: nil),
      Meaning(op: someone("c", Grants(direct: .editor)), stream: .group(1), kind: .joined),
      Meaning(op: someone("c", Grants(direct: .owner)), seq: 1, kind: nil),
      Meaning(op: .member(.removed("c", .left)), kind: nil),
      Meaning(op: .member(.removed("c", .left, direct: true)), kind: .left),
      Meaning(op: .member(.removed("d", .removed, direct: true)), kind: nil),
      Meaning(op: .member(.removed("c", .left)), stream: .group(1), kind: .left),
      Meaning(op: .member(.removed("c", .removed)), stream: .group(1), kind: .left),
      Meaning(op: .member(.removed("d", .removed)), stream: .group(1), kind: nil),
      Meaning(op: .group(.categoryAdded(3)), stream: .group(1), kind: .categoryAdded),
      Meaning(op: .group(.edited(name: "x")), stream: .group(1), kind: nil),
      Meaning(op: .category(.edited(CategoryEdit(name: "x"))), kind: nil),
      Meaning(op: letter(to: "d"), stream: .user("d"), kind: .invited),
      Meaning(op: letter(to: "d"), stream: home, kind: nil),
      Meaning(op: .membership(.removed(home, .removed)), stream: .user("d"), kind: .removedFrom),
      Meaning(op: .personal(.assignmentAdded(home, 1)), stream: .user("d"), kind: .assigned),
      Meaning(op: .post(.marked(1, version: 2, .assigned("d"))), kind: nil),
      Meaning(op: .post(.marked(1, version: 2, .submitted(stamp))), kind: .submitted),
      Meaning(op: .post(.marked(1, version: 2, .returned)), kind: nil),
      Meaning(op: .post(.marked(1, version: 2, .partCompleted("a"))), kind: .partCompleted),
      Meaning(op: .post(.marked(1, version: 2, .partReopened("a"))), kind: nil),
      Meaning(op: .post(.contest(1, .joined("a"))), kind: nil),
      Meaning(op: .post(.contest(1, .withdrew("a"))), kind: nil),
      Meaning(op: .post(.contest(1, .reached("a", amount: 5, was: 4))), kind: .reached),
      Meaning(op: .post(.contest(1, .reached("a", amount: 4, was: 5))), kind: nil),
      Meaning(op: .post(.contest(1, .claimed(1, "a"))), kind: nil),
      Meaning(op: .post(.contest(1, .released(1))), kind: nil),
      Meaning(op: .step(1, version: 2, .completed([1], finish)), kind: .stepCompleted),
      Meaning(op: .step(1, version: 2, .reopened(1)), kind: nil),
      Meaning(op: .claim(1, .taken("a", until: stamp.at, version: 2)), kind: .claimed),
      Meaning(op: .claim(1, .released(version: 2)), kind: .released),
      Meaning(op: .claim(1, .ended), by: nil, kind: nil),
      Meaning(op: reaction(to: "d", "👏"), kind: .reacted),
      Meaning(op: reaction(to: "d", nil), kind: nil),
      Meaning(op: reaction(to: "c", "👏"), kind: nil),
      Meaning(op: .membership(.removed(home, .left)), stream: .user("d"), kind: nil),
      Meaning(op: .post(.added(openPost(1), Counters())), by: "d", kind: nil),
      Meaning(op: .post(.added(openPost(1), Counters())), by: nil, kind: .added),
      Meaning(op: .unknown(kind: "x", json: []), kind: nil),
    ])
  private func meanings(row: Meaning) {
    let all = notify(
      event(row.seq, by: row.by, row.op), in: row.stream, viewer: Viewer(user: "d", joinedSeq: 0))
    #expect(all.map(\.kind) == (row.kind.map { [$0] } ?? []))
    #expect(all.allSatisfy { $0.stream == row.stream && $0.seq == row.seq })
  }

  @Test("nothing up to the event that let one in")
  func beforeJoining() {
    let op = Op.post(.added(openPost(1), Counters()))
    let viewer = Viewer(user: "d", joinedSeq: 5)
    #expect(notify(event(5, op), in: home, viewer: viewer).isEmpty)
    #expect(notify(event(6, op), in: home, viewer: viewer).count == 1)
  }

  @Test("each op of an event has its own place")
  func places() {
    let all = notify(
      event(
        7, .category(.edited(CategoryEdit(name: "x"))), .post(.added(openPost(1), Counters())),
        .post(.added(openPost(2), Counters()))), in: home, viewer: Viewer(user: "d", joinedSeq: 0))
    #expect(all.map(\.opIndex) == [1, 2])
    #expect(all.map(\.post) == [1, 2])
  }

  @Test("a house tells the right people the right things")
  func endToEnd() {
    var scene = Scene.house()
    scene.must(.member(.remove(.group(1), "b")), by: "a")
    let own = (scene.events[.user("b")] ?? []).flatMap {
      notify($0, in: .user("b"), viewer: Viewer(user: "b", joinedSeq: 0))
    }
    #expect(own.map(\.kind) == [.invited, .removedFrom])
    #expect(own.map(\.about) == [.group(1), .group(1)])
    let group = (scene.events[.group(1)] ?? []).flatMap {
      notify($0, in: .group(1), viewer: Viewer(user: "a", joinedSeq: 1))
    }
    #expect(group.map(\.kind) == [.joined])
    #expect(group.first?.user == "b")
  }

  @Test("unread counts to a hundred and keeps the newest", arguments: [0, 1, 99, 100, 101, 250])
  func unread(count: Int) {
    var tally = UnreadTally(viewer: Viewer(user: "d", joinedSeq: 3), mark: 10, keep: 5)
    for seq in (1...Int64(10 + count)).reversed() {
      #expect(tally.isFull == (min(count, 10 + count - Int(seq)) > 100))
      tally.add(event(seq, .post(.added(openPost(Int(seq)), Counters()))), in: home) { _ in true }
    }
    #expect(tally.unread == Unread(count: min(count, 100), more: count > 100))
    #expect(
      tally.notifications.map(\.seq) == Array((11..<Int64(11 + count)).suffix(5).reversed()))
  }

  @Test("The last op of an event is the newest, and more than a hundred are kept when asked for")
  func keepsMany() {
    var tally = UnreadTally(viewer: Viewer(user: "d", joinedSeq: 0), mark: 0, keep: 150)
    func many(_ seq: Int64) -> Event {
      Event(
        seq: seq, transaction: TransactionID(UUID(high: 9, low: 1)), at: stamp.at, by: "a",
        key: nil,
        ops: (1...120).map { .post(.added(openPost($0), Counters())) })
    }
    tally.add(many(9), in: home) { _ in true }
    #expect(!tally.isFull && tally.unread == Unread(count: 100, more: true))
    tally.add(many(8), in: home) { _ in true }
    #expect(tally.isFull && tally.notifications.count == 150)
    #expect(tally.notifications.map(\.opIndex) == (0..<120).reversed() + (90..<120).reversed())
  }

  @Test("bursts fold by kind, actor, stream and ten minutes")
  func folding() {
    func note(
      _ kind: Notification.Kind, _ by: UserID, minute: Int64, in stream: StreamID = home
    ) -> Notification {
      Notification(
        kind: kind, stream: stream, seq: minute, opIndex: 0,
        at: Timestamp(milliseconds: minute * 60_000), by: by, about: stream)
    }
    func sizes(_ all: [Notification]) -> [Int] {
      let folds = NotificationFold.fold(all)
      #expect(folds.flatMap(\.notifications) == all)
      return folds.map(\.notifications.count)
    }
    #expect(sizes([]) == [])
    #expect(sizes((0..<6).map { note(.completed, "a", minute: $0) }) == [6])
    #expect(sizes([note(.completed, "a", minute: 0), note(.completed, "a", minute: 10)]) == [2])
    #expect(
      sizes([note(.completed, "a", minute: 0), note(.completed, "a", minute: 11)]) == [1, 1])
    #expect(sizes([note(.completed, "a", minute: 0), note(.added, "a", minute: 0)]) == [1, 1])
    #expect(sizes([note(.completed, "a", minute: 0), note(.completed, "b", minute: 0)]) == [1, 1])
    #expect(
      sizes([note(.added, "a", minute: 0), note(.added, "a", minute: 0, in: .category(2))])
        == [1, 1])
    // These are all of a, who is a bot, whatever is between them and however long after they come.
    let mixed = [
      note(.completed, "a", minute: 0), note(.completed, "b", minute: 1),
      note(.added, "a", minute: 2), note(.completed, "a", minute: 60),
      note(.completed, "a", minute: 61, in: .category(2)), note(.completed, "b", minute: 62),
      note(.completed, "a", minute: 900),
    ]
    let told = NotificationFold.fold(mixed) { $0.by == "a" }
    #expect(told.map { $0.notifications.map(\.seq) } == [[1], [2], [61], [62], [0, 60, 900]])
    #expect(sizes(mixed) == [1, 1, 1, 1, 1, 1, 1])
  }

  @Test("A step, a part or an amount is not told beside the completion that it ends with")
  func completing() {
    let (step, part) = (
      Op.step(1, version: 2, .completed([1], finish)),
      Op.post(.marked(1, version: 2, .partCompleted("a")))
    )
    let reached = Op.post(.contest(1, .reached("a", amount: 300, was: 0)))
    let byOther = Op.post(.contest(1, .reached("c", amount: 5, was: 0)))
    let completed = Op.post(.completed(1, version: 3, stamp, Counters()))
    let other = Op.post(.completed(2, version: 3, stamp, Counters()))
    for (ops, kinds) in [
      ([step, completed], [.completed]), ([part, completed], [.completed]),
      ([step, other], [.stepCompleted, .completed]),
      ([part, other], [.partCompleted, .completed]),
      ([reached, part], [.partCompleted]), ([reached, part, completed], [.completed]),
      ([reached, completed], [.completed]), ([reached, other], [.reached, .completed]),
      ([byOther, part], [.reached, .partCompleted]),
    ] as [([Op], [Notification.Kind])] {
      let one = Event(
        seq: 9, transaction: TransactionID(UUID(high: 9, low: 1)), at: stamp.at, by: "a", key: nil,
        ops: ops)
      #expect(notify(one, in: home, viewer: Viewer(user: "d", joinedSeq: 1)).map(\.kind) == kinds)
    }
    let news = notify(event(9, part), in: home, viewer: Viewer(user: "d", joinedSeq: 1))
    #expect(news.map(\.user) == ["a"], "a part says whose it is")
  }

  private func progress(
    _ kind: Notification.Kind, _ by: UserID, minute: Int64, of post: PostID = 1
  ) -> Notification {
    Notification(
      kind: kind, stream: home, seq: minute, opIndex: 0,
      at: Timestamp(milliseconds: minute * 60_000), by: by, about: home, post: post,
      user: kind == .partCompleted || kind == .left ? by : nil)
  }

  @Test("Steps and claims of one post by one person stand once, and parts of a post are one line")
  func foldingProgress() {
    func numbers(_ all: [Notification], bot: UserID? = nil) -> [[Int64]] {
      NotificationFold.fold(all) { $0.by == bot }.map { $0.notifications.map(\.seq) }
    }
    for kind: Notification.Kind in [.stepCompleted, .claimed, .released] {
      let all = [
        progress(kind, "a", minute: 0), progress(kind, "b", minute: 1),
        progress(.added, "c", minute: 2, of: 3), progress(kind, "a", minute: 3),
        progress(kind, "a", minute: 4, of: 2), progress(.added, "c", minute: 5, of: 4),
        progress(kind, "a", minute: 900),
      ]
      #expect(numbers(all) == [[1], [2], [4], [5], [900]])
      #expect(numbers(all, bot: "a") == [[1], [2], [5], [4, 900]])
    }
    let parts = [
      progress(.partCompleted, "a", minute: 0), progress(.partCompleted, "b", minute: 1),
      progress(.partCompleted, "c", minute: 2, of: 2), progress(.partCompleted, "c", minute: 90),
      progress(.partCompleted, "b", minute: 91),
    ]
    #expect(numbers(parts) == [[2], [0, 90, 91]])
    #expect(numbers(parts, bot: "b") == [[2], [0, 90, 91]])
    let gone = [progress(.left, "a", minute: 0), progress(.left, "a", minute: 0)]
    #expect(numbers(gone) == [[0], [0]], "everybody who left is named")
    #expect(numbers(gone, bot: "a") == [[0], [0]])
  }

  @Test("Progress that repeats counts once, and its newest is kept")
  func unreadProgress() {
    var tally = UnreadTally(viewer: Viewer(user: "d", joinedSeq: 3), mark: 10, keep: 5)
    for seq in (11...Int64(60)).reversed() {
      tally.add(event(seq, .step(1, version: 2, .completed([1], finish))), in: home) { _ in true }
    }
    tally.add(event(11, .post(.added(openPost(1), Counters()))), in: home) { _ in true }
    #expect(tally.unread == Unread(count: 2, more: false))
    #expect(tally.notifications.map(\.seq) == [60, 11])
  }

  @Test("a batch that one sender directs at a person folds, and what they asked for does not")
  func foldingDirected() {
    func folds(_ kind: Notification.Kind, by: [UserID?]) -> Int {
      let directed = by.enumerated().map { index, by in
        Notification(
          kind: kind, stream: .user("c"), seq: Int64(index), opIndex: 0,
          at: Timestamp(milliseconds: 0), by: by, about: .category(CategoryID(1 + index % 2)))
      }
      return NotificationFold.fold(directed) { _ in true }.count
    }
    for kind in [Notification.Kind.assigned, .invited, .removedFrom, .roleChanged] {
      #expect(folds(kind, by: ["a", "a", "a", "a"]) == 1)
      #expect(folds(kind, by: ["a", "b", "a"]) == 3)
    }
    for kind in [Notification.Kind.overdue, .dueSoon, .reminder] {
      #expect(folds(kind, by: [nil, nil, nil]) == 1)
    }
    // One new list of a group is about that list.
    #expect(folds(.categoryAdded, by: ["a", "a"]) == 1)
    #expect(folds(.planned, by: [nil, nil]) == 2)
    #expect(folds(.snoozed, by: [nil, nil]) == 2)
  }
}

@Suite("Own day total") struct DayTotalTests {
  private func total(_ events: [Event]) -> DayTotal {
    var tally = DayTally(user: "a", start: Timestamp(milliseconds: 1_000))
    for event in events.reversed() { tally.add(event, in: home) }
    return tally.total
  }

  private func added(_ number: Int, by user: UserID) -> Event {
    event(Int64(number), by: user, .post(.added(openPost(number), Counters())))
  }

  private func completed(_ number: Int, by user: UserID) -> Event {
    let stamp = Stamp(at: stamp.at, by: user)
    return event(
      100, by: user, .post(.completed(PostID(number), version: 2, stamp, Counters())))
  }

  @Test("counts posts that I added or completed, done by whomever")
  func counts() {
    #expect(total([]) == DayTotal(done: 0, of: 0))
    #expect(total([added(1, by: "a")]) == DayTotal(done: 0, of: 1))
    #expect(total([added(1, by: "a"), completed(1, by: "b")]) == DayTotal(done: 1, of: 1))
    #expect(total([added(1, by: "b"), completed(1, by: "a")]) == DayTotal(done: 1, of: 1))
    #expect(total([added(1, by: "b"), completed(1, by: "b")]) == DayTotal(done: 0, of: 0))
    #expect(
      total([added(1, by: "a"), added(2, by: "a"), completed(2, by: "a")])
        == DayTotal(done: 1, of: 2))
  }

  @Test("A reopened post is not done, and a removed one does not count")
  func undone() {
    let start = [added(1, by: "a"), completed(1, by: "a")]
    let reopened = event(101, by: "b", .post(.reopened(openPost(1), Counters())))
    let removed = event(102, by: "b", .post(.removed(1, version: 3, stamp, Counters())))
    let restored = event(103, by: "b", .post(.restored(openPost(1), Counters())))
    #expect(total(start + [reopened]) == DayTotal(done: 0, of: 1))
    #expect(total(start + [removed]) == DayTotal(done: 0, of: 0))
    #expect(total(start + [removed, restored]) == DayTotal(done: 0, of: 1))
  }

  @Test("Nothing before my midnight counts")
  func yesterday() {
    let before = Timestamp(milliseconds: 999)
    let old = event(1, by: "a", at: before, .post(.added(openPost(1), Counters())))
    #expect(total([old]) == DayTotal(done: 0, of: 0))
    #expect(total([old, completed(1, by: "a")]) == DayTotal(done: 1, of: 1))
  }

  @Test("the same id in two categories is two posts")
  func idsPerCategory() {
    var tally = DayTally(user: "a", start: Timestamp(milliseconds: 0))
    tally.add(added(1, by: "a"), in: home)
    tally.add(added(1, by: "a"), in: .category(2))
    #expect(tally.total == DayTotal(done: 0, of: 2))
  }
}
