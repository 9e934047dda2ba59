import Testing

@testable import Domain

private let home: StreamID = .category(1)
private let start = Timestamp(milliseconds: 1_000)

func event(_ seq: Int64, by user: UserID? = "a", at time: Timestamp = start, _ ops: Op...) -> Event
{
  Event(
    seq: seq, transaction: TransactionID(UUID(high: 9, low: UInt64(seq))), at: time, by: user,
    key: nil, ops: ops)
}

func openPost(_ number: Int) -> Post {
  Post(
    id: PostID(number), number: number, title: "Post \(number)", notes: "", addedBy: "a",
    createdAt: start, updatedAt: start, version: 1)
}

private func completedPost(_ number: Int, seq: Int64) -> Post {
  var post = openPost(number)
  post.completed = Completion(at: start, by: "a", seq: seq)
  return post
}

private func head(_ counters: Counters = Counters()) -> Object {
  .category(
    Category(
      id: 1, name: "Home", group: nil, added: Stamp(at: start, by: "a"), counters: counters))
}

@Suite("DESIGN §4: the state of a stream") struct StreamStateTests {
  /// Returns a category with so many completed posts; post n was completed by event n.
  static func full(_ count: Int = Limits.completedInStateMax) -> StreamState {
    let posts = (1...count).map { Object.post(completedPost($0, seq: Int64($0))) }
    return StreamState(
      stream: home, objects: [head(Counters(open: 1, done: count)), .post(openPost(900))] + posts)
  }

  @Test("the oldest completed post leaves when there are too many")
  func newestStay() {
    var state = Self.full()
    let stamp = Stamp(at: start, by: "b")
    let done = Counters(open: 0, done: 501)
    let changes = state.apply(event(601, .post(.completed(900, version: 2, stamp, done))))
    #expect(changes.map(\.effect).contains(.dropped))
    #expect(changes.first { $0.effect == .dropped }?.key == Object.post(openPost(1)).key)
    #expect(state.object(.post, PostID(1).uuid) == nil)
    #expect(state.object(.post, PostID(2).uuid) != nil)
    #expect(state.object(.post, PostID(900).uuid) != nil)
    #expect(state.objects.count == Limits.completedInStateMax + 1)
  }

  @Test("at the limit nothing leaves")
  func atLimit() {
    var state = Self.full(Limits.completedInStateMax - 1)
    let stamp = Stamp(at: start, by: "b")
    let changes = state.apply(
      event(601, .post(.completed(900, version: 2, stamp, Counters(open: 0, done: 500)))))
    #expect(!changes.map(\.effect).contains(.dropped))
    #expect(state.objects.count == Limits.completedInStateMax + 1)
  }

  @Test("one that is restored takes its place by when it was completed, even none")
  func restoredOldest() {
    var state = Self.full()
    let old = completedPost(950, seq: 0)
    _ = state.apply(event(601, .post(.restored(old, Counters(open: 1, done: 501)))))
    #expect(state.object(.post, PostID(950).uuid) == nil)
    #expect(state.object(.post, PostID(1).uuid) != nil)
    let young = completedPost(951, seq: 400)
    _ = state.apply(event(602, .post(.restored(young, Counters(open: 1, done: 502)))))
    #expect(state.object(.post, PostID(951).uuid) != nil)
    #expect(state.object(.post, PostID(1).uuid) == nil)
  }

  @Test("The lower number of the same event leaves first")
  func ties() {
    var state = StreamState(
      stream: home, objects: (1...500).map { .post(completedPost($0, seq: 7)) })
    let last = completedPost(501, seq: 7)
    _ = state.apply(event(8, .post(.restored(last, Counters()))))
    #expect(state.object(.post, PostID(1).uuid) == nil)
    #expect(state.object(.post, PostID(501).uuid) != nil)
  }

  @Test("one that left does not come back by itself, and is reopened whole")
  func comesBackWhole() {
    var state = Self.full()
    let stamp = Stamp(at: start, by: "b")
    _ = state.apply(event(601, .post(.completed(900, version: 2, stamp, Counters(done: 501)))))
    _ = state.apply(event(602, .post(.removed(500, version: 2, stamp, Counters(done: 500)))))
    #expect(state.object(.post, PostID(1).uuid) == nil)
    _ = state.apply(event(603, .post(.reopened(openPost(1), Counters(open: 1, done: 499)))))
    #expect(state.object(.post, PostID(1).uuid) == .post(openPost(1)))
    #expect(state.object(.category, CategoryID(1).uuid) == head(Counters(open: 1, done: 499)))
  }

  @Test("an edit of what is out of the state stays out of it, for ledger and replica alike")
  func editOutside() {
    let post = completedPost(3, seq: 1)
    var replica = StreamState(stream: home, objects: [head()])
    let op = Op.post(.edited(3, version: 2, PostEdit(title: "New")))
    #expect(replica.apply(event(9, op)).isEmpty)
    var partial = StreamState(partial: home, objects: [.post(post)], ranks: [])
    var edited = post
    edited.title = "New"
    edited.version = 2
    #expect(partial.apply(event(9, op)).map(\.effect) == [.putOutside(.post(edited))])
    var inside = StreamState(stream: home, objects: [.post(post)])
    #expect(inside.apply(event(9, op)).map(\.effect) == [.put(.post(edited))])
  }

  @Test("a removed post leaves, with who and when for the bin")
  func removed() {
    var state = StreamState(stream: home, objects: [head(), .post(openPost(1))])
    let stamp = Stamp(at: start, by: "b")
    let changes = state.apply(event(2, .post(.removed(1, version: 2, stamp, Counters()))))
    guard case .putOutside(.post(let post)) = changes.first?.effect else {
      Issue.record("not put outside")
      return
    }
    #expect(post.removed == stamp)
    #expect(post.version == 2)
    #expect(state.object(.post, PostID(1).uuid) == nil)
  }

