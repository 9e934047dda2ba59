// A batch is several commands that take effect as one: all or nothing, with one event in each stream, and each command
// on top of those before it. They are decided one after the other in a world in which the earlier ones are tried out.
// Then the trial is taken back, and their joined drafts are written like those of any other command. So the state is
// what the joined events make of it, by the one rule for all (P6), and a command that comes alone pays nothing for
// this.

/// Decides commands, each on top of those before it, as one change.
func decide(
  together commands: [Command], by actor: Actor, at now: Timestamp, in world: inout World,
  _ almanac: Almanac
) throws(Halt) -> Decision {
  do throws(Halt) {
    return try world.tryingOut { (world) throws(Halt) in
      var trial = Trial(actor: actor, now: now, almanac: almanac)
      for command in commands { try trial.add(command, in: &world) }
      return try trial.decision()
    }
  } catch {
    throw try error.withPost(of: commands, in: &world)
  }
}

extension Halt {
  /// Returns a conflict in a batch with the post as it is without the batch, which has no effect. Whoever wrote over
  /// the version that earlier commands of the batch had tried out could meet another change that has that number.
  fileprivate func withPost(of commands: [Command], in world: inout World) throws(Halt) -> Halt {
    guard case .refused(.inBatch(let index, .conflict)) = self,
      let address = commands[index].post,
      case .post(let post)? = try world.object(
        ObjectKey(kind: .post, id: address.post.uuid), in: address.stream)
    else { return self }
    return .refused(.inBatch(index: index, .conflict(post)))
  }
}

/// The commands of a batch so far.
private struct Trial {
  let actor: Actor
  let now: Timestamp
  let almanac: Almanac
  private var drafting = Drafting()
  private var parts: [CommandPart] = []
  private var accounts: [AccountChange] = []
  private var opCount = 0
  /// The needs that are not loaded. From the first of them on nothing is tried out any more, but the other commands are
  /// still asked what they need. So one trip to the store brings nearly everything.
  private var needs: [Need] = []

  init(actor: Actor, now: Timestamp, almanac: Almanac) {
    self.actor = actor
    self.now = now
    self.almanac = almanac
  }

  mutating func add(_ command: Command, in world: inout World) throws(Halt) {
    // This is enough for one trip: what it loads may already refuse the batch.
    guard needs.count < Limits.batchOpsMax else { return }
    do throws(Halt) {
      let decision = try decide(command, by: actor, at: now, in: &world, almanac: almanac)
      precondition(decision.accounts.allSatisfy(\.isMark), "a batch changes no account")
      try world.require(decision.drafts.flatMap(\.needs))
      guard needs.isEmpty else { return }
      opCount += decision.drafts.reduce(0) { $0 + $1.ops.count }
      guard opCount <= Limits.batchOpsMax else {
        throw .refused(.quota(limit: "batchOps", max: Limits.batchOpsMax))
      }
      for draft in decision.drafts {
        try world.tryOut(draft, by: actor.user, at: now)
        drafting.add(draft)
      }
      try world.stage(decision.accounts, of: actor.user)
      accounts += decision.accounts
      parts.append(
        CommandPart(
          changed: decision.changed, number: decision.number, version: decision.version,
          imported: decision.imported))
    } catch {
      switch error {
      case .needs(let more): needs += more
      case .refused(let refusal):
        // While something is missing, the refusal may only come from earlier commands that are not tried out.
        guard needs.isEmpty else { return }
        throw .refused(.inBatch(index: parts.count, refusal))
      }
    }
  }

  func decision() throws(Halt) -> Decision {
    guard needs.isEmpty else { throw .needs(needs) }
    return Decision(drafts: try drafting.drafts(), accounts: accounts, parts: parts)
  }
}

extension AccountChange {
  /// Whether it marks something as used and changes no account.
  fileprivate var isMark: Bool { if case .codeSpent = self { true } else { false } }
}
