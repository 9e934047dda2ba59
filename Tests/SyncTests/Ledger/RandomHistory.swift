import Domain
import TestRandom
import Testing

@testable import Sync

/// A random history: commands of few people on few things, so that they meet, in batches that commit or not.
struct RandomHistory {
  var bench: LedgerBench
  var random: SeededRandom
  /// The submissions that were committed, with their results.
  private(set) var answered: [(Submission, CommandResult)] = []
  /// The states on the way: stream, number, objects.
  private(set) var snapshots: [(stream: StreamID, seq: Int64, objects: [Object])] = []
  private(set) var refusals = 0
  private var invitations = 0
  private var posts = 0

  static let users: [UserID] = ["a", "b", "c", "d"]
  static let filters = [UUID(high: 0xF, low: 1), UUID(high: 0xF, low: 2)]

  init(seed: UInt64, cacheBytesMax: Int) {
    bench = LedgerBench(cacheBytesMax: cacheBytesMax)
    random = SeededRandom(seed: seed)
    for letter in "abcd".unicodeScalars {
      bench.must(.account(.register(Registration(letter))), by: UserID(letter))
    }
    bench.must(.group(.add(1, name: "G")), by: "a")
    bench.must(.category(.add(1, name: "A", group: 1)), by: "a")
    bench.must(.category(.add(2, name: "B", group: nil)), by: "b")
  }

  mutating func runBatch() {
    bench.now = Timestamp(
      milliseconds: bench.now.milliseconds + Int64.random(in: -50...100, using: &random))
    let before = bench.content
    var batch: [(Submission, CommandResult)] = []
    for _ in 0..<Int.random(in: 1...6, using: &random) {
      let submission = nextSubmission()
      let (result, repeated) = bench.settle(submission)
      switch result {
      case .success(let result) where !repeated: batch.append((submission, result))
      case .success: break
      case .failure: refusals += 1
      }
    }
    guard Int.random(in: 0..<8, using: &random) > 0 else {
      bench.ledger.rolledBack(forget: Bool.random(using: &random))
      #expect(bench.ledger.staged.isEmpty)
      #expect(bench.content == before)
      return
    }
    bench.commit()
    answered += batch
    passTime()
    if Int.random(in: 0..<12, using: &random) == 0 { takeSnapshots() }
  }

  /// Lets time pass. Dues of the first day that `nextEdit` sets are over soon, those of the second later.
  private mutating func passTime() {
    if Int.random(in: 0..<4, using: &random) == 0 { bench.checkDues() }
    guard Int.random(in: 0..<4, using: &random) == 0 else { return }
    let day = Int64(answered.count < 40 ? 20_781 : 20_790)
    bench.now = max(bench.now, Timestamp(milliseconds: day * 86_400_000))
    bench.tellOverdue()
    bench.endClaims()
    bench.emptyBin(keeping: 300)
  }

  private mutating func takeSnapshots() {
    for (stream, events) in bench.content.events {
      guard let last = events.last else { continue }
      snapshots.append((stream, last.seq, bench.snapshot(of: stream)))
    }
  }

  private mutating func nextSubmission() -> Submission {
    if let (old, _) = answered.randomElement(using: &random),
      Int.random(in: 0..<10, using: &random) == 0
    {
      return old
    }
    let category = CategoryID(Int.random(in: 1...4, using: &random))
    let user = nextUser(in: .category(category))
    guard Int.random(in: 0..<5, using: &random) == 0 else {
      return bench.submission(of: nextCommand(on: category, by: user), by: user)
    }
    return bench.submission(of: nextBatch(on: category, by: user), by: user)
  }

  /// Returns a batch, mostly of commands that are not refused by themselves.
  private mutating func nextBatch(on category: CategoryID, by user: UserID) -> Command {
    var commands: [Command] = []
    for _ in 0..<Int.random(in: 1...5, using: &random) {
      let command = nextCommand(on: category, by: user)
      guard command.method.row.standsInBatch else { continue }
      var alone = bench
      alone.ledger.rolledBack(forget: false)
      let trial = alone.settle(alone.submission(of: command, by: user))
      if case .failure = trial.0, Int.random(in: 0..<6, using: &random) > 0 { continue }
      commands.append(command)
    }
    return .batch(commands.isEmpty ? [.markRead(.category(category), seq: 0)] : commands)
  }

  /// Returns a user, mostly one who is in the stream.
  private mutating func nextUser(in stream: StreamID) -> UserID {
    let there = (bench.content.access[stream] ?? [:]).keys.sorted()
    let present = there.filter { !$0.uuid.isLinkGuest }
    guard !present.isEmpty, Int.random(in: 0..<6, using: &random) > 0 else {
      return pick(Self.users)
    }
    return pick(present)
  }

