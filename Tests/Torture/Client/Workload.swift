// The next actions of a client: seeded choices over everything that it sees. Every command, its refusals and its
// repetitions come up, and the lists stay so small that they can be compared whole. Completed posts stay, so that in a
// long run the oldest leave the state.

import Client
import Domain
import TestRandom
import Wire

/// A generator with the choices that the workload makes.
struct TortureRandom: RandomNumberGenerator {
  private var random: SeededRandom
  init(seed: UInt64) { random = SeededRandom(seed: seed) }

  mutating func next() -> UInt64 { random.next() }
  mutating func below(_ bound: Int) -> Int { Int.random(in: 0..<bound, using: &self) }
  mutating func percent(_ share: Int) -> Bool { below(100) < share }
}

/// A command under way or done.
struct Attempt {
  enum Purpose: String {
    case new
    /// The same command again, after its answer.
    case `repeat`
    /// Another command with a key that was used.
    case reuse
  }

  let purpose: Purpose
  var command: Command
  let key: CommandKey
  /// The number, counted in each run of the program from 1; 0 for a command that an earlier run has queued.
  var number: Int64 = 0
}

struct Workload {
  /// The number of open posts above which some go.
  static let postsEnough = 60
  static let rememberedMax = 100

  var random: TortureRandom
  private let usernames: [String]
  /// The commands that were answered with a result, newest last.
  private var settled: [(command: Command, key: CommandKey)] = []
  /// The events of these commands, newest last.
  private var done: [StreamPosition] = []

  init(seed: UInt64, users: Int) {
    random = TortureRandom(seed: seed)
    usernames = (0..<users).map { "tom\($0)" }
  }

  mutating func pause() -> Int { 30 + random.below(1_500) }

  mutating func burst() -> Int { random.percent(10) ? 1 + random.below(20) : 1 + random.below(3) }

  mutating func settled(_ attempt: Attempt, _ result: CommandResult) {
    guard attempt.purpose == .new else { return }
    settled.append((attempt.command, attempt.key))
    if settled.count > Workload.rememberedMax { settled.removeFirst() }
    done += result.events.filter { CategoryID(of: $0.stream) != nil }
    done.removeFirst(max(0, done.count - Workload.rememberedMax))
  }

  /// Returns the next attempt; nil when there is nothing to do here.
  mutating func next(_ client: Client) -> Attempt? {
    if !settled.isEmpty, random.percent(5) { return old() }
    guard let command = command(client) else { return nil }
    return Attempt(purpose: .new, command: command, key: Identifiers.key())
  }

  private mutating func old() -> Attempt? {
    guard let (command, key) = settled.randomElement(using: &random) else { return nil }
    guard random.percent(30), case .post(.add(let address, _)) = command else {
      return Attempt(purpose: .repeat, command: command, key: key)
    }
    let other = Command.post(.add(address, NewPost(title: "another title")))
    return Attempt(purpose: .reuse, command: other, key: key)
  }

  private mutating func command(_ client: Client) -> Command? {
    guard let user = client.user else { return nil }
    if let answer = invitation(client.streams[.user(user)]) { return answer }
    // The view has waiting changes on top: a post may be edited before its list has heard of it.
    let lists = client.view.values.compactMap(List.init).sorted { $0.id < $1.id }
    guard let list = lists.randomElement(using: &random) else { return nil }
    if list.role(of: user) == .owner, random.percent(15) { return people(list, except: user) }
    switch random.below(100) {
    case 0: return .member(.leave(.category(list.id)))
    case 1: return .account(.editProfile(ProfileEdit(name: "T \(random.below(1_000))")))
    case 2: return .category(.edit(list.id, name: "list \(random.below(1_000))"))
    case 3: return .markRead(.category(list.id), seq: client.heads[.category(list.id)] ?? 1)
    case 4: return .completePost(list.id, PostID(Identifiers.make()), ifVersion: nil)
    case 5...12: return batch(lists)
    case 13...17: return undo()
    case 18...22: return quick(list)
    case 23...25: return reaction(list)
    default: return post(list, lists)
    }
  }

  /// Returns an undo of something of its own, which may be an undo itself.
  private mutating func undo() -> Command? {
    done.suffix(20).randomElement(using: &random).map {
      .undo(UndoTarget(stream: $0.stream, events: [$0.seq], seen: nil))
    }
  }

