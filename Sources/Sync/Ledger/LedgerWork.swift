package import Domain

/// A command with what makes it repeatable.
package struct Submission: Equatable, Sendable {
  /// The sender; of `registerAccount` and `recoverAccount` the user that the command names, without a session.
  package let actor: Actor
  package var command: Command
  /// The key; of `registerAccount` the id's text, for the id is the key.
  package let key: CommandKey
  /// SHA-256 of the canonical command: method and params, without id, key and secrets.
  package let hash: [UInt8]
  package let proof: Proof
  /// The state of the sender's copy of the home stream when the person acted; nil when that is now.
  package let base: CommandBase?

  package init(
    actor: Actor, command: Command, key: CommandKey, hash: [UInt8], proof: Proof = .notAsked,
    base: CommandBase? = nil
  ) {
    self.actor = actor
    self.command = command
    self.key = key
    self.hash = hash
    self.proof = proof
    self.base = base
  }
}

/// The finding about the password that came with a command. Hashing is slow, so it is done before the ledger;
/// the ledger sees to it that the password that was compared is still the one that counts.
package enum Proof: Equatable, Sendable {
  /// No password to check; `registerAccount`: no account with this id was there.
  case notAsked
  /// The password matches this stored hash.
  case verified(PasswordHash)
  /// It does not. A repeat of `changePassword` is answered even then (its old password is old now);
  /// a repeat of `registerAccount` is not: without the password it is somebody else's.
  case failed
}

/// A piece of work for the ledger. All but commands can be repeated without a key.
package enum LedgerWork: Equatable, Sendable {
  case command(Submission)
  /// A sign-in. `account` as its password was verified: `unauthenticated` when that has changed since.
  /// Idle sessions may be closed for it, and none that somebody is connected by (Domain/Decide/Sessions.swift).
  /// `renewed`: the same password at today's cost, when the stored hash was made at another. `pairedBy`: no password,
  /// but a code that this session asked for; `unauthenticated` when that one is closed by now.
  case openSession(
    SessionRecord, account: Account, renewed: PasswordHash? = nil, pairedBy: SessionID? = nil)
  /// A guest begins, or comes back with the same device (`openGuest`).
  case openGuest(NewGuest, SessionRecord)
  /// A session was used; noted once a day. `unauthenticated` when it is closed by now.
  case useSession(SessionID, of: UserID, at: Timestamp)
  /// Sign-out, or a session that ended by itself. No error when it is closed already.
  case closeSession(SessionID, of: UserID)
  /// Those of these posts that are overdue now are said to be, once for each deadline. All are of this list, as
  /// `EventStore.untoldDues` has found them.
  case tellOverdue(CategoryID, [DuePost])
  /// The log and the rows about these posts' deadlines are made true. Not in one batch with anything else: it
  /// was found in the store.
  case checkDues(DueCheckPart)
  /// Those of these claims whose time is over now are ended. All are of this list, as `EventStore.endedClaims` has
  /// found them.
  case endClaims(CategoryID, [PostID])
  /// Those of these that have been in the bin of this list all the time since `EventStore.binnedPosts` has found them
  /// go for good.
  case purge(CategoryID, [BinnedPost])
  /// This person is told once what has come, as `EventStore.dueReminders` has found it.
  case remind(UserID, [ReminderRow])
  /// The same for reminders as `checkDues`: not in one batch with anything else.
  case checkReminders([ReminderCheckPart])
  /// The name of a person is told in the next of their lists after this one, as `EventStore.untoldNames` has found it.
  case tellName(UserID, after: StreamID)
  /// The operator wants this account to end so many days from now.
  case askForEnd(UserID, days: Int)
  /// The next part of the end of an account that has come. `mark`: of its username, as long as it has one.
  case endAccount(UserID, mark: String?)
  /// A stream that names a person whose account has ended.
  case forget(UserID, in: StreamID)
  /// No stream names them any more.
  case forgetAccount(UserID)
}

/// A question to the store.
package enum LedgerNeed: Hashable, Sendable {
  /// → `.domain` with the case that the need names
  case domain(Need)
  /// → `.key`
  case key(KeyAddress)
  /// How much is stored of this stream, and of whatever else its payer answers for → `.storage`
  case storage(StreamID)
}

/// The store's answer to a `LedgerNeed`.
package enum LedgerLoaded: Equatable, Sendable {
  case domain(Loaded)
  case key(KeyRecord?)
  /// Nil when there is no such stream.
  case storage(StoredBytes?)
}

/// The verdict on a piece of work.
package enum Verdict: Equatable, Sendable {
  /// Provide these, then decide the same work again.
  case needs([LedgerNeed])
  /// The answer, to be sent after the commit of what is staged (refusals too: they were decided on the
  /// batch's state). `repeated`: the original result of an earlier submission; nothing was staged.
  case settled(Result<CommandResult, Refusal>, repeated: Bool)
}
