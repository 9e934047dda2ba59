import Domain
import TestRandom
import Testing

@testable import Wire

@Suite("protocol §6, §7 random values")
struct RandomEventTests {
  @Test("objects and events come back as they were", arguments: 0..<32)
  func roundTrips(round: Int) throws {
    let seed = UInt64(round) &* 7919 &+ 3
    print("seed \(seed)")
    var make = RandomValues(numbers: SeededRandom(seed: seed))
    for _ in 0..<50 {
      let object = make.object()
      let bytes = ObjectCodec.encode(object)
      #expect(try ObjectCodec.decode(bytes) == object)
      let event = make.event()
      let body = EventCodec.encode(event)
      #expect(try EventCodec.decode(body, seq: event.seq) == event)
      #expect(EventCodec.encode(try EventCodec.decode(body, seq: event.seq)) == body)
    }
  }
}

/// Values with every optional there or not, texts with all that JSON must escape.
struct RandomValues {
  var numbers: SeededRandom

  mutating func uuid() -> UUID { UUID(high: numbers.next(), low: numbers.next()) }
  mutating func bool() -> Bool { Bool.random(using: &numbers) }
  mutating func count() -> Int { Int(numbers.next() >> 11) }
  mutating func seq() -> Int64 { Int64(numbers.next() >> 11) }
  mutating func time() -> Timestamp { Timestamp(milliseconds: seq()) }
  mutating func stamp() -> Stamp { Stamp(at: time(), by: UserID(uuid())) }
  mutating func optionalStamp() -> Stamp? { bool() ? stamp() : nil }
  mutating func role() -> Role { bool() ? .editor : .owner }
  mutating func optionalRole() -> Role? { bool() ? role() : nil }
  mutating func grants() -> Grants {
    Grants(direct: optionalRole(), viaGroup: optionalRole(), raised: optionalRole())
  }
  mutating func kind() -> UserKind { bool() ? .person : .bot }
  mutating func reason() -> LeaveReason { bool() ? .left : .removed }

  mutating func counters() -> Counters {
    Counters(open: count() / 4, done: count() / 4, overdue: bool() ? count() / 4 : 0)
  }

  mutating func stream() -> StreamID {
    switch numbers.next() % 3 {
    case 0: .category(CategoryID(uuid()))
    case 1: .group(GroupID(uuid()))
    default: .user(UserID(uuid()))
    }
  }

  mutating func string() -> String {
    let scalars: [Character] = [
      "a", "\"", "\\", "/", "\n", "\t", "\u{1}", "\u{1F}", "\u{7F}", "é", "\u{2028}", "😀", "0",
    ]
    return String(
      (0..<numbers.next() % 12).map { _ in scalars.randomElement(using: &numbers) ?? "x" })
  }

  mutating func optionalString() -> String? { bool() ? string() : nil }

  mutating func post() -> Post {
    var post = Post(
      id: PostID(uuid()), number: count(), title: string(), notes: string(),
      steps: steps(), addedBy: UserID(uuid()), createdAt: time(), updatedAt: time(),
      version: count(),
      completed: bool() ? Completion(at: time(), by: UserID(uuid()), seq: seq()) : nil,
      removed: optionalStamp())
    post.priority = bool() ? Priority.allCases.randomElement(using: &numbers) : nil
    post.color = bool() ? Color.allCases.randomElement(using: &numbers) : nil
    post.due = bool() ? due() : nil
    post.overdue = bool() ? time() : nil
    post.location = bool() ? location() : nil
    post.repeats = bool() ? repetition() : nil
    post.assignees = (0..<numbers.next() % 3).map { _ in
      Assignment(user: UserID(uuid()), seq: seq())
    }
    post.tags = (0..<numbers.next() % 3).map { _ in TagID(uuid()) }
    post.position = position()
    post.claim = bool() ? PostClaim(user: UserID(uuid()), seq: seq(), until: time()) : nil
    post.source = bool() ? source() : nil
    post.submitted = optionalStamp()
    post.mode = bool() ? .each : nil
    post.modeRole = bool() ? Role.withParts.randomElement(using: &numbers) : nil
    post.parts = (0..<numbers.next() % 3).map { _ in
      PostPart(user: UserID(uuid()), at: time(), seq: seq())
    }
    enterContest(&post)
    post.came = bool() ? seq() : nil
    post.lastOccurrence = max(post.lastOccurrence, bool() ? count() : 0)
    post.moved = bool() ? seq() : nil
    post.purged = bool() ? time() : nil
    return post
  }