  private mutating func nextCommand(on category: CategoryID, by user: UserID) -> Command {
    let post = knownPost(in: .category(category))
    let version = pick([nil, nil, nil, 1, 2])
    return switch Int.random(in: 0..<87, using: &random) {
    case 0: .category(.add(category, name: pick(["A", "B"]), group: pick([nil, 1, 2])))
    case 1: .category(.edit(category, nextCategoryEdit()))
    case 2: Bool.random(using: &random) ? .category(.remove(category)) : revocation(by: user)
    case 3, 4: .category(.restore(category))
    case 58: .category(.archive(category))
    case 59, 60: .category(.unarchive(category))
    case 5, 6, 7: .post(.add(category, freshPost(), title: "t", notes: pick(["", "n"])))
    case 8: .editPost(category, post, nextEdit(), ifVersion: version)
    case 9, 10:
      .post(
        .change(
          category, post, pick([.complete, .complete, .completeForAll]), ifVersion: version))
    case 46: .post(.add(PostAddress(category: category, post: freshPost()), .daily))
    case 47...51: change(occurrenceOf: post, in: category)
    case 11: .reopenPost(category, post, ifVersion: version)
    case 12: .removePost(category, post, ifVersion: version)
    case 13: .restorePost(category, post, ifVersion: version)
    case 14: .group(.add(pick([1, 2]), name: "G"))
    case 15, 16, 17: nextInvitation(by: user)
    case 18, 19, 20, 21: answer(by: user)
    case 22: .member(.leave(place(), successor: pick([nil, pick(Self.users)])))
    case 23: .member(.remove(place(), pick(Self.users)))
    case 30:
      .member(.setRole(place(), pick(Self.users), pick([.doer, .editor, .editor, .admin, .owner])))
    case 31:
      pick([
        .group(.edit(1, name: pick(["G", "H"]))), .group(.remove(2)), .group(.restore(2)),
        .group(.restore(2)), .post(.add(category, freshPost(), title: "t", notes: "")),
      ])
    case 37: newCode(by: user)
    case 38: redemption()
    case 24: Bool.random(using: &random) ? nextReach() : nextPersonal(post, in: category)
    case 25, 26, 27: undo(in: .category(category), by: user)
    case 28: .erasePost(category, post)
    case 32...36: change(stepOf: post, in: category, version)
    case 44, 45: nextTag(of: category)
    case 39: .post(.change(category, post, .tag(TagID(pick([1, 2, 3]))), ifVersion: version))
    case 41, 42: .post(.change(category, post, .assign(pick(Self.users)), ifVersion: version))
    case 43: .post(.change(category, post, .unassign(pick(Self.users))))
    case 40: .post(.change(category, post, .untag(TagID(pick([1, 2])))))
    case 52, 53: move(post, in: category, version)
    case 54, 55, 56: .movePost(category, post, to: pick([1, 2, 3, 4]), ifVersion: version)
    case 65: .link(.make(Self.link(pick([1, 2, 3])), category, NewLink(days: pick([1, 2]))))
    case 66: .link(.revoke(Self.link(pick([1, 2, 3])), category))
    case 61, 62, 63, 64: claim(post, in: category, version)
    case 69, 70, 71, 72: run(post, in: category)
    case 79: beginContest(post, in: category)
    case 80...86: contest(post, in: category)
    case 67, 68: importing(to: category)
    case 73, 74: reaction(in: category)
    case 75, 76, 77, 78: talk(in: place(), about: post)
    case 57: .post(.change(category, post, .copy(as: freshPost(), to: pick([1, 2, 3, 4]))))
    default: .markRead(place(), seq: Int64.random(in: 0...20, using: &random))
    }
  }

  private mutating func nextCategoryEdit() -> CategoryEdit {
    pick([
      CategoryEdit(name: "A"), CategoryEdit(name: "B"),
      CategoryEdit(zone: pick(["UTC", "Etc/GMT-3"])),
      CategoryEdit(name: "C", color: pick([.clear, .set(.red)])),
    ])
  }

  /// Returns a change of steps. There are few steps, so that changes meet, and all of them are finished now and then.
  private mutating func change(
    stepOf post: PostID, in category: CategoryID, _ version: Int?
  ) -> Command {
    let change = pick(
      [
        .add(content: pick(["s", "t"])), .add(content: "u"), .edit(content: pick(["s", "t"])),
        .complete, .complete, .complete, .reopen, .remove, .move(before: pick([nil, 1, 2])),
      ] as [StepChange])
    return .changeStep(category, post, pick([1, 2, 3]), change, ifVersion: version)
  }

