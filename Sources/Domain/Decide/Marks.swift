/// Moves the caller's read mark of a stream forward. A mark that is there or further already stays.
func markRead(
  _ stream: StreamID, to seq: Int64, by caller: Caller, in world: inout World
) throws(Halt) -> Decision {
  try world.require([
    .head(stream), .object(caller.stream, ObjectKey(kind: .readMark, id: stream.uuid)),
  ])
  if stream != caller.stream {
    guard stream.letter != caller.stream.letter else { throw .refused(.notFound(stream.noun)) }
    _ = try role(of: caller.user, in: stream, for: .single(.markRead), in: &world)
  }
  guard let head = try world.head(of: stream) else { throw .refused(.notFound(stream.noun)) }
  guard (0...head.seq).contains(seq) else {
    throw .refused(.invalid(field: "seq", reason: "must be from 0 to \(head.seq)"))
  }
  guard try world.readMark(on: stream, of: caller.user)?.seq ?? 0 < seq else { return Decision() }
  let mark = ReadMark(stream: stream, seq: seq)
  return Decision(drafts: [Draft(stream: caller.stream, ops: [.personal(.readMarked(mark))])])
}
