package import Domain

// The log entries that the system writes by itself when a post becomes overdue (protocol §5.8). Each post and deadline
// has a key as a command has, of an actor that nobody is. So `post.became_overdue` is written once for each, whatever
// becomes of the due afterwards (P12).

extension Ledger {
  /// Tells in one event which of these posts of a list are overdue now. There are at most `Deadlines.postsPerEvent`.
  /// The row of every one of them is written as it must be afterwards, so that none comes again for the same reason.
  mutating func tell(
    _ posts: [DuePost], in category: CategoryID, at moment: Moment
  ) throws(Halt) -> Verdict {
    let addresses = posts.map(KeyAddress.init)
    let unknown = addresses.filter { keys[$0] == nil }
    guard unknown.isEmpty else { return .needs(unknown.map { .key($0) }) }
    let deadlines = zip(posts, addresses).map { due, address in
      Deadline(post: due.post, at: due.deadline, wasTold: keys[address] != .some(nil))
    }
    let draft = try becomeOverdue(deadlines, in: category, at: moment.now, almanac, in: &world)
    let told = draft?.told ?? []
    try keepRows(of: posts.map(\.post).filter { !told.contains($0) }, in: category)
    let result = try write(draft, at: moment)
    for (deadline, address) in zip(deadlines, addresses)
    where told.contains(deadline.post) && !deadline.wasTold {
      let record = KeyRecord(address: address, hash: [], result: result)
      keys[address] = .some(record)
      batch.keys.append(record)
    }
    return settled(result)
  }

  /// Writes the rows of these posts, and takes back what the log says of those that are not overdue any more.
  mutating func check(_ part: DueCheckPart, at moment: Moment) throws(Halt) -> CommandResult {
    let draft = try takeBackOverdue(part.posts, in: part.category, almanac, in: &world)
    try keepRows(of: part.posts, in: part.category)
    let result = try write(draft, at: moment)
    batch.dueChecks.append(DueCheck(category: part.category, after: part.through))
    for post in part.posts where try world.post(post, in: part.category)?.due != nil {
      let address = PostAddress(category: part.category, post: post)
      batch.reminderChecks.append(ReminderCheck(subject: .post(address), since: moment.sure))
    }
    return result
  }

  /// Writes the rows by the present state of the posts.
  private mutating func keepRows(of posts: [PostID], in id: CategoryID) throws(Halt) {
    let stream = StreamID.category(id)
    let keys = posts.map { ObjectKey(kind: .post, id: $0.uuid) } + [stream.headKey]
    try world.require(keys.map { .object(stream, $0) })
    guard let category = try world.category(id) else { return }
    for post in posts {
      guard let post = try world.post(post, in: id), post.due != nil else { continue }
      batch.dues.append(PostDue(post, in: category, almanac))
    }
  }

  /// Returns the rows of dues that an event changes, and a check of other rows when it may have made them wrong.
  mutating func dues(
    of changes: [ObjectChange], in stream: StreamID
  ) throws(Halt) -> ([PostDue], DueCheck?) {
    guard case .category(let id) = stream else { return ([], nil) }
    let posts = PostDue.posts(changedBy: changes)
    let check = DueCheck(of: changes, in: id)
    guard !posts.isEmpty else { return ([], check) }
    let known = try world.category(id)
    guard let category = changes.category ?? known else { return ([], check) }
    // This is so for a post that was completed or removed while the days of its list changed.
    let isOutdated = posts.contains { post in
      guard let deadline = post.awaitedDeadline(in: category, almanac) else { return false }
      return post.overdue.map { $0 != deadline } ?? false
    }
    let again = isOutdated ? DueCheck(category: id, after: 0) : nil
    return (posts.map { PostDue($0, in: category, almanac) }, check ?? again)
  }
}

extension Draft {
  /// The posts that the draft says are overdue.
  fileprivate var told: Set<PostID> {
    Set(
      ops.compactMap { op in
        guard case .post(.overdue(let post, _, _)) = op else { return nil }
        return post
      })
  }
}

extension Deadlines {
  private static let keyBeginning = "overdue:"
  /// The age at which the record of a told deadline goes. When a due is set back to a moment older than that, people
  /// may be reminded of it again. Each deadline that was told has a row of some 120 bytes.
  private static let keptMilliseconds: Int64 = 2 * 365 * 24 * 3_600_000

  /// Answers whether a key that is older than the kept events is to stay: it says that a deadline was told, and that
  /// may be asked again.
  package static func keeps(
    _ key: String, of actor: UserID, trimmingBefore time: Timestamp
  ) -> Bool {
    // Keys of reminders and of days that were told stay, too. A reminder's key has its kind, of which `overdue` is one,
    // then its post, then the moment.
    guard actor == .system,
      key.hasPrefix(digestKeyBeginning)
        || ReminderKind.allCases.contains(where: { key.hasPrefix($0.rawValue + ":") }),
      let deadline = key.split(separator: ":").last.flatMap({ Int64($0) })
    else { return false }
    return deadline > time.milliseconds - keptMilliseconds
  }

  fileprivate static func key(_ due: DuePost) -> String {
    "\(keyBeginning)\(due.post):\(due.deadline.milliseconds)"
  }
}

extension KeyAddress {
  /// Makes the address of a told deadline. It is like that of a command's key, but of nobody.
  init(_ due: DuePost) {
    guard let key = CommandKey(Deadlines.key(due)) else {
      preconditionFailure("an id and a number make a key")
    }
    self.init(stream: .category(due.category), actor: .system, key: key)
  }
}
