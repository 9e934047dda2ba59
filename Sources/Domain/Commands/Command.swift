/// A change that an actor asks for, in the imperative (protocol §8). The text in it is already normalised and within
/// its limits. Changes set a value and never toggle one, so a repeat flips nothing back. The value is boxed, as
/// `Object` is.
package indirect enum Command: Equatable, Sendable {
  case account(AccountCommand)

  case addCategory(CategoryID, NewCategory)
  case editCategory(CategoryID, CategoryEdit)
  case removeCategory(CategoryID)
  case restoreCategory(CategoryID)
  /// Puts the category into the archive: nothing in it changes until it is taken out again.
  case archiveCategory(CategoryID)
  case unarchiveCategory(CategoryID)
  /// Moves the category among the caller's own lists, in front of that one. Nil: behind all others.
  case moveCategory(CategoryID, before: CategoryID?)

  case addPost(PostAddress, NewPost)
  /// Changes a post. Erasing takes no version.
  case changePost(PostAddress, PostChange, ifVersion: Int?)

  /// Adds a post of another program at this address, or changes the one that is found by its id there.
  case importPost(PostAddress, ImportedPost)
  /// Claims the first post of a list that nobody has, for this number of milliseconds.
  case claimNext(CategoryID, milliseconds: Int64)

  case changeTag(CategoryID, TagID, TagChange)

  case addGroup(GroupID, name: String)
  case editGroup(GroupID, name: String)
  case removeGroup(GroupID)
  case restoreGroup(GroupID)

  case sendInvitation(InvitationID, StreamID, username: String, Role)
  case acceptInvitation(InvitationID)
  case declineInvitation(InvitationID)
  /// Ends an invitation, or a code.
  case revokeInvitation(InvitationID, StreamID)
  case makeCode(InvitationID, StreamID, NewCode)
  case redeemCode(CodeInHand)
  case link(LinkCommand)
  case blockPerson(username: String)
  case unblockPerson(UserID)
  case changePersonal(PostAddress, PersonalChange)
  case editSettings(SettingsEdit)
  /// Ends the caller's membership. A successor becomes an owner first.
  case leave(StreamID, successor: UserID? = nil)
  case removeMember(StreamID, UserID)
  case setRole(StreamID, UserID, Role)

  case markRead(StreamID, seq: Int64)
  case saveFilter(Filter)
  case removeFilter(FilterID)

  /// Carries out 1 … `Limits.batchCommandsMax` commands, all or nothing, each on top of those before it. Their methods
  /// must be ones that a batch takes (`MethodRow`).
  case batch([Command])
  case undo(UndoTarget)
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
  package init(user: UserID, session: SessionID?, kind: UserKind = .person) {
    self.user = user
    self.session = session
    self.kind = kind
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