  mutating func source() -> Source {
    Source(
      name: string(), id: string(), url: optionalString(),
      edited: Source.Field.allCases.filter { _ in bool() })
  }

  mutating func repetition() -> Repetition {
    let rules = ["FREQ=DAILY", "FREQ=WEEKLY;BYDAY=MO,TU;UNTIL=20301231", "FREQ=MONTHLY;COUNT=7"]
    do {
      return Repetition(
        try RecurrenceRule(rules[Int(numbers.next() % 3)]), basis: bool() ? .due : .completion,
        missed: bool() ? .kept : .dropped,
        rotation: bool() ? nil : bool() ? .turn : .least, confirms: bool(), occurrence: occurrence()
      )
    } catch {
      preconditionFailure("rules of the table")
    }
  }

  mutating func next() -> NextOccurrence {
    NextOccurrence(count(), bool() ? .completed(stamp()) : .skipped(stamp()), occurrence())
  }

  mutating func occurrence() -> Occurrence {
    Occurrence(
      number: count(), due: due(), start: Day(number: Int(numbers.next() % 2_000_000)),
      taken: 1 + count(), last: optionalStamp(), turn: bool() ? UserID(uuid()) : nil,
      turns: bool() ? [] : [TurnCount(user: UserID(uuid()), times: count())])
  }

  mutating func due() -> Due {
    let day = Day(number: Int(numbers.next() % 2_000_000))
    return bool() ? .day(day) : .time(day, minute: Int(numbers.next() % 1_440), zone: string())
  }

  mutating func location() -> Location {
    let point = GeoPoint(
      latitude: Int(numbers.next() % 180_000_001) - 90_000_000,
      longitude: Int(numbers.next() % 360_000_001) - 180_000_000)
    return Location(text: string(), point: bool() ? point : nil)
  }

  mutating func change<Value>(_ value: Value?) -> FieldChange<Value> {
    value.map(FieldChange.set) ?? (bool() ? .clear : .keep)
  }

  mutating func postEdit() -> PostEdit {
    let values = post()
    return PostEdit(
      title: optionalString(), notes: optionalString(), priority: change(values.priority),
      color: change(values.color), due: change(values.due), location: change(values.location),
      repeats: change(values.repeats), mode: change(values.mode),
      modeRole: change(values.modeRole), contest: change(values.contest),
      goal: change(values.goal))
  }

  mutating func tag() -> Domain.Tag {
    let color = bool() ? Color.allCases.randomElement(using: &numbers) : nil
    return Domain.Tag(id: TagID(uuid()), name: string(), color: color)
  }

  mutating func step() -> Step {
    let finish = StepFinish(stamp(), withPost: bool())
    return Step(id: StepID(uuid()), content: string(), finished: bool() ? finish : nil)
  }

  mutating func position() -> Position? {
    bool() ? nil : Position(String(count(), radix: 36) + "i")
  }

  mutating func steps() -> [Step] { bool() ? [] : (0..<1 + numbers.next() % 4).map { _ in step() } }

  mutating func category() -> Domain.Category {
    var category = Domain.Category(
      id: CategoryID(uuid()), name: string(), group: bool() ? GroupID(uuid()) : nil,
      history: bool() ? .all : .joined, added: stamp(), removed: optionalStamp(), lastPost: count(),
      counters: counters())
    if bool() { category.zone = string() }
    category.color = bool() ? Color.allCases.randomElement(using: &numbers) : nil
    category.archived = optionalStamp()
    category.talk = bool() ? .off : .on
    return category
  }

  mutating func profile() -> Profile {
    var profile = Profile(
      id: UserID(uuid()), username: string(), name: string(), location: string(),
      zone: string(), kind: kind(), invitedBy: invitedBy(), registeredAt: time())
    profile.locale = string()
    profile.isGuest = bool()
    profile.endsAt = bool() ? time() : nil
    profile.owner = bool() ? UserID(uuid()) : nil
    return profile
  }

