/// Refuses what was done on a copy that the log does not lead to any more (protocol §10.4): one of another
/// history, one that knows more than the log (after a restore), or one from before what the log still has,
/// where the command's key may be forgotten and so could run twice.
///
/// To those who may not see the stream nothing is said of it: their command is refused for that. But former members
/// were here, and so were those who name its epoch: what they sent from before the horizon, or in another epoch, may
/// have taken effect and its key be forgotten, and a plain no would deny that (P3).
package func refuseStale(
  _ base: CommandBase, of home: StreamID, for user: UserID, in world: inout World
) throws(Halt) {
  let isOwn = home == .user(user)
  let member = ObjectKey(kind: .member, id: user.uuid)
  try world.require([.head(home)] + (isOwn ? [] : [.object(home, member)]))
  let known = isOwn ? nil : try world.member(user, of: home)
  let role = isOwn ? .owner : known?.role
  guard let head = try world.head(of: home) else { return }
  let mayBeForgotten =
    base.epoch == head.epoch ? base.seq < head.horizon : known != nil && head.horizon > 0
  guard role != nil || mayBeForgotten else { return }
  guard base.epoch == head.epoch, (head.horizon...head.seq).contains(base.seq) else {
    throw .refused(.staleBase)
  }
}
