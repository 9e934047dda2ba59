package import Domain

/// A command and the data that makes it repeatable.
package struct Submission: Equatable, Sendable {
  /// The sender. For `registerAccount` and `recoverAccount` it is the user that the command names, without a session.
  package let actor: Actor
  package var command: Command
  /// The key. For `registerAccount` it is the id's text, because the id is the key.
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

/// The finding about the password that came with a command. Hashing is slow, so it is done before the ledger. The
/// ledger checks that the password that was compared is still the one that counts.
package enum Proof: Equatable, Sendable {
  /// There was no password to check. For `registerAccount`: there was no account with this id.
  case notAsked
  /// The password matches this stored hash.
  case verified(PasswordHash)
  /// The password does not match. A repeat of `changePassword` is answered even then, as its old password is old by
  /// now. A repeat of `registerAccount` is not: without the password it is another person's.
  case failed
}

/// A piece of work for the ledger. All works but commands can be repeated without a key.
package enum LedgerWork: Equatable, Sendable {
  case command(Submission)
  /// A sign-in. `account` is the account as its password was verified: `unauthenticated` when that has changed since.
  /// Idle sessions may be closed for it, but none by which somebody is connected (Domain/Decide/Sessions.swift).
  /// `renewed` is the same password at today's cost, when the stored hash was made at another. `pairedBy` is the
  /// session that asked for the code of this sign-in, which then has no password: `unauthenticated` when that session
  /// is closed by now.
  case openSession(
    SessionRecord, account: Account, renewed: PasswordHash? = nil, pairedBy: SessionID? = nil)
  /// A guest begins, or comes back with the same device (`openGuest`).
  case openGuest(NewGuest, SessionRecord)
  /// A session was used, which is noted once a day. `unauthenticated` when the session is closed by now.
  case useSession(SessionID, of: UserID, at: Timestamp)
  /// A session ends, by a sign-out or by itself. No error when it is closed already.
  case closeSession(SessionID, of: UserID)
  /// Tells, once for each deadline, which of these posts are overdue now. All are of this list, as
  /// `EventStore.untoldDues` has found them.
  case tellOverdue(CategoryID, [DuePost])
  /// Corrects the log and the rows about these posts' deadlines. Not in one batch with anything else, because the part
  /// was found in the store.
  case checkDues(DueCheckPart)
  /// Ends those of these claims whose time is over now. All are of this list, as `EventStore.endedClaims` has found
  /// them.
  case endClaims(CategoryID, [PostID])
  /// Ends this run as lost, if it goes on (Deadlines/RunWatch.swift).
  case loseRun(LiveRun)
  /// Removes for good those of these posts that have been in the bin of this list ever since `EventStore.binnedPosts`
  /// has found them.
  case purge(CategoryID, [BinnedPost])
  /// Tells this person once everything that has come, as `EventStore.dueReminders` has found it.
  case remind(UserID, [ReminderRow])
  /// Corrects the rows of reminders, as `checkDues` does those of deadlines. Not in one batch with anything else.
  case checkReminders([ReminderCheckPart])
  /// Tells the name of a person in the next of their lists after this one, as `EventStore.untoldNames` has found it.
  case tellName(UserID, after: StreamID)
  /// Lets this person own a bot, as the operator wants.
  case giveBot(UserID, to: UserID)
  /// Notes how far this webhook of a bot has come.
  case noteWebhook(WebhookKey, WebhookProgress)
  /// Lets this account end so many days from now, as the operator wants.
  case askForEnd(UserID, days: Int)
  /// Does the next part of an account's end whose time has come. `mark` is that of its username, as long as it has one.
  case endAccount(UserID, mark: String?)
  /// Takes a person whose account has ended out of a stream that names them.
  case forget(UserID, in: StreamID)
  /// Forgets an account that no stream names any more.
  case forgetAccount(UserID)
}

/// A question to the store.
package enum LedgerNeed: Hashable, Sendable {
  /// Asks for the state that the need names; the answer is `.domain` with the case of the need.
  case domain(Need)
  /// Asks for the record of a command's key; the answer is `.key`.
  case key(KeyAddress)
  /// Asks how much is stored of this stream, and of everything else that its payer answers for; the answer is
  /// `.storage`.
  case storage(StreamID)
}

/// The store's answer to a `LedgerNeed`.
package enum LedgerLoaded: Equatable, Sendable {
  case domain(Loaded)
  case key(KeyRecord?)
  /// The bytes of a stream; nil when there is no such stream.
  case storage(StoredBytes?)
}

/// The verdict on a piece of work.
package enum Verdict: Equatable, Sendable {
  /// The work needs these. Provide them, then decide the same work again.
  case needs([LedgerNeed])
  /// The answer, to be sent after the commit of what is staged. Refusals wait too: they were decided on the batch's
  /// state. `repeated` says that this is the original result of an earlier submission, and that nothing was staged.
  case settled(Result<CommandResult, Refusal>, repeated: Bool)
}
