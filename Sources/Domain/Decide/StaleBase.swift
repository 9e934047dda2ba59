/// Refuses a command that was made on a copy to which the log does not lead any more (protocol §10.4). Such a copy is
/// of another history, or knows more than the log (after a restore), or is from before what the log still has. In the
/// last case the command's key may be forgotten, so the command could run twice.
///
/// A caller who may not see the stream hears nothing of it: their command is refused for that. The exceptions are
/// former members and those who name its epoch. Their command from before the horizon, or in another epoch, may have
/// taken effect while its key is forgotten, and a plain no would deny that (P3).
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