  @Test("an unknown kind and an object that is not there change nothing")
  func unknown() {
    let before = Self.full(3)
    var state = before
    let stamp = Stamp(at: start, by: "b")
    let changes = state.apply(
      event(
        50, .unknown(kind: "post.painted", json: []),
        .post(.edited(77, version: 2, PostEdit(title: "x"))),
        .member(.granted("z", Grants(direct: .owner))), .member(.removed("z", .left)),
        .invitation(.revoked(5)), .member(.updated("z", name: "Z")),
        .membership(.removed(.group(1), .left))))
    #expect(changes.isEmpty)
    #expect(state == before)
    _ = state.apply(event(51, .post(.removed(77, version: 2, stamp, Counters(open: 4)))))
    #expect(state.object(.category, CategoryID(1).uuid) == head(Counters(open: 4)))
  }

  @Test("the newest 200 notices stay")
  func notices() {
    var state = StreamState(stream: .user("d"))
    for number in 1...250 {
      let sent = Stamp(at: start, by: "a")
      let invitation = Invitation(
        id: InvitationID(number), stream: .category(1), streamName: "Home", user: "d",
        username: "user-d", role: .editor, sent: sent, senderUsername: "user-a")
      _ = state.apply(event(Int64(number), .invitation(.sent(invitation))))
      _ = state.apply(event(Int64(1000 + number), .invitation(.revoked(InvitationID(number)))))
    }
    let notices = state.objects.values.compactMap(\.rank).sorted()
    #expect(notices.count == Limits.noticesInStateMax)
    #expect(notices.first?.seq == 51)
    #expect(notices.last?.seq == 250)
  }

  @Test("a reminder that was asked for stays beside 250 assignments and 250 overdue posts")
  func keptReminder() {
    var state = StreamState(stream: .user("d"))
    let asked = Reminded(address: PostAddress(category: 1, post: 1), kind: .reminder, at: start)
    _ = state.apply(event(1, .personal(.fired(asked)), .personal(.kept(asked))))
    for number in 2...251 {
      let late = Reminded(
        address: PostAddress(category: 1, post: PostID(number)), kind: .overdue, at: start)
      _ = state.apply(event(Int64(number), .personal(.assignmentAdded(.category(1), 2))))
      _ = state.apply(event(Int64(1000 + number), .personal(.fired(late))))
    }
    let kept = KeptReminder(asked, told: start, seq: 1, opIndex: 1)
    #expect(state.objects[kept.key] == .reminder(kept))
    #expect(state.objects.values.count { $0.key.kind == .notice } == Limits.noticesInStateMax)
    #expect(state.ranks == state.objects.values.compactMap(\.rank).sorted())
  }

  @Test("the newest 200 reminders stay, one of each post, and push no notice out")
  func keptReminders() {
    var state = StreamState(stream: .user("d"))
    _ = state.apply(event(1, .personal(.assignmentAdded(.category(1), 2))))
    func tell(_ post: Int, _ seq: Int64) {
      let told = Reminded(
        address: PostAddress(category: 1, post: PostID(post)), kind: .planned, at: start)
      _ = state.apply(event(seq, .personal(.kept(told))))
    }
    for post in 1...200 { tell(post, Int64(1 + post)) }
    // It is the newest one now.
    tell(1, 300)
    tell(201, 301)
    let seqs = state.ranks.filter { $0.key.kind == .reminder }.map(\.seq)
    #expect(seqs == Array(4...201) + [300, 301])
    #expect(state.objects.values.count { $0.key.kind == .notice } == 1)
    _ = state.apply(event(302, .personal(.keptEnded(1, [1, 2, 3]))))
    #expect(state.ranks.map(\.seq) == [1] + Array(5...201) + [301])
    #expect(state.ranks == state.objects.values.compactMap(\.rank).sorted())
  }

  @Test("a removal is told once for a group, and leaving is not told")
  func removals() {
    func told(_ ops: Op...) -> [StreamID] {
      var state = StreamState(stream: .user("d"))
      let all = Event(
        seq: 1, transaction: TransactionID(UUID(high: 1, low: 1)), at: start, by: "a", key: nil,
        ops: ops)
      return state.apply(all).compactMap {
        guard case .put(.notice(let notice)) = $0.effect else { return nil }
        return notice.stream
      }
    }
    #expect(told(.membership(.removed(.category(1), .removed))) == [.category(1)])
    #expect(told(.membership(.removed(.category(1), .left))).isEmpty)
    #expect(
      told(
        .membership(.removed(.category(1), .removed)), .membership(.removed(.group(1), .removed)))
        == [.group(1)])
  }

  @Test("read marks move forward only, and go with the membership")
  func marks() {
    var state = StreamState(stream: .user("d"))
    let key = Object.readMark(ReadMark(stream: home, seq: 0)).key
    _ = state.apply(event(1, .personal(.readMarked(ReadMark(stream: home, seq: 5)))))
    #expect(state.apply(event(2, .personal(.readMarked(ReadMark(stream: home, seq: 4))))).isEmpty)
    #expect(state.objects[key] == .readMark(ReadMark(stream: home, seq: 5)))
    _ = state.apply(event(3, .personal(.readMarked(ReadMark(stream: home, seq: 6)))))
    #expect(state.objects[key] == .readMark(ReadMark(stream: home, seq: 6)))
    _ = state.apply(event(4, .membership(.removed(home, .left))))
    #expect(state.objects[key] == nil)
  }
}