  mutating func invitedBy() -> InvitedBy {
    InvitedBy.allCases[Int(numbers.next() % UInt64(InvitedBy.allCases.count))]
  }

  mutating func block() -> Block { Block(user: UserID(uuid()), username: string(), at: time()) }

  mutating func member() -> Member {
    var member = Member(
      id: UserID(uuid()), username: string(), name: string(), kind: kind(), grants: grants(),
      joinedSeq: seq())
    member.isGuest = bool()
    return member
  }

  mutating func link() -> GuestLink {
    GuestLink(
      id: LinkID(uuid()), guest: UserID(uuid()), made: stamp(), endsAt: time(), seq: seq())
  }

  mutating func invitation() -> Invitation {
    Invitation(
      id: InvitationID(uuid()), stream: stream(), streamName: string(), user: UserID(uuid()),
      username: string(), role: role(), sent: stamp(), senderUsername: string())
  }

  mutating func code() -> InvitationCode {
    InvitationCode(
      id: InvitationID(uuid()), role: role(), uses: count(), used: count(), made: stamp(),
      endsAt: time())
  }

  mutating func object() -> Object {
    let kinds = ObjectKind.allCases
    switch kinds[Int(numbers.next() % UInt64(kinds.count))] {
    case .category: return .category(category())
    case .group: return .group(Group(id: GroupID(uuid()), name: string(), added: stamp()))
    case .groupCategory: return .groupCategory(GroupCategory(id: CategoryID(uuid())))
    case .profile: return .profile(profile())
    case .member: return .member(member())
    case .post: return .post(post())
    case .invitation: return .invitation(invitation())
    case .invitationCode: return .invitationCode(code())
    case .link: return .link(link())
    case .membership: return .membership(membership())
    case .readMark: return .readMark(ReadMark(stream: stream(), seq: seq()))
    case .notice:
      return .notice(
        Notice(
          kind: [.invited, .removed, .roleChanged, .assigned][Int(numbers.next() % 4)], seq: seq(),
          opIndex: count(), at: time(),
          by: bool() ? UserID(uuid()) : nil, stream: stream(), post: bool() ? PostID(uuid()) : nil))
    case .declines: return .declines(Declines(stream: stream(), times: count()))
    case .block: return .block(block())
    case .personal: return .personal(personal())
    case .settings: return .settings(settings())
    case .reminder:
      return .reminder(KeptReminder(reminded(), told: time(), seq: seq(), opIndex: count()))
    case .tag: return .tag(tag())
    case .filter: return .filter(filter())
    case .line: return .line(talkLine())
    case .comments:
      return .comments(
        Comments(on: PostID(uuid()), count: 1 + count(), last: time(), seq: seq()))
    case .reactions:
      let given = (0...count() % 3).map { _ in
        Reaction(user: UserID(uuid()), sign: string(), post: PostID(uuid()))
      }
      return .reactions(Reactions(to: seq(), given))
    }
  }

  mutating func work() -> CompletedWork {
    CompletedWork(post: PostID(uuid()), by: UserID(uuid()))
  }

  mutating func filter() -> Filter {
    let criteria = PostWhere(
      state: PostState.allCases[Int(numbers.next() % 4)], by: bool() ? .me : nil,
      assignee: bool() ? .user(UserID(uuid())) : nil, tag: bool() ? TagID(uuid()) : nil,
      priority: bool() ? .low : nil)
    return Filter(
      id: FilterID(uuid()), name: string(), criteria,
      days: bool() ? DayWindow(from: bool() ? -count() : nil, until: count()) : nil,
      in: bool() ? [CategoryID(uuid()), CategoryID(uuid())] : nil,
      sort: ViewSort.allCases[Int(numbers.next() % 4)])
  }

  mutating func mark() -> PostMark {
    let (tag, user) = (TagID(uuid()), UserID(uuid()))
    let marks: [PostMark] = [
      .tagged(tag), .untagged(tag), .assigned(user), .unassigned(user), .submitted(stamp()),
      .returned, .partCompleted(user), .partReopened(user),
    ]
    return marks[Int(numbers.next() % 8)]
  }

  mutating func overdueOp() -> Op {
    let marks: [OverdueMark] = [.became(time()), .again(time()), .taken]
    return .post(.overdue(PostID(uuid()), marks[Int(numbers.next() % 3)], counters()))
  }

