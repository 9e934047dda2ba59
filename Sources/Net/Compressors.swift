// The size from which on a message is compressed was measured over this product's JSON, with ids, times and words of
// their own in each message (zlib 1.2.13 at level 4; CPU time of one thread, best of 15):
//
//   message                     bytes   window 15              window 9
//   answer to a command           125     111   0.89    6 us     111   0.89    8 us
//   answer, two events            188     144   0.77    7 us     144   0.77    9 us
//   answer, four events           314     193   0.62    8 us     193   0.62    9 us
//   push of the least event       467     273   0.58   10 us     272   0.58   10 us
//   push of `post.added`          575     347   0.60   12 us     353   0.61   12 us
//   push of notes                1188     591   0.50   21 us     628   0.53   22 us
//   push of four events          1751     688   0.39   22 us     896   0.51   41 us
//   push of sixteen events       9963    3154   0.32  105 us    4892   0.49  164 us
//   page of a snapshot          67070   18492   0.28  710 us   32599   0.49 1065 us
//
// An answer goes to one connection. It would save 14 to 44 bytes, less than the headers of the packet that it leaves
// in, and cost more than sending it (5 us). From 256 bytes on a third and more is saved. That holds for every push of
// events, which is compressed once for all receivers, and for no usual answer.

import Deflate
import WebSocket

/// The compressors of one loop, which all its connections use.
final class Compressors {
  /// The length in bytes from which messages are compressed; shorter ones are sent as they are.
  private let bytesMin: Int
  private var wide: Deflater?
  private var narrow: Deflater?
  /// The compressed form of the last message.
  private(set) var compressed: [UInt8] = []

  /// The most bytes that are kept of the memory that one large message took.
  private static let keptBytesMax = 256 * 1024

  init(bytesMin: Int) { self.bytesMin = bytesMin }

  /// Compresses a message into `compressed`. False when it is better sent as it is.
  func compress(_ message: Span<UInt8>, _ window: DeflateWindow) -> Bool {
    guard message.count >= bytesMin else { return false }
    compressed.removeAll(keepingCapacity: compressed.capacity <= Compressors.keptBytesMax)
    deflater(window).compress(message, to: &compressed)
    return compressed.count < message.count
  }

  private func deflater(_ window: DeflateWindow) -> Deflater {
    switch window {
    case .bits15:
      let deflater = wide ?? Deflater(window: window)
      wide = deflater
      return deflater
    case .bits9:
      let deflater = narrow ?? Deflater(window: window)
      narrow = deflater
      return deflater
    }
  }
}
