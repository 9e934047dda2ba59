// The commands that a person asked for and the server has not answered, and beside them those that were refused. It is
// a value with one way to change it, `apply` of a record. So a file of such records is the same thing on disk: read
// back after any crash, they make the same outbox.
//
// Rules (research on offline clients; protocol §10):
//  - a record `queued` is on stable storage before the person is told. Any later record may be lost: the command is
//    then sent again with the same key and gets the same answer;
//  - a queued command leaves by `settled` (the server did it, the copies contain it) or by `refused`, which keeps it in
//    `unsent` with the reason, until the person has it `discarded` or queues it again;
//  - notes are never overwritten unseen. A change of notes carries the version that the person saw. When other changes
//    of the same post wait before it, that version is not known yet: it `follows` the last of them and takes the
//    version that its answer leads to (`Command.versionToFollow`). A command that follows a refused one is refused with
//    it;
//  - a `conflict` is one only when somebody else has written other notes. When the notes are still those that the
//    person saw, the same change is queued again at the new version. When they are what the person wrote, nothing is
//    left to do. Otherwise both texts stay until the person chooses.

package import Domain
package import Wire

/// One step of an outbox.
package enum OutboxRecord: Equatable, Sendable {
  case queued(QueuedCommand)
  /// The command is done; `version` is the version of its post at which the commands that follow it are made.
  case settled(Int64, version: Int?)
  case refused(Int64, ServerError)
  case discarded(Int64)
}

/// The commands of one person that are not settled, and those that were refused.
package struct Outbox: Equatable, Sendable {
  /// The maximum of waiting and refused commands together: as many as a day without a connection may bring, and few
  /// enough to be shown.
  package static let countMax = 1_000

  /// The waiting commands, in the order in which they are sent.
  package private(set) var waiting: [QueuedCommand] = []
  /// The refused commands, in the order in which they were refused.
  package private(set) var unsent: [UnsentCommand] = []
  /// The highest number that was ever used.
  package private(set) var lastNumber: Int64 = 0

  package init() {}

  /// Makes the outbox from the records of a file. When the command that a change follows was lost with a part of the
  /// file, nobody knows on which version the change was made; it is kept as a conflict.
  package init(_ records: [OutboxRecord]) {
    for record in records { apply(record) }
    for orphan in waiting {
      guard let front = orphan.follows, !waiting.contains(where: { $0.number == front }) else {
        continue
      }
      let reason = ServerError(
        kind: .conflict, code: ErrorKind.conflict.code, retry: .no,
        sentence: "What this change was made on is not known.")
      apply(.refused(orphan.number, reason))
    }
  }

  package var isEmpty: Bool { waiting.isEmpty && unsent.isEmpty }
  package var isFull: Bool { waiting.count + unsent.count >= Outbox.countMax }

  /// The records that make this outbox from an empty one.
  package var records: [OutboxRecord] {
    unsent.flatMap { [.queued($0.queued), .refused($0.queued.number, $0.reason)] }
      + waiting.map { .queued($0) }
  }

  package mutating func apply(_ record: OutboxRecord) {
    switch record {
    case .queued(let queued):
      lastNumber = max(lastNumber, queued.number)
      guard !waiting.contains(where: { $0.number == queued.number }) else { return }
      waiting.append(queued)
    case .settled(let number, let version):
      waiting.removeAll { $0.number == number }
      for index in waiting.indices where waiting[index].follows == number {
        waiting[index].follow(version)
      }
    case .refused(let number, let reason):
      guard let index = waiting.firstIndex(where: { $0.number == number }) else { return }
      unsent.append(UnsentCommand(queued: waiting.remove(at: index), reason: reason))
      for follower in followers(of: number) { apply(.refused(follower, reason)) }
    case .discarded(let number): unsent.removeAll { $0.queued.number == number }
    }
  }

  /// Forgets the text of a post that was erased (protocol §5.6): nothing of others' text stays. What the person wrote
  /// and nobody has received yet stays theirs. The post is found by its id alone, because it may be erased in another
  /// list than the one in which the person knew it.
  package mutating func eraseText(of post: PostAddress) {
    for index in waiting.indices where waiting[index].command.post?.post == post.post {
      waiting[index].seenNotes = nil
    }
    for index in unsent.indices where unsent[index].queued.command.post?.post == post.post {
      var queued = unsent[index].queued
      queued.seenNotes = nil
      unsent[index] = UnsentCommand(queued: queued, reason: unsent[index].reason.withoutText)
    }
  }

  /// Returns the commands that are refused with this one, and those that are refused with them.
  package func followers(of number: Int64) -> [Int64] {
    waiting.filter { $0.follows == number }.flatMap { [$0.number] + followers(of: $0.number) }
  }

  package func unsent(_ number: Int64) -> UnsentCommand? {
    unsent.first { $0.queued.number == number }
  }

  /// Returns the command as it is queued now, on top of what the person sees: `seen` is the post with everything that
  /// waits, `confirmed` without.
  package func queueing(
    _ command: Command, key: CommandKey, at time: Timestamp, number: Int64, base: CursorPosition?,
    seen: Post?, confirmed: Post?
  ) -> QueuedCommand {
    guard command.notesEdit != nil, let address = command.post else {
      return QueuedCommand(number: number, command: command, key: key, at: time, base: base)
    }
    let earlier = waiting.last { $0.command.touches(address) }
    return QueuedCommand(
      number: number, command: earlier == nil ? command.seeing(confirmed) : command, key: key,
      at: time, base: base, seenNotes: seen?.notes, follows: earlier?.number)
  }
}

extension Command {
  /// Returns the command at the version of the post that was seen, unless it names a version itself.
  func seeing(_ post: Post?) -> Command {
    guard case .post(.change(_, .edit, ifVersion: nil)) = self else { return self }
    return atVersion(post?.version)
  }
}

extension ServerError {
  /// The error without the texts of the post that came with it.
  fileprivate var withoutText: ServerError {
    guard case .post(let post) = object else { return self }
    return ServerError(
      kind: kind, code: code, retry: retry, sentence: sentence, field: field, limit: limit,
      max: max,
      version: version, object: .post(post.withoutText), afterMilliseconds: afterMilliseconds,
      index: index)
  }
}
