/// The point up to which the sender had the command's home stream when the person acted (protocol §10.4). Commands that
/// waited in an offline queue come with it.
package struct CommandBase: Hashable, Sendable {
  package let epoch: Epoch
  /// The number of the last event that the sender had. 0 is before the first event.
  package let seq: Int64

  package init(epoch: Epoch, seq: Int64) {
    self.epoch = epoch
    self.seq = seq
  }
}
