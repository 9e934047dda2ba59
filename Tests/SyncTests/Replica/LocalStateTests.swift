import Domain
import Testing
import Wire

@testable import Sync

@Suite("local state: a command shows at once, and stays until the copy has it")
struct LocalStateTests {
  private func person() throws -> (Person, CategoryID) {
    var person = Person()
    let list = person.server.addList(1)
    person.connect()
    try person.exchange()
    return (person, list)
  }

  private func post(_ number: UInt64) -> PostID { PostID(UUID(high: 9, low: number)) }

  @Test("a post shows at once, is confirmed later, and never flickers", arguments: [true, false])
  func noFlicker(eventsFirst: Bool) throws {
    var (person, list) = try person()
    person.ask(.post(.add(list, post(1), title: "milk", notes: "")))
    #expect(person.screen(list) == ["milk…"])
    try person.serve(eventsFirst: eventsFirst)
    while !person.toClient.isEmpty {
      person.receive()
      #expect(["milk…", "milk"].map { [$0] }.contains(person.screen(list)))
    }
    #expect(person.screen(list) == ["milk"])
    #expect(person.local.outbox.isEmpty)
    #expect(person.isLevel)
  }

  @Test("an invitation that is taken back is gone at once, though another's inbox is in no copy")
  func revoked() throws {
    var (person, list) = try person()
    let stream = StreamID.category(list)
    let invitation = Invitation(
      id: InvitationID(UUID(high: 8, low: 1)), stream: stream, streamName: "list",
      user: UserID(UUID(high: 1, low: 2)), username: "editor", role: .editor,
      sent: Stamp(at: Timestamp(milliseconds: 0), by: person.server.user), senderUsername: "author")
    let sent = person.server.write(stream, [.invitation(.sent(invitation))])
    person.toClient.append(person.server.push(StreamPosition(stream: stream, seq: sent.seq)))
    person.receive()
    let key = ObjectKey(kind: .invitation, id: invitation.id.uuid)
    #expect(person.local.view(of: stream)?.objects[key] != nil)
    person.cut()
    person.ask(.invitation(.revoke(invitation.id, stream)))
    #expect(person.local.view(of: stream)?.objects[key] == nil)
    #expect(person.local.overlay.sending.isEmpty)
  }

  @Test("an answer of another history is not waited for, also where no copy had come yet")
  func otherHistory() throws {
    var person = Person()
    let user = person.server.user
    let list = CategoryID(UUID(high: 2, low: 2))
    let profile = Profile(
      id: user, username: "author", name: "Author", location: "", zone: "UTC", kind: .person,
      registeredAt: Timestamp(milliseconds: 0))
    let membership = Membership(stream: .category(list), role: .owner)
    person.server.write(
      .user(user), [.account(.registered(profile)), .membership(.added(membership))])
    person.connect()
    try person.exchange()
    // Made elsewhere; neither its beginning nor what is done to it is heard of.
    _ = person.server.addList(2)
    person.ask(.category(.edit(list, name: "other")))
    try person.serve(lost: true)
    person.receive()
    #expect(person.replica.pendingCount == 1)
    person.cut()
    person.server.logs[.category(list)] = nil
    _ = person.server.addList(2)
    person.server.logs[.category(list)]?.epoch = Epoch("s.2")
    person.comeBack()
    try person.exchange()
    #expect(person.replica.pendingCount == 0)
    #expect(person.local.outbox.isEmpty)
  }

  @Test("A line shows at once where the list's group is in no copy, and not where talk is off")
  func lines() throws {
    func held(_ person: inout Person, _ stream: StreamID) -> Int {
      person.local.view(of: stream)?.objects.keys.count { $0.kind == .line } ?? 0
    }
    var person = Person()
    let stream = StreamID.category(
      person.server.addList(1, group: GroupID(UUID(high: 3, low: 1))))
    person.connect()
    try person.exchange()
    person.ask(.line(.say(stream, text: "Hello")))
    #expect(held(&person, stream) == 1)
    try person.exchange()
    person.ask(.category(.edit(CategoryID(stream.uuid), CategoryEdit(talk: .off))))
    try person.exchange()
    person.cut()
    person.ask(.line(.say(stream, text: "Hello?")))
    #expect(held(&person, stream) == 1)
  }

