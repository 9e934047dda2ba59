package import Domain
package import Wire

/// A change that a person asked for. It counts for them at once, whether there is a connection or not.
package struct QueuedCommand: Equatable, Sendable {
  /// The client's own count, never used again. It is the order of the queue, and the ticket of the answer.
  package let number: Int64
  package var command: Command
  package let key: CommandKey
  /// The time by the machine's clock, shown until the server has stamped the event.
  package let at: Timestamp
  /// The cursor of the copy of its home stream; nil when there was no copy.
  package let base: CursorPosition?
  /// For a change of notes, the notes that the person saw, unless they were erased.
  package var seenNotes: String?
  /// For a change of notes after an unsettled change of the same post, the number of that change. It is made on top of
  /// that change, so it waits for its version.
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

  /// Takes the version with which the followed command was settled.
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
  /// Whether it only imports what another program has; that program imports it again, whatever became of it.
  package var isImport: Bool {
    switch self {
    case .post(.importUpsert): true
    case .batch(let commands): commands.allSatisfy(\.isImport)
    default: false
    }
  }

  /// Returns the version at which a change of notes that follows this one may be made, from the version in this one's
  /// answer. If this command was made at one version, or made the post, its answer names a state that only its author
  /// has written. Any other command may have come after others' notes. Then the server is given an outdated version, so
  /// that it refuses and tells the present notes; a change over notes that the person has seen is then repeated
  /// automatically (`Remedy`).
  func versionToFollow(_ answered: Int?) -> Int? {
    switch self {
    // A batch has no version of a single post, and there is no outdated version before the first version of a copy.
    case .batch, .post(.change(_, .copy, ifVersion: nil)): Command.noVersion
    case .post(.change(_, _, ifVersion: nil)): answered.map { max(1, $0 - 1) }
    default: answered
    }
  }

  /// The greatest version that can be written (protocol §2.1). No post ever gets there, so it is always refused.
  static let noVersion = 9_007_199_254_740_991

  /// Answers whether it makes or changes this post, also as one of several commands or in the list to which the post
  /// moves.
  func touches(_ address: PostAddress) -> Bool {
    switch self {
    case .batch(let commands): commands.contains { $0.touches(address) }
    case .post(.change(let from, .moveTo(let list), ifVersion: _)):
      address == from || address == PostAddress(category: list, post: from.post)
    case .post(.change(_, .copy(as: let copy, to: let list, days: _), ifVersion: _)):
      address == PostAddress(category: list, post: copy)
    default: post == address
    }
  }

  /// Returns a batch that overwrites no notes that its author has not seen: the first change of each post whose notes
  /// it changes is made only at the version that was seen. Any other command stays as it is. `anew` means that it was
  /// refused, and what is seen now counts.
  func withVersions(anew: Bool = false, _ version: (PostAddress) -> Int?) -> Command {
    guard case .batch(var commands) = self else { return self }
    for address in commands.filter({ $0.notesEdit != nil }).compactMap(\.post) {
      guard let first = commands.firstIndex(where: { $0.touches(address) }),
        case .post(.change(address, let change, ifVersion: let before)) = commands[first],
        anew || before == nil, let version = version(address)
      else { continue }
      commands[first] = .post(.change(address, change, ifVersion: version))
    }
    return .batch(commands)
  }

  /// Returns the command with the version and the occurrence of each post that the person sees now, as far as it names
  /// one. For a post that is not seen it names an impossible one, so that it is refused.
  func asSeen(_ seen: (PostAddress) -> Post?) -> Command {
    switch self {
    case .batch(let commands): return .batch(commands.map { $0.asSeen(seen) })
    case .post(.change(let address, var change, let version)):
      let post = seen(address)
      if case .occurrence(_, let what) = change {
        change = .occurrence(OccurrenceName(post?.occurrence?.number ?? Command.noVersion), what)
      }
      let now = version.map { _ in post?.version ?? Command.noVersion }
      return .post(.change(address, change, ifVersion: now))
    default: return self
    }
  }

  /// Returns the command with the due of each occurrence that is not confirmed yet, such as the one after a completion
  /// that waits, because another occurrence may be next when the server decides. `seen` returns a post with the waiting
  /// commands on top, and with the given earlier commands of the same batch; `confirmed` returns it without.
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
    case .post(.change(let address, .occurrence(let name, let change), let version)):
      guard name.due == nil, confirmed(address)?.occurrence?.number != name.number,
        let occurrence = seen(address, earlier.contains { $0.touches(address) } ? earlier : [])?
          .occurrence, occurrence.number == name.number
      else { return self }
      let named = OccurrenceName(name.number, due: occurrence.due)
      return .post(.change(address, .occurrence(named, change), ifVersion: version))
    default: return self
    }
  }

  /// Returns an edit that is made only at this version; any other command stays as it is.
  package func atVersion(_ version: Int?) -> Command {
    guard case .post(.change(let address, .edit(let edit), _)) = self else { return self }
    return .post(.change(address, .edit(edit), ifVersion: version))
  }
}
