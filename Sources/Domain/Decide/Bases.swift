/// Refuses what was done on a copy that the log does not lead to any more (protocol §10.4): one of another
/// history, one that knows more than the log (after a restore), or one from before what the log still has,
/// where the command's key may be forgotten and so could run twice.
///
/// To those who may not see the stream nothing is said of it: their command is refused for that.
package func refuseStale(
  _ base: CommandBase, of home: StreamID, for user: UserID, in world: inout World
) throws(Halt) {
  let isOwn = home == .user(user)
  let member = ObjectKey(kind: .member, id: user.uuid)
  try world.require([.head(home)] + (isOwn ? [] : [.object(home, member)]))
  let role = isOwn ? .owner : try world.member(user, of: home)?.role
  guard role != nil, let head = try world.head(of: home) else { return }
  guard base.epoch == head.epoch, (head.horizon...head.seq).contains(base.seq) else {
    throw .refused(.staleBase)
  }
}