  @Test("A line shows at once whomever it names")
  func mentions() throws {
    var (person, list) = try person()
    let stream = StreamID.category(list)
    person.cut()
    person.ask(.line(.say(stream, text: "@author and @nobody.here")))
    let mentions = person.local.view(of: stream)?.objects.values.compactMap { object in
      if case .line(let it) = object { it.mentions.map(\.length) } else { nil }
    }
    #expect(mentions == [[7]])
  }

  @Test("Commands that wait are done again on top of what others do")
  func rebased() throws {
    var (person, list) = try person()
    person.ask(.post(.add(list, post(1), title: "milk", notes: "")))
    try person.exchange()
    person.cut()
    person.ask(.completePost(list, post(1), ifVersion: nil))
    person.ask(.post(.add(list, post(2), title: "bread", notes: "")))
    person.ask(.editPost(list, post(2), PostEdit(title: "rye bread"), ifVersion: nil))
    #expect(person.screen(list) == ["✔milk…", "rye bread…"])
    let stream = StreamID.category(list)
    person.server.write(
      stream, [.post(.edited(post(1), version: 2, PostEdit(title: "oat milk")))])
    person.comeBack()
    // Hello and the tail only.
    try person.serve()
    while !person.toClient.isEmpty { person.receive() }
    #expect(person.screen(list) == ["✔oat milk…", "rye bread…"])
    try person.exchange()
    #expect(person.screen(list) == ["✔oat milk", "rye bread"])
    #expect(person.isLevel)
  }

  @Test("an event of ours is not done a second time on top of what came after it")
  func landed() throws {
    var (person, list) = try person()
    let stream = StreamID.category(list)
    person.ask(.post(.add(list, post(1), title: "milk", notes: "")))
    try person.exchange()
    person.ask(.editPost(list, post(1), PostEdit(title: "mine"), ifVersion: nil))
    try person.serve(eventsFirst: true)
    let later = person.server.write(
      stream, [.post(.edited(post(1), version: 3, PostEdit(title: "theirs")))])
    person.toClient.insert(
      person.server.push(StreamPosition(stream: stream, seq: later.seq)), at: 1)
    person.receive()
    #expect(person.screen(list) == ["mine"])
    person.receive()
    #expect(person.screen(list) == ["theirs"])
    person.receive()
    #expect(person.screen(list) == ["theirs"])
    #expect(person.local.outbox.isEmpty)
  }

  @Test("A command that waits for an occurrence shows the next one, and is done to no other")
  func occurrences() throws {
    var (person, list) = try person()
    let stream = StreamID.category(list)
    func seen() -> Post? {
      guard case .post(let post) = person.local.view(of: stream)?.object(.post, post(1).uuid) else {
        return nil
      }
      return post
    }
    person.ask(.post(.add(PostAddress(category: list, post: post(1)), .daily)))
    try person.exchange()
    person.cut()
    person.ask(.changeOccurrence(list, post(1), 1, .complete))
    person.ask(.changeOccurrence(list, post(1), 2, .skip))
    #expect(person.screen(list) == ["Daily…"])
    #expect(seen()?.occurrence?.number == 3 && seen()?.due == .day(Day(number: 1_005)))
    // Somebody else completes the first one meanwhile.
    let second = Occurrence(number: 2, due: .day(Day(number: 1_004)), start: Day(number: 1_003))
    let stamp = Stamp(at: Timestamp(milliseconds: 1_000), by: UserID(UUID(high: 1, low: 99)))
    person.server.write(
      stream,
      [
        .post(
          .occurred(
            post(1), version: 2, NextOccurrence(1, .completed(stamp), second), Counters(open: 1)))
      ])
    person.comeBack()
    try person.exchange()
    #expect(person.local.outbox.unsent.map(\.reason.kind) == [.conflict])
    #expect(person.local.conflicts.isEmpty)
    #expect(seen()?.occurrence?.number == 3 && seen()?.due == .day(Day(number: 1_005)))
  }