  mutating func importOp() -> Op {
    .post(.imported(PostID(uuid()), version: count(), postEdit(), bool() ? source() : nil))
  }

  mutating func claimOp() -> ClaimOp {
    let ops: [ClaimOp] = [
      .taken(UserID(uuid()), until: time(), version: count()), .released(version: count()), .ended,
    ]
    return ops[Int(numbers.next() % 3)]
  }

  mutating func runOp() -> RunOp {
    let end = RunEnd(
      run: RunID(uuid()), user: UserID(uuid()),
      outcome: RunOutcome.allCases[Int(numbers.next() % 4)], startedAt: time(),
      text: optionalString(), usual: bool() ? Int64(count()) : nil, recovers: bool())
    let ops: [RunOp] = [
      .started(RunID(uuid()), UserID(uuid()), lease: Int64(count()), phase: optionalString()),
      .phase(RunID(uuid()), string()), .ended(end),
    ]
    return ops[Int(numbers.next() % 3)]
  }

  mutating func tagOp() -> TagOp {
    let edit = TagEdit(name: optionalString(), color: change(tag().color))
    let ops: [TagOp] = [
      .added(tag()), .restored(tag()), .edited(TagID(uuid()), edit), .removed(TagID(uuid())),
    ]
    return ops[Int(numbers.next() % 4)]
  }

  mutating func op() -> Op {
    let kind = OpKind.allCases[Int(numbers.next() % UInt64(OpKind.allCases.count))]
    switch kind {
    case .category(let kind): return categoryOp(kind)
    case .post(let kind): return postOp(kind)
    case .step(let kind): return stepOp(kind)
    case .mark: return .post(.marked(PostID(uuid()), version: count(), mark()))
    case .overdue: return overdueOp()
    case .claim: return .claim(PostID(uuid()), claimOp())
    case .run: return .run(PostID(uuid()), runOp())
    case .contest: return .post(.contest(PostID(uuid()), contestOp()))
    case .tag: return .tag(tagOp())
    case .group(let kind): return .group(groupOp(kind))
    case .member(let kind): return .member(memberOp(kind))
    case .person(.upgraded):
      return .person(.upgraded(UserID(uuid()), username: string(), name: string()))
    case .person(.forgotten): return .person(.forgotten(UserID(uuid())))
    case .invitation(let kind): return .invitation(invitationOp(kind))
    case .code(.made): return .code(.made(code()))
    case .code(.used): return .code(.used(InvitationID(uuid()), times: count()))
    case .code(.ended): return .code(.ended(InvitationID(uuid())))
    case .link: return .link(bool() ? .made(link()) : .ended(LinkID(uuid())))
    case .account(let kind): return .account(accountOp(kind))
    case .membership(let kind): return .membership(membershipOp(kind))
    case .block(.blocked): return .block(.blocked(block()))
    case .block(.unblocked): return .block(.unblocked(UserID(uuid())))
    case .reaction(.reacted):
      return .reaction(.reacted(event: seq(), work(), sign: optionalString()))
    case .line(let kind): return .line(lineOp(kind))
    case .reaction(.ended): return .reaction(.ended(event: seq()))
    case .filter(.saved): return .filter(.saved(filter()))
    case .filter(.removed): return .filter(.removed(FilterID(uuid())))
    case .personal(let kind): return .personal(personalOp(kind))
    }
  }

  private mutating func categoryOp(_ kind: CategoryOp.Kind) -> Op {
    switch kind {
    case .added: .category(.added(category()))
    case .edited: .category(.edited(categoryEdit()))
    case .removed: .category(.removed(stamp()))
    case .restored: .category(.restored)
    case .archived: .category(.archived(stamp()))
    case .unarchived: .category(.unarchived)
    }
  }