  /// Returns a sign for a completion that the copy has, or the end of one.
  private mutating func reaction(_ list: List) -> Command? {
    let post = list.posts.filter { $0.completed != nil }.randomElement(using: &random)
    guard let post, let event = post.completed?.seq else { return nil }
    return .react(
      list.id, event: event, post: random.percent(50) ? post.id : nil,
      sign: random.percent(70) ? "👏" : nil)
  }

  /// Returns an answer to a pending invitation.
  private mutating func invitation(_ own: StreamState?) -> Command? {
    let pending = (own?.objects.values ?? [:].values).compactMap { object in
      if case .invitation(let it) = object { it.id } else { nil }
    }.sorted()
    guard let id = pending.first, random.percent(50) else { return nil }
    return random.percent(10) ? .invitation(.decline(id)) : .invitation(.accept(id))
  }

  /// Returns a command of an owner by which a person goes or comes.
  private mutating func people(_ list: List, except user: UserID) -> Command? {
    if random.percent(40) {
      let members = list.members.filter { $0.id != user && $0.role != nil }.map(\.id).sorted()
      return members.randomElement(using: &random).map { .member(.remove(.category(list.id), $0)) }
    }
    return usernames.randomElement(using: &random).map {
      .invitation(
        .send(
          InvitationID(Identifiers.make()), .category(list.id), username: $0, .editor))
    }
  }

  /// Returns a batch, which takes effect as a whole or not at all: with a conflict or a removed post in the middle it
  /// has no effect.
  private mutating func batch(_ lists: [List]) -> Command? {
    var commands: [Command] = []
    for _ in 0..<2 + random.below(8) {
      guard let list = lists.randomElement(using: &random) else { return nil }
      let command = post(list, lists)
      if command.method.row.standsInBatch { commands.append(command) }
    }
    return commands.isEmpty ? nil : .batch(commands)
  }

  private mutating func post(_ list: List, _ lists: [List]) -> Command {
    let posts = list.posts.sorted { $0.id < $1.id }
    let openCount = posts.count { $0.completed == nil }
    let adds = openCount > Workload.postsEnough ? 20 : 50
    guard let post = posts.randomElement(using: &random), !random.percent(adds) else {
      let notes = random.percent(5) ? String(repeating: "note ", count: random.below(2_000)) : ""
      return .post(
        .add(
          list.id, PostID(Identifiers.make()), title: "post \(random.below(1_000_000))",
          notes: notes))
    }
    if random.percent(50), let command = more(post, list, lists) { return command }
    // An old version is used now and then: a conflict changes nothing.
    let version = random.percent(30) ? max(1, post.version - random.below(2)) : nil
    switch random.below(10) {
    case 0, 1: return .completePost(list.id, post.id, ifVersion: version)
    case 2: return .reopenPost(list.id, post.id, ifVersion: version)
    case 3...5 where post.completed == nil:
      return .removePost(list.id, post.id, ifVersion: version)
    case 6: return .restorePost(list.id, post.id, ifVersion: nil)
    default:
      var edit = PostEdit(title: "edited \(random.below(1_000_000))")
      if random.below(2) == 0 { edit.priority = .set(random.below(2) == 0 ? .low : .high) }
      return .editPost(list.id, post.id, edit, ifVersion: version)
    }
  }
}

extension Command {
  /// The posts that the command adds.
  var addedPosts: [PostID] {
    switch self {
    case .post(.add(let address, _)): [address.post]
    case .post(.change(_, .copy(as: let post, to: _, days: _), ifVersion: _)): [post]
    case .batch(let commands): commands.flatMap(\.addedPosts)
    default: []
    }
  }
}

extension CategoryID {
  fileprivate init?(of stream: StreamID) {
    guard case .category(let id) = stream else { return nil }
    self = id
  }
}

/// A category as this client sees it.
struct List {
  let id: CategoryID
  var posts: [Post] = []
  var tags: [TagID] = []
  var members: [Member] = []

  init?(_ state: StreamState) {
    guard case .category(let id) = state.stream else { return nil }
    self.id = id
    for object in state.objects.values {
      switch object {
      case .post(let post): posts.append(post)
      case .member(let member): members.append(member)
      case .tag(let tag): tags.append(tag.id)
      case .category, .group, .groupCategory, .profile, .invitation, .invitationCode, .membership,
        .readMark, .notice, .declines, .block, .filter, .personal, .settings, .reminder, .link,
        .reactions, .line, .comments:
        break
      }
    }
    tags.sort()
  }

  func role(of user: UserID) -> Role? { members.first { $0.id == user }?.role }
}