  @Test(
    "a time that was only worked out is no other one that came instead, though it has the number")
  func workedOut() throws {
    for (day, isMeant) in [(1_004, true), (1_006, false)] {
      var (person, list) = try person()
      person.ask(.post(.add(PostAddress(category: list, post: post(1)), .daily)))
      try person.exchange()
      person.cut()
      person.ask(.changeOccurrence(list, post(1), 1, .complete))
      person.ask(
        .batch([.changeOccurrence(list, post(1), 2, .edit(PostEdit(title: "late")))]))
      let named = person.local.outbox.waiting.map(\.command)
      let due = OccurrenceName(2, due: .day(Day(number: 1_004)))
      #expect(named[0] == .changeOccurrence(list, post(1), 1, .complete))
      #expect(
        named[1]
          == .batch([
            .post(
              .change(
                PostAddress(category: list, post: post(1)),
                .occurrence(due, .edit(PostEdit(title: "late"))), ifVersion: nil))
          ]))
      let second = Occurrence(
        number: 2, due: .day(Day(number: day)), start: Day(number: 1_003))
      let stamp = Stamp(at: Timestamp(milliseconds: 1_000), by: UserID(UUID(high: 1, low: 99)))
      person.server.write(
        .category(list),
        [
          .post(
            .occurred(
              post(1), version: 2, NextOccurrence(1, .completed(stamp), second), Counters(open: 1)))
        ])
      person.comeBack()
      try person.exchange()
      #expect(person.screen(list) == [isMeant ? "late" : "Daily"])
      #expect(person.local.outbox.unsent.map(\.reason.kind).allSatisfy { $0 == .conflict })
      #expect(person.local.outbox.unsent.count == (isMeant ? 1 : 2))
    }
  }

  @Test(
    "An occurrence may come next within the same batch, behind commands that wait and other posts")
  func workedOutTogether() throws {
    var (person, list) = try person()
    func over(_ number: Int, _ day: Int? = nil) -> Command {
      let due = day.map { Due.day(Day(number: $0)) }
      return .post(
        .change(
          PostAddress(category: list, post: post(1)),
          .occurrence(OccurrenceName(number, due: due), .complete), ifVersion: nil))
    }
    let other = Command.post(
      .add(
        PostAddress(category: list, post: post(2)), NewPost(title: "Other")))
    person.ask(.post(.add(PostAddress(category: list, post: post(1)), .daily)))
    try person.exchange()
    person.cut()
    person.ask(.batch([over(1), other, over(2), over(3), over(9)]))
    person.ask(.batch([over(1), over(2)]))
    person.ask(.batch([over(3), over(4)]))
    let named = person.local.outbox.waiting.map(\.command)
    // What is not so, as no number nine, is named as it was said: the server refuses it.
    #expect(named[0] == .batch([over(1), other, over(2, 1_004), over(3, 1_005), over(9)]))
    #expect(named[1] == .batch([over(1), over(2, 1_004)]))
    #expect(named[2] == .batch([over(3, 1_005), over(4, 1_006)]))
  }

  @Test("sent again into another history it is of the version and the time that are seen now")
  func anotherHistory() throws {
    var (person, list) = try person()
    person.ask(.post(.add(PostAddress(category: list, post: post(1)), .daily)))
    person.ask(.editPost(list, post(1), PostEdit(title: "Plants"), ifVersion: nil))
    try person.exchange()
    let here = try #require(person.local.cursors[.category(list)])
    let there = CursorPosition(
      epoch: Epoch("7.7"), seq: here.seq, transaction: here.transaction)
    let key = try #require(CommandKey("k8"))
    func again(_ command: Command, _ base: CursorPosition) throws -> Command {
      let queued = QueuedCommand(
        number: 8, command: command, key: key, at: Timestamp(milliseconds: 0), base: base)
      let reason = ServerError(
        kind: .staleBase, code: ErrorKind.staleBase.code, retry: .no, sentence: "")
      return person.local.queueing(
        again: UnsentCommand(queued: queued, reason: reason),
        newKey: try #require(CommandKey("k9")), at: queued.at, number: 9
      ).command
    }
    func commands(_ number: Int, _ version: Int, of post: PostID) -> [Command] {
      let one: [Command] = [
        .changeOccurrence(list, post, number, .skip),
        .changeOccurrence(list, post, number, .edit(PostEdit(title: "x")), ifVersion: version),
        .post(.change(PostAddress(category: list, post: post), .remove, ifVersion: version)),
      ]
      return one + [.batch(one)]
    }
    let never = Command.noVersion
    for (then, now) in zip(commands(5, 9, of: post(1)), commands(1, 2, of: post(1))) {
      #expect(try again(then, there) == now)
      // In the same history they are what was meant.
      #expect(try again(then, here) == then)
    }
    for (then, now) in zip(commands(5, 9, of: post(2)), commands(never, never, of: post(2))) {
      #expect(try again(then, there) == now)
    }
  }

  @Test("several as one change show at once, too")
  func together() throws {
    var (person, list) = try person()
    person.ask(.post(.add(list, post(1), title: "milk", notes: "")))
    person.ask(.post(.add(list, post(2), title: "bread", notes: "")))
    try person.exchange()
    person.cut()
    person.ask(
      .batch([1, 2].map { .completePost(list, post($0), ifVersion: nil) }))
    #expect(person.screen(list) == ["✔milk…", "✔bread…"])
    #expect(person.local.overlay.sending == [])
  }

  @Test("A command that the copies cannot decide shows as sending")
  func undecided() throws {
    var (person, list) = try person()
    person.cut()
    let id = InvitationID(UUID(high: 5, low: 1))
    let number = person.ask(.invitation(.send(id, .category(list), username: "editor", .editor)))
    let unknown = person.ask(.completePost(list, post(99), ifVersion: nil))
    #expect(person.local.overlay.sending == [number, unknown])
    #expect(person.screen(list) == [])
  }

  @Test("a list that was just made does not vanish before its snapshot")
  func newList() throws {
    var person = Person()
    let me = person.server.user
    let own = StreamID.user(me)
    let profile = Profile(
      id: me, username: "author", name: "Author", location: "", zone: "UTC", kind: .person,
      registeredAt: Timestamp(milliseconds: 0))
    person.server.write(own, [.account(.registered(profile))])
    person.connect()
    try person.exchange()
    let list = CategoryID(UUID(high: 2, low: 7))
    person.ask(.category(.add(list, name: "new", group: nil)))
    func isThere(_ person: inout Person) -> Bool { person.local.view(of: .category(list)) != nil }
    #expect(isThere(&person))
    // Only the event of one's own stream and the answer come; the snapshot is late.
    let (messages, made) = try person.server.answer(person.toServer.removeFirst())
    let event = try #require(made.first { $0.stream == own })
    for message in [person.server.push(event)] + messages {
      person.toClient = [message]
      person.receive()
      #expect(isThere(&person))
    }
    #expect(person.local.outbox.waiting.count == 1)
    person.cut()
    person.comeBack()
    try person.exchange()
    #expect(isThere(&person))
    #expect(person.local.outbox.isEmpty)
    #expect(person.isLevel)
  }

  @Test("a refused command stays in not sent, with its text and the reason")
  func refused() throws {
    var (person, list) = try person()
    person.cut()
    let number = person.ask(.post(.add(list, post(1), title: "milk", notes: "two")))
    person.server.write(
      .category(list),
      [.category(.removed(Stamp(at: Timestamp(milliseconds: 0), by: person.server.user)))])
    person.comeBack()
    try person.exchange()
    let unsent = try #require(person.local.outbox.unsent(number))
    #expect(unsent.reason.kind == .gone)
    #expect(unsent.queued.command == .post(.add(list, post(1), title: "milk", notes: "two")))
    #expect(person.screen(list) == [])
    person.crash()
    try person.exchange()
    #expect(person.local.outbox.unsent(number) == unsent)
    person.keep(.discarded(number))
    #expect(person.local.outbox.isEmpty)
  }

  @Test("when the history becomes another one, answers of the old one are not waited for")
  func epoch() throws {
    var (person, list) = try person()
    person.ask(.post(.add(list, post(1), title: "milk", notes: "")))
    try person.serve(lost: true)
    person.receive()
    #expect(person.local.outbox.waiting.count == 1)
    person.server.logs[.category(list)]?.epoch = Epoch("s.2")
    person.server.logs[.category(list)]?.events.removeLast()
    person.cut()
    person.comeBack()
    try person.exchange()
    #expect(person.local.outbox.isEmpty)
  }

  @Test("the end of a session keeps the queue; whoever only waits is told")
  func signedOut() throws {
    var (person, list) = try person()
    person.ask(.post(.add(list, post(1), title: "milk", notes: "")))
    var replica = person.replica
    let effects = replica.closed(.closed(code: 4502), now: 0, random: 0)
    #expect(effects.contains { if case .standing(.ended(.signedOut)) = $0 { true } else { false } })
    #expect(replica.pendingCount == 1)
    #expect(replica.start().isEmpty)
    _ = replica.signIn(token: "another")
    #expect(replica.opened().count == 1)
  }
}
