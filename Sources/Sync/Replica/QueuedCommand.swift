package import Domain
package import Wire

/// A change that a person asked for and that counts for them at once, whether there is a connection or not.
package struct QueuedCommand: Equatable, Sendable {
  /// The client's own count, never used again: the order, and the ticket of the answer.
  package let number: Int64
  package var command: Command
  package let key: CommandKey
  /// By the machine's clock, for what is shown until the server has stamped it.
  package let at: Timestamp
  /// How far the copy of its home stream went; nil when there was none.
  package let base: CursorPosition?
  /// Of a change of notes: the notes that the person had before their eyes, unless they were erased.
  package var seenNotes: String?
  /// A change of notes after an unsettled change of the same post: it is made on top of what that one made, so
  /// it waits for its version.
  package var follows: Int64?

  package init(
    number: Int64, command: Command, key: CommandKey, at: Timestamp, base: CursorPosition? = nil,
    seenNotes: String? = nil, follows: Int64? = nil
  ) {
    self.number = number
    self.command = command
    self.key = key
    self.at = at
    self.base = base
    self.seenNotes = seenNotes
    self.follows = follows
  }

  package var ticket: RequestTicket { RequestTicket(number: number) }

  var request: Request {
    .command(command, key: key, base: base.map { CommandBase(epoch: $0.epoch, seq: $0.seq) })
  }

  /// The one that it follows was settled with this version.
  mutating func follow(_ version: Int?) {
    follows = nil
    command = command.atVersion(version)
  }
}

/// A queued change that the server refused: nothing has changed there, and nothing is lost here.
package struct UnsentCommand: Equatable, Sendable {
  package let queued: QueuedCommand
  package let reason: ServerError

  package init(queued: QueuedCommand, reason: ServerError) {
    self.queued = queued
    self.reason = reason
  }
}

extension Command {
  /// Whether it does nothing but bring what another program has: that program brings it again, whatever became of it.
  package var isImport: Bool {
    switch self {
    case .importPost: true
    case .batch(let commands): commands.allSatisfy(\.isImport)
    default: false
    }
  }

  /// The version at which a change of notes that follows this one may be made, of the version that this one's answer
  /// says. The answer of what was itself made at one version, or made the post, tells what only its author has written.
  /// Any other may have come behind others' notes: the server is then given a version that is over, so it refuses and
  /// tells the notes of now, and whoever wrote only what the person saw is written over by itself (`Remedy`).
  func versionToFollow(_ answered: Int?) -> Int? {
    switch self {
    // A batch says no version of one post, and before the first version of a copy there is none that is over.
    case .batch, .changePost(_, .copy, ifVersion: nil): Command.noVersion
    case .changePost(_, _, ifVersion: nil): answered.map { max(1, $0 - 1) }
    default: answered
    }
  }

  /// The greatest that can be said (protocol §2.1): no post ever gets there, so it is always refused.
  static let noVersion = 9_007_199_254_740_991

  /// Whether it makes or changes this post, be it as one of several or in the list where it goes.
  func touches(_ address: PostAddress) -> Bool {
    switch self {
    case .batch(let commands): commands.contains { $0.touches(address) }
    case .changePost(let from, .moveTo(let list), ifVersion: _):
      address == from || address == PostAddress(category: list, post: from.post)
    case .changePost(_, .copy(as: let copy, to: let list, days: _), ifVersion: _):
      address == PostAddress(category: list, post: copy)
    default: post == address
    }
  }

  /// A batch that writes over no notes that its author has not seen: the first of its changes of such a post is only
  /// made at the version that was seen. Any other command as it is. `anew`: it was refused, and what is seen now
  /// counts.
  func withVersions(anew: Bool = false, _ version: (PostAddress) -> Int?) -> Command {
    guard case .batch(var commands) = self else { return self }
    for address in commands.filter({ $0.notesEdit != nil }).compactMap(\.post) {
      guard let first = commands.firstIndex(where: { $0.touches(address) }),
        case .changePost(address, let change, ifVersion: let before) = commands[first],
        anew || before == nil, let version = version(address)
      else { continue }
      commands[first] = .changePost(address, change, ifVersion: version)
    }
    return .batch(commands)
  }

  /// For the version and the occurrence of each post that the person sees now, as far as it names one; of a post that
  /// is not seen for none that there can be, so that it is refused.
  func asSeen(_ seen: (PostAddress) -> Post?) -> Command {
    switch self {
    case .batch(let commands): return .batch(commands.map { $0.asSeen(seen) })
    case .changePost(let address, var change, let version):
      let post = seen(address)
      if case .occurrence(_, let what) = change {
        change = .occurrence(OccurrenceName(post?.occurrence?.number ?? Command.noVersion), what)
      }
      let now = version.map { _ in post?.version ?? Command.noVersion }
      return .changePost(address, change, ifVersion: now)
    default: return self
    }
  }

  /// An occurrence that nobody has confirmed yet, such as the one after one whose completion waits, is named with
  /// when it is due: when the server comes to it, another one may be next. `seen`: with what waits, and with those
  /// commands of the same batch behind it; `confirmed`: without.
  func namingDues(
    after earlier: [Command] = [], seen: (PostAddress, [Command]) -> Post?,
    confirmed: (PostAddress) -> Post?
  ) -> Command {
    switch self {
    case .batch(let commands):
      return .batch(
        commands.reduce(into: []) { named, command in
          named.append(command.namingDues(after: named, seen: seen, confirmed: confirmed))
        })
    case .changePost(let address, .occurrence(let name, let change), let version):
      guard name.due == nil, confirmed(address)?.occurrence?.number != name.number,
        let occurrence = seen(address, earlier.contains { $0.touches(address) } ? earlier : [])?
          .occurrence, occurrence.number == name.number
      else { return self }
      let named = OccurrenceName(name.number, due: occurrence.due)
      return .changePost(address, .occurrence(named, change), ifVersion: version)
    default: return self
    }
  }

  /// An edit that is only made at this version; any other command as it is.
  package func atVersion(_ version: Int?) -> Command {
    guard case .changePost(let address, .edit(let edit), _) = self else { return self }
    return .changePost(address, .edit(edit), ifVersion: version)
  }
}
