import Domain

extension Ledger {
  /// Ends a run as lost, if it goes on. The change is by nobody.
  mutating func lose(_ run: LiveRun, at moment: Moment) throws(Halt) -> CommandResult {
    let draft = try loseRun(run, in: &world)
    return try write(draft, at: moment)
  }

  /// Notes the runs that began or ended.
  mutating func noteRuns(in changes: [ObjectChange], of stream: StreamID) {
    guard case .category(let category) = stream else { return }
    for change in changes where change.key.kind == .post {
      let (before, after) = (change.before?.run, change.effect.object?.run)
      guard before?.id != after?.id else { continue }
      note(after, at: PostAddress(category: category, post: PostID(change.key.id)))
    }
  }

  /// Notes the runs of this user that a command spoke of: they go on, also when it changed nothing.
  mutating func noteRuns(spokenOf command: Command, by user: UserID) throws(Halt) {
    switch command {
    case .post(.change(let address, .run(let id, _), ifVersion: _)):
      guard let run = try world.post(address.post, in: address.category)?.run, run.id == id,
        run.user == user
      else { return }
      note(run, at: address)
    case .batch(let commands): for it in commands { try noteRuns(spokenOf: it, by: user) }
    default: break
    }
  }

  private mutating func note(_ run: PostRun?, at address: PostAddress) {
    runs[address] = .some(run.map { LiveRun($0, at: address) })
  }
}

extension Object {
  fileprivate var run: PostRun? {
    if case .post(let post) = self { post.run } else { nil }
  }
}
