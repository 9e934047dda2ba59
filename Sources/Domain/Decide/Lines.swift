// Decides about talk: the lines that members say in a category or group (protocol §5.20).
//
// - Everybody who may talk says lines, changes their own, and takes their own back. Admins take back anybody's.
// - A line that the member may not read is not there for them, and neither is a post that they do not find.
// - Lines that have left the state are looked up in the log. So a line can be taken back however old it is.
// - A line that was taken back is not there any more, and neither is its text.
// - A text mentions members of the place. Anybody else whom it names is only a word.
// - A sign is given to a line of the state, because the state holds the signs.

func decide(
  _ command: LineCommand, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let stream = command.stream
  try world.require([.member(caller.user, of: stream), .head(stream)])
  _ = try enter(stream, for: .line(command.method), by: caller, in: &world)
  try refuseSilent(command.method, in: stream, &world)
  let op: LineOp? =
    switch command {
    case .say(_, let text, let post, let answers):
      try say(text, about: post, answering: answers, in: stream, by: caller, &world)
    case .edit(_, let line, let text): try edit(line, to: text, in: stream, by: caller, &world)
    case .react(_, let line, let sign):
      try react(to: line, with: sign, in: stream, by: caller, &world)
    case .remove(_, let line): try remove(line, in: stream, by: caller, &world)
    }
  guard let op else { return Decision() }
  return Decision(drafts: [Draft(stream: stream, ops: [.line(op)])])
}

private func say(
  _ text: String, about post: PostID?, answering answered: Int64?, in stream: StreamID,
  by caller: Caller, _ world: inout World
) throws(Halt) -> LineOp {
  if let post { try refuseGone(post, in: stream, by: caller, &world) }
  let to = try answered.map { (it) throws(Halt) in
    try world.line(it, of: stream, for: caller.user).by
  }
  let known = try post.map { (it) throws(Halt) in try world.comments(on: it, in: stream) }
  return .said(
    SaidLine(
      line: try world.nextSeq(of: stream), text: text, post: post, answers: answered, to: to,
      mentions: try world.mentions(in: text, of: stream), comments: known.map { $0 + 1 }))
}

/// An event is written also when the line says so already: an erasing finds the texts of a line by its events.
private func edit(
  _ line: Int64, to text: String, in stream: StreamID, by caller: Caller, _ world: inout World
) throws(Halt) -> LineOp {
  let known = try world.line(line, of: stream, for: caller.user)
  guard known.by == caller.user else {
    throw .refused(.forbidden("only who said a line may change it"))
  }
  return .edited(
    line: line, text: text, post: known.post, mentions: try world.mentions(in: text, of: stream))
}

/// Nil when nothing changes.
private func react(
  to line: Int64, with sign: String?, in stream: StreamID, by caller: Caller,
  _ world: inout World
) throws(Halt) -> LineOp? {
  let known = try world.line(line, of: stream, for: caller.user)
  guard let given = known.reactions else {
    throw .refused(
      .invalid(field: "line", reason: "is older than the lines that are kept at hand"))
  }
  guard given.first(where: { $0.user == caller.user })?.sign != sign else { return nil }
  if let sign { try refuse(sign, of: caller.user, beside: given.map { ($0.user, $0.sign) }) }
  return .reacted(line: line, to: known.by, sign: sign, post: known.post)
}

private func remove(
  _ line: Int64, in stream: StreamID, by caller: Caller, _ world: inout World
) throws(Halt) -> LineOp {
  let role = try world.member(caller.user, of: stream)?.role
  let isOfAdmin = role.map(Permission.removesOthersLines) ?? false
  // The log has no event any more that says who said it, but a change of it may still be there.
  if isOfAdmin, try world.isForgotten(line, of: stream, for: caller.user) {
    return .removed(line: line)
  }
  let known = try world.line(line, of: stream, for: caller.user)
  guard known.by == caller.user || isOfAdmin else {
    throw .refused(.forbidden("only who said a line, or an admin, may remove it"))
  }
  // The comments of a post that went to another list, or before they were counted, have no number.
  let comments = try known.post.map { (it) throws(Halt) in
    try world.comments(on: it, in: stream)
  }
  return .removed(
    line: line, post: known.post, comments: comments.flatMap { $0 > 0 ? $0 - 1 : nil })
}

