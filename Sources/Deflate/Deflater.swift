import CZlib

// Each message is compressed by itself and refers to nothing of the one before (no context takeover, RFC 7692 §7.1.1).
// So one compressor serves every connection of a thread, and a compressed message is the same bytes for all receivers.
//
// A flush ends with an empty block, whose last four bytes are left out (§7.2.1). The cost of a message begins with its
// reset, and most of that is setting 64 KiB of hash table to zero.

/// Compresses messages into raw DEFLATE (RFC 1951), one by one. Owned by one thread.
///
/// Takes 260 KiB with a window of 15 bits, 20 KiB with 9.
package final class Deflater {
  /// The level of zlib. With 4 a page of 64 KiB takes half the time of 6 (0.7 ms against 1.5) and comes out 9 % longer.
  /// At the 600 bytes of an event there is no difference between them.
  private static let level: Int32 = 4

  /// The state of zlib. zlib keeps a pointer to it, so it has one place.
  private let stream: UnsafeMutablePointer<z_stream>

  package init(window: DeflateWindow) {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    let result = whattodo_deflate_init(stream, Deflater.level, -window.bits, window.memoryLevel)
    precondition(result == Z_OK, "no memory for a compressor")
  }

  deinit {
    // `deflateEnd` complains about an unfinished stream, which a flushed one is.
    _ = deflateEnd(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
  }

  /// Appends the compressed message, as it stands in a frame (§7.2.1). It may be longer than the message: for noise by
  /// one byte in 3000, with a window of 9 bits by one in 16.
  package func compress(_ message: Span<UInt8>, to output: inout [UInt8]) {
    let start = output.count
    message.withUnsafeBufferPointer { input in
      begin(input)
      repeat { flush(to: &output) } while stream.pointee.avail_out == 0
      precondition(stream.pointee.avail_in == 0, "a flush takes all input")
      stream.pointee.next_in = nil
      stream.pointee.next_out = nil
    }
    let end = output.count - flushTail.count
    precondition(
      end > start && output[end...].elementsEqual(flushTail), "a flush ends with an empty block")
    output.removeLast(flushTail.count)
  }

  private func begin(_ input: UnsafeBufferPointer<UInt8>) {
    precondition(input.count <= UInt32.max, "a message has less than 4 GiB")
    let result = deflateReset(stream)
    precondition(result == Z_OK, "the compressor is damaged")
    // zlib does not write to its input.
    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
    stream.pointee.avail_in = UInt32(input.count)
  }

  private func flush(to output: inout [UInt8]) {
    let room = Int(deflateBound(stream, UInt(stream.pointee.avail_in))) + 16
    output.append(addingCapacity: room) { (span: inout OutputSpan<UInt8>) in
      span.withUnsafeMutableBufferPointer { buffer, count in
        stream.pointee.next_out = buffer.baseAddress.map { $0 + count }
        stream.pointee.avail_out = UInt32(clamping: buffer.count - count)
        let offered = Int(stream.pointee.avail_out)
        let result = deflate(stream, Z_SYNC_FLUSH)
        // Z_BUF_ERROR: the last call filled its room exactly and left nothing to do.
        precondition(result == Z_OK || result == Z_BUF_ERROR, "the compressor is damaged")
        count += offered - Int(stream.pointee.avail_out)
      }
    }
  }
}

/// The bytes of an empty stored block after its first one (RFC 7692 §7.2.1).
let flushTail: [UInt8] = [0x00, 0x00, 0xFF, 0xFF]