  private mutating func postOp(_ kind: PostOp.Kind) -> Op {
    switch kind {
    case .added: .post(.added(post(), counters()))
    case .edited: .post(.edited(PostID(uuid()), version: count(), postEdit()))
    case .completed: .post(.completed(PostID(uuid()), version: count(), stamp(), counters()))
    case .reopened: .post(.reopened(post(), counters()))
    case .removed: .post(.removed(PostID(uuid()), version: count(), stamp(), counters()))
    case .restored: .post(.restored(post(), counters()))
    case .erased: .post(.erased(PostID(uuid()), version: count(), stamp()))
    case .purged: .post(.purged(PostID(uuid()), bool() ? source() : nil))
    case .occurred: .post(.occurred(PostID(uuid()), version: count(), next(), counters()))
    case .moved: .post(.moved(PostID(uuid()), version: count(), position()))
    case .movedOut: .post(.movedOut(PostID(uuid()), version: count(), stamp(), counters()))
    case .movedIn: .post(.movedIn(post(), counters()))
    case .imported: importOp()
    }
  }

  private mutating func stepOp(_ kind: StepOp.Kind) -> Op {
    let op: StepOp =
      switch kind {
      case .added: .added(step())
      case .edited: .edited(StepID(uuid()), content: string())
      case .removed: .removed(StepID(uuid()))
      case .moved: .moved(StepID(uuid()), before: bool() ? StepID(uuid()) : nil)
      case .completed: .completed([StepID(uuid())], StepFinish(stamp(), withPost: bool()))
      case .reopened: .reopened(StepID(uuid()))
      case .set: .set(steps())
      }
    return .step(PostID(uuid()), version: count(), op)
  }

  private mutating func groupOp(_ kind: GroupOp.Kind) -> GroupOp {
    switch kind {
    case .added: .added(Group(id: GroupID(uuid()), name: string(), added: stamp()))
    case .edited: .edited(name: optionalString(), talk: bool() ? .off : nil)
    case .removed: .removed(stamp(), with: [CategoryID(uuid())])
    case .restored: .restored
    case .categoryAdded: .categoryAdded(CategoryID(uuid()))
    }
  }

  private mutating func memberOp(_ kind: MemberOp.Kind) -> MemberOp {
    switch kind {
    case .added: .added(member())
    case .updated: .updated(UserID(uuid()), name: string())
    case .granted: .granted(UserID(uuid()), grants())
    case .removed: .removed(UserID(uuid()), reason(), direct: bool())
    }
  }

  private mutating func membershipOp(_ kind: MembershipOp.Kind) -> MembershipOp {
    switch kind {
    case .added: .added(membership())
    case .moved: .moved(stream(), place())
    case .granted: .granted(Membership(stream: stream(), role: role()))
    case .roleChanged: .roleChanged(Membership(stream: stream(), role: role()))
    case .removed: .removed(stream(), reason())
    }
  }

  private mutating func membership() -> Membership {
    Membership(stream: stream(), role: role(), position: bool() ? place() : nil)
  }

  private mutating func place() -> Position {
    .of(number: Int(numbers.next() % 10_000_000_000))
  }

  private mutating func accountOp(_ kind: AccountOp.Kind) -> AccountOp {
    switch kind {
    case .registered: .registered(profile())
    case .ending: .ending(time())
    case .kept: .kept
    case .given: .given(to: UserID(uuid()))
    case .edited:
      .edited(
        ProfileEdit(
          name: optionalString(), location: optionalString(), zone: optionalString(),
          invitedBy: bool() ? invitedBy() : nil, locale: optionalString()))
    }
  }

  private mutating func invitationOp(_ kind: InvitationOp.Kind) -> InvitationOp {
    switch kind {
    case .sent: .sent(invitation())
    case .accepted: .accepted(InvitationID(uuid()))
    case .declined: .declined(InvitationID(uuid()))
    case .revoked: .revoked(InvitationID(uuid()))
    case .expired: .expired(InvitationID(uuid()))
    case .heldBack: .heldBack(InvitationID(uuid()))
    }
  }

  private mutating func categoryEdit() -> CategoryEdit {
    CategoryEdit(
      name: optionalString(), history: bool() ? .joined : nil, zone: optionalString(),
      color: change(post().color), talk: bool() ? .off : nil)
  }

  mutating func event() -> Event {
    Event(
      seq: seq(), transaction: TransactionID(uuid()), at: time(),
      by: bool() ? UserID(uuid()) : nil, key: bool() ? CommandKey("k:\(count())") : nil,
      ops: (0..<1 + numbers.next() % 4).map { _ in op() })
  }
}
