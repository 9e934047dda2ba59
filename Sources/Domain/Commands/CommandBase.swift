/// How far the sender's copy of the command's home stream went when the person acted (protocol §10.4). It
/// comes with what waited in an offline queue.
package struct CommandBase: Hashable, Sendable {
  package let epoch: Epoch
  /// 0 is before the first event.
  package let seq: Int64

  package init(epoch: Epoch, seq: Int64) {
    self.epoch = epoch
    self.seq = seq
  }
}
