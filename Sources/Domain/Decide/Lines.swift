// Decides about talk: the lines that members say in a category or group (protocol §5.20).
//
// - Everybody who may talk says lines, changes their own, and takes their own back. Admins take back anybody's.
// - A line that the member may not read is not there for them, and neither is a post that they do not find.
// - Lines that have left the state are looked up in the log. So a line can be taken back however old it is.
// - A line that was taken back is not there any more, and neither is its text.

func decide(
  _ command: LineCommand, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  let stream = command.stream
  try world.require([.member(caller.user, of: stream), .head(stream)])
  _ = try enter(stream, for: .line(command.method), by: caller, in: &world)
  let op: LineOp =
    switch command {
    case .say(_, let text, let post, let answers):
      try say(text, about: post, answering: answers, in: stream, by: caller, &world)
    case .edit(_, let line, let text): try edit(line, to: text, in: stream, by: caller, &world)
    case .remove(_, let line): try remove(line, in: stream, by: caller, &world)
    }
  return Decision(drafts: [Draft(stream: stream, ops: [.line(op)])])
}

private func say(
  _ text: String, about post: PostID?, answering answered: Int64?, in stream: StreamID,
  by caller: Caller, _ world: inout World
) throws(Halt) -> LineOp {
  if let post { try refuseGone(post, in: stream, by: caller, &world) }
  if let answered { _ = try world.line(answered, of: stream, for: caller.user) }
  return .said(
    line: try world.nextSeq(of: stream), text: text, post: post, answers: answered)
}

/// An event is written also when the line says so already: an erasing finds the texts of a line by its events.
private func edit(
  _ line: Int64, to text: String, in stream: StreamID, by caller: Caller, _ world: inout World
) throws(Halt) -> LineOp {
  let known = try world.line(line, of: stream, for: caller.user)
  guard known.by == caller.user else {
    throw .refused(.forbidden("only who said a line may change it"))
  }
  return .edited(line: line, text: text, post: known.post)
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
  return .removed(line: line, post: known.post)
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
      return KnownLine(by: line.said.by, post: line.post)
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

extension Event {
  /// The text and the post of the line that the event said. Nil when it said none.
  fileprivate var line: (text: String, post: PostID?)? {
    for case .line(.said(_, let text, let post, _)) in ops { return (text, post) }
    return nil
  }
}