  /// Returns a change of an occurrence, mostly of the present one.
  private mutating func change(occurrenceOf post: PostID, in category: CategoryID) -> Command {
    let now = bench.objects(.post, in: .category(category)).compactMap { object -> Int? in
      guard case .post(let it) = object, it.id == post else { return nil }
      return it.occurrence?.number
    }.first
    let change: OccurrenceChange = pick([
      .complete, .complete, .completeForAll, .skip, .remove, .finish(1),
    ])
    return .changeOccurrence(category, post, pick([now ?? 1, now ?? 1, 1, 2]), change)
  }

  /// Returns a claim. Some claims are for less time than passes until the next one.
  private mutating func claim(
    _ post: PostID, in category: CategoryID, _ version: Int?
  ) -> Command {
    let milliseconds: Int64 = pick([1_000, 30_000, 86_400_000])
    return switch Int.random(in: 0..<4, using: &random) {
    case 0: .post(.change(category, post, .release, ifVersion: version))
    case 1: .post(.claimNext(category, milliseconds: milliseconds))
    default: .post(.change(category, post, .claim(milliseconds: milliseconds), ifVersion: version))
    }
  }

  /// Returns a change of a run. There are few runs, so that they meet.
  private mutating func run(_ post: PostID, in category: CategoryID) -> Command {
    let change: RunChange = pick([
      .start(lease: 60_000, phase: pick([nil, "p"])), .start(lease: 60_000, phase: nil),
      .phase(pick(["p", "q"])), .end(pick(RunOutcome.told), text: pick([nil, "t"])),
    ])
    return .changeRun(category, post, RunID(UUID(high: 0xA, low: pick([1, 2, 3, 4]))), change)
  }

  /// Returns a move between two posts that may stand in any order, or to an end.
  private mutating func move(
    _ post: PostID, in category: CategoryID, _ version: Int?
  ) -> Command {
    let (upper, lower) = (
      knownPost(in: .category(category)), knownPost(in: .category(category))
    )
    return switch Int.random(in: 0..<3, using: &random) {
    case 0: .movePost(category, post, after: upper, before: nil, ifVersion: version)
    case 1: .movePost(category, post, after: nil, before: lower, ifVersion: version)
    default: .movePost(category, post, after: upper, before: lower, ifVersion: version)
    }
  }

  /// Returns an undo of one of the last events or of several, mostly after a look at what it would do.
  private mutating func undo(in stream: StreamID, by user: UserID) -> Command {
    let head = Int64(bench.content.events[stream]?.count ?? 1)
    var events: Set<Int64> = []
    for _ in 0..<pick([1, 1, 1, 4]) {
      events.insert(max(1, head - Int64.random(in: 0..<8, using: &random)))
    }
    let blind = UndoTarget(stream: stream, events: events.sorted(), seen: nil)
    guard Int.random(in: 0..<4, using: &random) > 0,
      case .success(let plan) = bench.undoPlan(blind, by: user)
    else { return .undo(blind) }
    return .undo(UndoTarget(stream: stream, events: events.sorted(), seen: plan.seen))
  }

  private mutating func nextEdit() -> PostEdit {
    let day = Day(number: pick([20_780, 20_781]))
    return pick([
      PostEdit(title: pick(["t", "u"])), PostEdit(priority: pick([.clear, .set(.high)])),
      PostEdit(color: pick([.clear, .set(.red)]), due: pick([.clear, .set(.day(day))])),
      PostEdit(location: pick([.clear, .set(Location(text: "l"))])),
      PostEdit(mode: pick([.clear, .set(.each), .set(.each)])),
      PostEdit(
        mode: pick([.keep, .set(.each)]), modeRole: pick([.clear, .set(.doer), .set(.editor)])),
      PostEdit(title: "t", due: .set(.time(day, minute: 60, zone: "UTC"))),
      PostEdit(due: .set(.day(day)), repeats: .set(.days(pick([1, 2])))),
      PostEdit(due: .set(.day(day)), repeats: .set(.days(confirms: true))),
      PostEdit(repeats: pick([.clear, .set(.days(2, .completion, count: 2))])),
    ])
  }

  private mutating func nextTag(of category: CategoryID) -> Command {
    let change: TagChange = pick([
      .add(name: pick(["x", "X", "y"])), .add(name: pick(["x", "z"]), color: .red), .remove,
      .edit(TagEdit(name: pick([nil, "x", "w"]), color: pick([.clear, .set(.green)]))),
    ])
    return .changeTag(category, TagID(pick([1, 2, 3])), change)
  }

