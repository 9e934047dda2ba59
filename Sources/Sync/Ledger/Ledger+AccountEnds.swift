import Domain

// The steps by which the system ends an account (Domain/Decide/AccountEnds.swift), or gives a bot to somebody.
extension Ledger {
  /// Schedules the end of an account. The change is by nobody and has no key: a repeat changes nothing.
  mutating func askForEnd(
    of user: UserID, after days: Int, at moment: Moment
  ) throws(Halt) -> CommandResult {
    let decision = try endAccount(of: user, after: days, at: moment.now, in: &world)
    return try write(decision, by: nil, key: nil, at: moment)
  }

  /// Lets somebody own a bot. The change is by nobody, as that of the end.
  mutating func give(
    _ bot: UserID, to owner: UserID, at moment: Moment
  ) throws(Halt) -> CommandResult {
    let decision = try Domain.give(bot, to: owner, in: &world)
    return try write(decision, by: nil, key: nil, at: moment)
  }

  /// Decides and writes the next part of an account's end.
  mutating func end(
    _ user: UserID, leaving mark: String?, at moment: Moment
  ) throws(Halt) -> CommandResult {
    let decision = try Domain.end(user, leaving: mark, at: moment.now, in: &world)
    try world.require(decision.drafts.flatMap(\.needs) + decision.dropped.map { .head($0) })
    let result = try write(decision, by: nil, key: nil, at: moment)
    for stream in decision.dropped { try drop(stream) }
    return result
  }

  /// Drops a stream. From now on it is known only that the stream was there.
  private mutating func drop(_ stream: StreamID) throws(Halt) {
    guard let head = try world.head(of: stream) else { return }
    let erasure = Erasure(stream: stream, subject: .everything, seq: head.seq + 1)
    batch.erasures.append(erasure)
    let last = StreamHead(
      epoch: head.epoch, seq: head.seq, at: head.at, transaction: head.transaction,
      erasedSeq: erasure.seq, horizon: head.seq)
    world.stage(.head(last), for: .head(stream))
  }

  mutating func forget(
    _ user: UserID, in stream: StreamID, at moment: Moment
  ) throws(Halt) -> CommandResult {
    let decision = try Domain.forget(user, in: stream, &world)
    let result = try write(decision, by: nil, key: nil, at: moment)
    batch.accounts.append(.forgotten(user, through: stream))
    return result
  }
}
