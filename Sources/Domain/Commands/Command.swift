/// A change that an actor asks for, in the imperative (protocol §8). The text in it is already normalised and within
/// its limits. Changes set a value and never toggle one, so a repeat flips nothing back. The large cases are
/// boxed, because a command is handed on several times.
package enum Command: Equatable, Sendable {
  indirect case account(AccountCommand)
  indirect case category(CategoryCommand)
  case post(PostCommand)
  indirect case changeTag(CategoryID, TagID, TagChange)
  indirect case changePersonal(PostAddress, PersonalChange)
  indirect case group(GroupCommand)
  indirect case invitation(InvitationCommand)
  indirect case person(PersonCommand)
  indirect case member(MemberCommand)
  indirect case link(LinkCommand)
  indirect case filter(FilterCommand)
  indirect case bot(BotCommand)
  indirect case line(LineCommand)
  indirect case markRead(StreamID, seq: Int64)
  /// Sets the actor's reaction to an event of a category. No sign takes it back. The post is the one that is meant
  /// where the event completed several.
  indirect case react(CategoryID, event: Int64, post: PostID? = nil, sign: String?)
  /// Carries out 1 … `Limits.batchCommandsMax` commands, all or nothing, each on top of those before it. Their methods
  /// must be ones that a batch takes (`MethodRow`).
  case batch([Command])
  indirect case undo(UndoTarget)

  /// The request that asks for this.
  package var method: Method {
    switch self {
    case .account(let command): command.method
    case .category(let command): .category(command.method)
    case .post(let command): command.method
    case .changeTag(_, _, let change): change.method
    case .changePersonal(_, let change): change.method
    case .group(let command): .group(command.method)
    case .invitation(let command): .invitation(command.method)
    case .person(let command): .person(command.method)
    case .member(let command): .member(command.method)
    case .link(let command): command.method
    case .filter(let command): .filter(command.method)
    case .bot(let command): .bot(command.method)
    case .line(let command): .line(command.method)
    case .markRead: .single(.markRead)
    case .react: .single(.react)
    case .batch: .single(.batch)
    case .undo: .single(.undo)
    }
  }

  /// Returns the stream in whose log the answer to this command lives. It is known from the command alone: a repeat
  /// looks there even when its actor may not read that stream any more (protocol §10).
  package func home(of actor: UserID) -> StreamID {
    switch self {
    case .account(let command): .user(command.user ?? actor)
    case .category(let command): command.home(of: actor)
    case .post(let command): .category(command.category)
    case .changeTag(let category, _, _): .category(category)
    case .group(let command): .group(command.id)
    case .invitation(let command): command.home(of: actor)
    case .member(let command): command.stream
    case .line(let command): command.stream
    case .link(let command): .category(command.category)
    case .react(let category, _, _, _): .category(category)
    case .changePersonal, .person, .filter, .bot, .markRead: .user(actor)
    // A batch has the home of its first command: most batches are about one list, and the batch's base protects that.
    case .batch(let commands): commands.first?.home(of: actor) ?? .user(actor)
    case .undo(let target): target.stream
    }
  }
}

/// A new account. The client chooses the id, so that a lost answer can be settled by asking again.
package struct Registration: Equatable, Sendable {
  package let id: UserID
  package let username: String
  package let name: String
  package let zone: String
  package let password: PasswordHash
  /// The random part of the code that let this person in. Nil when registration needs no invitation.
  package let code: String?
  /// The lists that everybody begins with, as the operator has set them.
  package let lists: [FirstList]
  /// The kind of user. It never changes during the life of the account.
  package let kind: UserKind
  /// The mark by which the username would be known if somebody had it before. The ledger's turn makes it.
  package var mark: String?

  package init(
    id: UserID, username: String, name: String, zone: String, password: PasswordHash, code: String?,
    lists: [FirstList] = [], kind: UserKind = .person
  ) {
    self.lists = lists
    self.kind = kind
    self.id = id
    self.username = username
    self.name = name
    self.zone = zone
    self.password = password
    self.code = code
  }
}

/// A list that a new person has already. The server makes its id.
package struct FirstList: Equatable, Sendable {
  package let id: CategoryID
  package let name: String
  package init(id: CategoryID, name: String) {
    self.id = id
    self.name = name
  }
}

/// A password as a PHC string (`$scrypt$ln=15,r=8,p=3$salt$hash`). It stands in no event, key row, result or log.
package struct PasswordHash: Hashable, Sendable {
  package let phc: String
  package init(phc: String) { self.phc = phc }
}

/// The sender of a command.
package struct Actor: Hashable, Sendable {
  package let user: UserID
  /// The session that the command came through. Nil for commands that have none (register, recover).
  package let session: SessionID?
  /// The kind of user against whose rate the commands count. No right depends on it.
  package let kind: UserKind
  /// The token that the command came by. Nil for who has signed in.
  package let token: Token?

  package init(
    user: UserID, session: SessionID?, kind: UserKind = .person, token: Token? = nil
  ) {
    self.user = user
    self.session = session
    self.kind = kind
    self.token = token
  }
}

/// The answer to a command (protocol §8).
package struct CommandResult: Equatable, Sendable {
  /// Whether an event was written. False when everything was already so.
  package let changed: Bool
  /// The event written in each stream, in the order of streams. Events in streams that only others see are left out.
  package let events: [StreamPosition]
  /// The number and the version of a post after the command.
  package let number: Int?
  package let version: Int?
  /// The number of the recovery code that counts now for a recovered or registered account, from 1.
  package let generation: Int?
  /// The code that was made. It is added to the answer after the commit (`CodeBook`) and stands in no key row.
  package var code: String?
  /// The words that a new link shows. They are added together with the code.
  package var shows: String?
  /// The text of a token that was made. It is added in the same way.
  package var token: String?
  /// The secret by which the receiver of a webhook knows who sends. It is added in the same way.
  package var secret: String?
  /// The outcome of each command of a batch, in their order. Empty for any other command.
  package let parts: [CommandPart]
  /// The changes that an undo left as they were.
  package let skipped: [UndoSkip]?
  /// The outcome of an import.
  package let imported: ImportOutcome?

  package init(
    changed: Bool, events: [StreamPosition] = [], number: Int? = nil, version: Int? = nil,
    generation: Int? = nil, code: String? = nil, parts: [CommandPart] = [],
    skipped: [UndoSkip]? = nil, imported: ImportOutcome? = nil
  ) {
    self.imported = imported
    self.changed = changed
    self.events = events
    self.code = code
    self.number = number
    self.version = version
    self.generation = generation
    self.parts = parts
    self.skipped = skipped
  }
}

extension CommandResult {
  /// Returns the result without the events of other people's own streams: their numbers would tell how much these
  /// people do by themselves.
  package func told(to user: UserID) -> CommandResult {
    let seen = events.filter { position in
      if case .user(let owner) = position.stream { owner == user } else { true }
    }
    guard seen.count < events.count else { return self }
    return CommandResult(
      changed: changed, events: seen, number: number, version: version, generation: generation,
      code: code, parts: parts, skipped: skipped, imported: imported)
  }
}

/// The outcome of one command of a batch.
package struct CommandPart: Equatable, Sendable {
  package let changed: Bool
  /// The number and the version of a post after the command.
  package let number: Int?
  package let version: Int?
  package let imported: ImportOutcome?

  package init(
    changed: Bool, number: Int? = nil, version: Int? = nil, imported: ImportOutcome? = nil
  ) {
    self.imported = imported
    self.changed = changed
    self.number = number
    self.version = version
  }
}
