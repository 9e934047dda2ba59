import Domain
import Sync
import Wire

/// One connection. Bytes of one direction arrive in order; a cut loses those on their way.
final class Link {
  /// A request whose answer the client waits for.
  struct Asked {
    let id: RequestID
    let request: Request
    /// The key address of a command; nil for other requests.
    let address: KeyAddress?
    let hash: [UInt8]
    /// The number of commits when it was sent.
    let sentAfter: Int

    var command: Truth.Sent? { address.map { Truth.Sent(address: $0, hash: hash) } }
  }

  let number: Int
  let device: Int
  let loop: Int
  /// The run of the server to which it connects.
  let generation: Int
  /// Whether bytes that the client sends arrive; `carriesDown` is about the server's.
  var carriesUp = true
  var carriesDown = true
  /// Whether each end believes that the connection stands.
  var serverHas = false
  var clientHas = true
  /// The newest arrival in each direction, so that no message overtakes another.
  var upAt: Int64 = 0
  var downAt: Int64 = 0
  /// The bytes that the server sent and nobody has taken.
  var pending = 0
  /// Whether the server reads nothing.
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
