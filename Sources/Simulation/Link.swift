import Domain
import Sync
import Wire

/// One connection. Bytes of one direction arrive in order; a cut loses what is on its way.
final class Link {
  /// What a client waits for.
  struct Asked {
    let id: RequestID
    let request: Request
    /// Of a command.
    let address: KeyAddress?
    let hash: [UInt8]
    /// How many commits there were when it was sent.
    let sentAfter: Int

    var command: Truth.Sent? { address.map { Truth.Sent(address: $0, hash: hash) } }
  }

  let number: Int
  let device: Int
  let loop: Int
  /// Which server it is a connection to.
  let generation: Int
  /// Whether what is sent arrives.
  var carriesUp = true
  var carriesDown = true
  /// Whether each end believes in it.
  var serverHas = false
  var clientHas = true
  /// The newest arrival of each direction, so that none overtakes another.
  var upAt: Int64 = 0
  var downAt: Int64 = 0
  /// Bytes that the server gave and nobody has taken.
  var pending = 0
  /// The server reads nothing.
  var isPaused = false
  var held: [[UInt8]] = []
  var asked: [Asked] = []

  init(number: Int, device: Int, loop: Int, generation: Int) {
    self.number = number
    self.device = device
    self.loop = loop
    self.generation = generation
  }
}