  /// Returns a new number, or the last one again.
  private mutating func freshPost() -> PostID {
    posts += Int.random(in: 0...1, using: &random)
    return PostID(posts)
  }

  private mutating func nextInvitation(by user: UserID) -> Command {
    invitations += 1
    return .invitation(
      .send(
        InvitationID(invitations), ownPlace(of: user),
        username: "user-\(pick(["a", "b", "c", "d"]))", pick([.editor, .owner])))
  }

  /// Returns a setting of who may invite whom, which keeps people apart for a while.
  private mutating func nextReach() -> Command {
    let other = pick(["a", "b", "c", "d"] as [Unicode.Scalar])
    return pick([
      .account(
        .editProfile(ProfileEdit(name: pick(["N", "M", "O"]), locale: pick([nil, "pt", ""])))),
      .account(.editProfile(ProfileEdit(invitedBy: pick([.anybody, .anybody, .shared, .nobody])))),
      .person(.block(username: "user-\(other)")), .person(.unblock(UserID(other))),
      .person(.unblock(UserID(other))),
      .filter(.save(Filter(id: FilterID(pick(Self.filters)), name: pick(["x", "X", "y"])))),
      .filter(.remove(FilterID(pick(Self.filters)))),
      .category(.move(pick([1, 2, 3, 4]), before: pick([nil, 1, 2, 3]))),
    ])
  }

  private mutating func newCode(by user: UserID) -> Command {
    invitations += 1
    let new = NewCode(role: pick([.editor, .admin]), uses: pick([1, 2]), days: 1)
    return .invitation(.makeCode(InvitationID(invitations), ownPlace(of: user), new))
  }

  /// Returns an import of two things of another program, which says different things of them each time.
  private mutating func importing(to category: CategoryID) -> Command {
    .post(
      .importUpsert(
        PostAddress(category: category, post: freshPost()),
        ImportedPost(
          source: SourceKey(name: "forge", id: pick(["1", "2"])), url: nil,
          fields: PostEdit(title: pick(["i", "j"]), notes: pick([nil, "n", ""])))))
  }

  private static func link(_ number: UInt64) -> LinkID { LinkID(UUID(high: 7, low: number)) }

  /// Returns a command to redeem any code that there is.
  private mutating func redemption() -> Command {
    let stream = place()
    let codes = bench.objects(.invitationCode, in: stream).map(\.key.id).sorted()
    guard !codes.isEmpty else { return .invitation(.redeem(CodeInHand(text: ""))) }
    let code = InvitationID(pick(codes))
    return .invitation(.redeem(CodeInHand(text: "", opens: .invitation(code, stream))))
  }

  /// Returns a command about an invitation, mostly one in the user's own inbox.
  private mutating func answer(by user: UserID) -> Command {
    let inbox = bench.objects(.invitation, in: .user(user)).compactMap { object -> Invitation? in
      guard case .invitation(let it) = object else { return nil }
      return it
    }.sorted { $0.id < $1.id }
    guard let it = inbox.first else { return .invitation(.accept(InvitationID(invitations))) }
    return Int.random(in: 0..<6, using: &random) == 0
      ? .invitation(.decline(it.id)) : .invitation(.accept(it.id))
  }

  private mutating func revocation(by user: UserID) -> Command {
    let stream = ownPlace(of: user)
    let pending = bench.objects(.invitation, in: stream).map { InvitationID($0.key.id) }.sorted()
    return .invitation(.revoke(pending.first ?? InvitationID(invitations), stream))
  }

  /// Returns a place that the user owns, if there is one.
  private mutating func ownPlace(of user: UserID) -> StreamID {
    let own = bench.content.access.keys.sorted().filter {
      $0.letter != UInt8(ascii: "u") && bench.content.access[$0]?[user]?.role == .owner
    }
    return own.isEmpty ? place() : pick(own)
  }

  private mutating func knownPost(in stream: StreamID) -> PostID {
    let known = (bench.content.rows[stream] ?? [:]).keys.filter { $0.kind == .post }.sorted()
    return known.isEmpty ? PostID(1) : PostID(pick(known).id)
  }

  private mutating func place() -> StreamID {
    Int.random(in: 0..<3, using: &random) == 0
      ? .group(pick([1, 2])) : .category(CategoryID(Int.random(in: 1...4, using: &random)))
  }

  mutating func pick<Value>(_ values: [Value]) -> Value {
    values[Int.random(in: 0..<values.count, using: &random)]
  }
}
