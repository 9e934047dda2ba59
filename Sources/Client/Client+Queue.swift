package import Domain
import Net
package import Sync
import Wire

// Changes that count at once, with or without a connection. They are shown on top of the copies, kept, and sent until
// they are answered. A refused one is kept with the reason.
extension Client {
  /// Queues a command. When this returns, it is on stable storage (with files), and `view` shows it. Its result
  /// comes as news with this ticket, maybe after another start of the program. Throws `.refused` for a command that no
  /// server would take (a text that is too long), `.queueFull`, and `.folder` when it cannot be kept; then nothing
  /// happens.
  @discardableResult
  package func queue(
    _ command: Command, key: CommandKey = Identifiers.key()
  ) throws(ClientError) -> RequestTicket {
    try enqueue(checked(command), key: key, insteadOf: nil)
  }

  /// Queues a command, and returns a handle for the result.
  func queued(_ command: Command) throws(ClientError) -> Handle<CommandResult> {
    let ticket = try queue(command)
    awaited.insert(ticket)
    return Handle(client: self, ticket: ticket, value: { $0.command })
  }

  /// The commands that are queued and not settled, in their order.
  package var waiting: [QueuedCommand] { local.outbox.waiting }

  /// The commands that the server refused, in the order of the refusals. Each stays until it is discarded or queued
  /// again. Imports are not among them: they are told once and not kept.
  package var unsent: [UnsentCommand] { local.outbox.unsent }

  /// The refused changes of notes that others changed at the same time.
  package var conflicts: [Conflict] { local.conflicts }

  /// Sends a refused command again, as it is. For a conflict the own notes replace the others'. Does nothing when there
  /// is no such number.
  package func retry(_ number: Int64) throws(ClientError) {
    if conflicts.contains(where: { $0.number == number }) { return try resolve(number, .mine) }
    guard let unsent = local.outbox.unsent(number) else { return }
    try enqueue(insteadOf: number) { local, time, number in
      local.queueing(again: unsent, newKey: Identifiers.key(), at: time, number: number)
    }
  }

  /// Throws a refused command away, with its text.
  package func discard(_ number: Int64) throws(ClientError) {
    try keep([.discarded(number)])
  }

  /// Takes back a command that waits, unless it may have been sent already. The outcome comes as news.
  package func withdraw(_ queued: QueuedCommand) { orders.post(.withdraw(queued.number)) }

  /// Notes whether a command was taken back. The records for it are the usual ones: refused, and thrown away.
  func withdrawn(_ number: Int64, _ isDone: Bool) {
    guard let queued = waiting.first(where: { $0.number == number }) else { return }
    if isDone {
      let reason = ServerError(
        kind: .gone, code: ErrorKind.gone.code, retry: .no,
        sentence: "It was taken back before it was sent.")
      do throws(ClientError) {
        try keep([.refused(number, reason), .discarded(number)])
      } catch {
        report(error)
      }
    }
    news.append(.withdrawn(queued, isDone))
  }

  /// Decides a conflict. If the post has changed again meanwhile, there is another conflict.
  package func resolve(_ number: Int64, _ choice: Conflict.Choice) throws(ClientError) {
    guard let conflict = conflicts.first(where: { $0.number == number }) else { return }
    guard let edit = conflict.edit(choice) else { return try discard(number) }
    try enqueue(checked(edit), key: Identifiers.key(), insteadOf: number)
  }

  /// Deletes the files on disk. From then on nothing is kept.
  package func clear() throws(ClientError) {
    try files?.clear()
    files = nil
  }

  /// Decides those of the refusals that need nobody's decision.
  func settle() {
    for (number, remedy) in local.remedies {
      do throws(ClientError) {
        switch remedy {
        case .again(let command):
          let again = try enqueue(command, key: Identifiers.key(), insteadOf: number)
          goOnWaiting(for: asked(number), as: again)
        case .done:
          try discard(number)
          let ticket = asked(number)
          if answers[ticket] != nil {
            answers[ticket] = .success(.command(CommandResult(changed: false)))
          }
        }
      } catch {
        // The refusal stays as a conflict: the person can decide when there is room again.
        report(error)
      }
    }
  }

  /// Returns the ticket that a handle has for this command.
  private func asked(_ number: Int64) -> RequestTicket {
    let ticket = RequestTicket(number: number)
    return refusedAs.first { $0.value == ticket }?.key ?? ticket
  }

  /// Lets the handle that waits for one ticket wait for another.
  private func goOnWaiting(for ticket: RequestTicket, as again: RequestTicket) {
    guard answers.removeValue(forKey: ticket) != nil else { return }
    refusedAs[ticket] = nil
    awaited.insert(again)
    instead[again] = ticket
  }

  /// Discards a command whose refusal was told to the caller who waited for it.
  func told(_ ticket: RequestTicket) {
    let latest = refusedAs.removeValue(forKey: ticket) ?? ticket
    guard local.outbox.unsent(latest.number) != nil else { return }
    do throws(ClientError) { try discard(latest.number) } catch { report(error) }
  }

  @discardableResult
  private func enqueue(
    _ command: Command, key: CommandKey, insteadOf number: Int64?
  ) throws(ClientError) -> RequestTicket {
    guard number != nil || !local.outbox.isFull else { throw .queueFull }
    return try enqueue(insteadOf: number) { local, time, number in
      local.queueing(command, key: key, at: time, number: number)
    }
  }

  @discardableResult
  private func enqueue(
    insteadOf number: Int64?, _ queueing: (inout LocalState, Timestamp, Int64) -> QueuedCommand
  ) throws(ClientError) -> RequestTicket {
    let ticket = nextTicket()
    let time = Timestamp(milliseconds: MachineClock.wallMilliseconds())
    let queued = queueing(&local, time, ticket.number)
    try keep([.queued(queued)] + (number.map { [.discarded($0)] } ?? []))
    orders.post(.queue(queued))
    return ticket
  }

  /// Writes the records to disk first, then to the local state.
  func keep(_ records: [OutboxRecord]) throws(ClientError) {
    try files?.append(records)
    for record in records { local.apply(record) }
  }

  /// Returns the command as the server will read it. A command that the server would refuse for its form is refused
  /// here, while its author is there.
  private func checked(_ command: Command) throws(ClientError) -> Command {
    let request = Request.command(command, key: Identifiers.key())
    do throws(RequestError) {
      let read = try RequestEnvelope(decoding: request.encoded(id: .number(0))).request
      guard case .command(let command, key: _, base: _) = read else { return command }
      return command
    } catch {
      throw .refused(ServerError(error.failure))
    }
  }
}

extension ServerError {
  /// Makes the error that a server would answer.
  fileprivate init(_ failure: Failure) {
    do throws(WireError) {
      let answer = Answer.error(.number(0), failure)
      if case .error(_, let error) = try ServerMessage(decoding: answer) {
        self = error
        return
      }
    } catch {
      // The answers that we write can be read, so this is not reached. The error below lacks the details.
    }
    self.init(
      kind: failure.kind, code: failure.kind.code, retry: failure.kind.retry,
      sentence: failure.sentence)
  }
}
