/// A change that an actor asks for, in the imperative (protocol §8); the text in it is already normalised and
/// within its limits. Changes are set-to, never toggles: a repeat flips nothing back. Boxed, as `Object` is.
package indirect enum Command: Equatable, Sendable {
  case registerAccount(Registration)
  case recoverAccount(UserID, PasswordHash, generation: Int)
  case changePassword(PasswordHash)
  case upgradeAccount(Upgrade)
  /// After so many days, as the operator says.
  case deleteAccount(days: Int)
  case keepAccount
  case closeSession(SessionID)
  case editProfile(ProfileEdit)

  case addCategory(CategoryID, NewCategory)
  case editCategory(CategoryID, CategoryEdit)
  case removeCategory(CategoryID)
  case restoreCategory(CategoryID)
  /// Nothing in it changes any more until it is taken out of the archive.
  case archiveCategory(CategoryID)
  case unarchiveCategory(CategoryID)
  /// Among one's own lists: in front of that one; nil: behind all others.
  case moveCategory(CategoryID, before: CategoryID?)

  case addPost(PostAddress, NewPost)
  /// Erasing takes no version.
  case changePost(PostAddress, PostChange, ifVersion: Int?)

  /// A post of another program, found by what it is called there, or added at this address.
  case importPost(PostAddress, ImportedPost)
  /// The first post of a list that nobody has, for so many milliseconds.
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
  case makeLink(LinkID, CategoryID, NewLink)
  case revokeLink(LinkID, CategoryID)
  case blockPerson(username: String)
  case unblockPerson(UserID)
  case changePersonal(PostAddress, PersonalChange)
  case editSettings(SettingsEdit)
  /// A successor becomes an owner first.
  case leave(StreamID, successor: UserID? = nil)
  case removeMember(StreamID, UserID)
  case setRole(StreamID, UserID, Role)

  case markRead(StreamID, seq: Int64)
  case saveFilter(Filter)
  case removeFilter(FilterID)

  /// 1 … `Limits.batchCommandsMax` commands of methods that stand in a batch (`Method.facts`): all or nothing, each on
  /// top of those before it.
  case batch([Command])
  case undo(UndoTarget)
}

/// A new account. The id is the client's, so that a lost answer can be settled by asking again.
package struct Registration: Equatable, Sendable {
  package let id: UserID
  package let username: String
  package let name: String
  package let zone: String
  package let password: PasswordHash
  /// The code that let this person in, when registration is by invitation: its random part.
  package let code: String?
  /// The lists that everybody begins with, as the operator says.
  package let lists: [FirstList]
  /// For the life of the account.
  package let kind: UserKind
  /// The mark by which the username would be known if somebody had it before; the ledger's turn makes it.
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

/// A list that a new person has already; the server makes its id.
package struct FirstList: Equatable, Sendable {
  package let id: CategoryID
  package let name: String
  package init(id: CategoryID, name: String) {
    self.id = id
    self.name = name
  }
}

/// A PHC string (`$scrypt$ln=15,r=8,p=3$salt$hash`). Never in an event, a key row, a result or a log.
package struct PasswordHash: Hashable, Sendable {
  package let phc: String
  package init(phc: String) { self.phc = phc }
}

/// Who sends a command.
package struct Actor: Hashable, Sendable {
  package let user: UserID
  /// The session that the command came through; nil for what has none (register, recover).
  package let session: SessionID?
  /// The kind of user whose rate its commands count against, and nothing else: no right depends on it.
  package let kind: UserKind
  package init(user: UserID, session: SessionID?, kind: UserKind = .person) {
    self.user = user
    self.session = session
    self.kind = kind
  }
}

/// The answer to a command (protocol §8).
package struct CommandResult: Equatable, Sendable {
  /// False when everything was already so: no event was written.
  package let changed: Bool
  /// The event written in each stream, in stream order; not in those that only others see.
  package let events: [StreamPosition]
  /// The number and the version of a post after the command.
  package let number: Int?
  package let version: Int?
  /// The recovery code that counts now for a recovered or registered account, from 1.
  package let generation: Int?
  /// The code that was made. Added to the answer after the commit (`CodeBook`), in no key row.
  package var code: String?
  /// The words that a link shows which was made. Added with the code.
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
  /// Without the events of other people's own streams: their numbers would count what these people do by themselves.
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