/// Refuses a post that is not in the category any more, or not for this member.
private func refuseGone(
  _ id: PostID, in stream: StreamID, by caller: Caller, _ world: inout World
) throws(Halt) {
  guard case .category(let category) = stream else {
    throw .refused(.invalid(field: "post", reason: "is only for a category"))
  }
  try world.require(Need.toChange(PostAddress(category: category, post: id), by: caller.user))
  guard let head = try world.category(category), let post = try world.post(id, in: category),
    try world.finds(post, in: head, caller.user)
  else { throw .refused(.notFound("post")) }
  guard post.removed == nil else { throw .refused(post.goneRefusal) }
}

/// A line that a command is about.
private struct KnownLine {
  let by: UserID
  let post: PostID?
  /// The signs that it has. Nil for a line that has left the state.
  var reactions: [LineReaction]?
}

extension World {
  /// Returns the line of this number. Refused when there is none that the member may read.
  fileprivate mutating func line(
    _ number: Int64, of stream: StreamID, for user: UserID
  ) throws(Halt) -> KnownLine {
    guard number >= (try firstRead(by: user, in: stream, &self)) else {
      throw .refused(.notFound("line"))
    }
    if case .line(let line) = try object(TalkLine.key(of: number), in: stream) {
      return KnownLine(by: line.said.by, post: line.post, reactions: line.reactions)
    }
    let past = try past(StreamPosition(stream: stream, seq: number))
    // A line that was removed has no text any more.
    guard let event = past?.event, let by = event.by, let (text, post) = event.line, !text.isEmpty
    else { throw .refused(.notFound("line")) }
    return KnownLine(by: by, post: post)
  }
}

extension World {
  /// Answers whether the line would be from before the events that are kept, and the state has it no more.
  fileprivate mutating func isForgotten(
    _ number: Int64, of stream: StreamID, for user: UserID
  ) throws(Halt) -> Bool {
    guard number <= (try head(of: stream)?.horizon ?? 0),
      number >= (try firstRead(by: user, in: stream, &self))
    else { return false }
    return try object(TalkLine.key(of: number), in: stream) == nil
  }
}

extension World {
  /// Returns the number of comments on a post, also when the state has left it out.
  fileprivate mutating func comments(
    on post: PostID, in stream: StreamID
  ) throws(Halt) -> Int {
    guard case .comments(let it) = try object(Comments.key(of: post), in: stream) else { return 0 }
    return it.count
  }

  /// Returns the members of the place whom a text names. Users who are no members are not found out.
  fileprivate mutating func mentions(
    in text: String, of stream: StreamID
  ) throws(Halt) -> [Mention] {
    let words = MentionWord.all(in: text).prefix(Limits.mentionsPerLineMax)
    try require(words.flatMap { $0.names.map(Need.username) })
    var users: [String: UserID] = [:]
    for name in words.flatMap(\.names) { users[name] = try user(named: name) }
    try require(Set(users.values).sorted().map { .member($0, of: stream) })
    var mentions: [Mention] = []
    for word in words {
      for name in word.names {
        guard let user = users[name], try member(user, of: stream)?.role != nil else { continue }
        mentions.append(Mention(user, at: word.at, length: 1 + name.unicodeScalars.count))
        break
      }
    }
    return mentions
  }
}

extension Event {
  /// The text and the post of the line that the event said. Nil when it said none.
  fileprivate var line: (text: String, post: PostID?)? {
    for case .line(.said(let it)) in ops { return (it.text, it.post) }
    return nil
  }
}
