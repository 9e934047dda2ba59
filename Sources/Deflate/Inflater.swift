import CZlib

// Decompression (RFC 7692 §7.2.2): the payload and the four bytes that its sender left out are one piece of raw
// DEFLATE. It ends properly if these four bytes are the rest of an empty stored block, so that nothing is unfinished.
// Everything else is refused, even input for which zlib would wait for more.
//
// Blocks with BFINAL = 1 may stand anywhere (§7.2.3.4). zlib takes each for the end, and is set going again behind it
// with the window that it has. `inflateResetKeep` does that in constant time. If `inflateSetDictionary` handed the
// window over, 128 Ki such blocks, which fit into 256 KiB, would cost seconds.
//
// Memory: the output grows as it comes and never beyond the limit. One byte of room elsewhere shows whether a message
// ends exactly at the limit.

/// A reason why a compressed message is refused.
package enum InflateFault: Error, Hashable, Sendable {
  /// The message would be longer than the limit.
  case tooLong
  /// The payload is not DEFLATE, or not the whole of it.
  case broken
}

/// Decompresses messages of raw DEFLATE (RFC 1951), one by one. Owned by one thread. Takes 70 KiB.
///
/// The window is 15 bits, which fits every window that a sender may have used.
package final class Inflater {
  private static let windowBits: Int32 = 15
  private static let scratchBytes = 16 * 1024

  /// The state of zlib. zlib keeps a pointer to it, so it has one place.
  private let stream: UnsafeMutablePointer<z_stream>
  private let scratch: UnsafeMutableBufferPointer<UInt8>

  package init() {
    stream = .allocate(capacity: 1)
    stream.initialize(to: z_stream())
    scratch = .allocate(capacity: Inflater.scratchBytes)
    scratch.initialize(repeating: 0)
    let result = whattodo_inflate_init(stream, -Inflater.windowBits)
    precondition(result == Z_OK, "no memory for a decompressor")
  }

  deinit {
    _ = inflateEnd(stream)
    stream.deinitialize(count: 1)
    stream.deallocate()
    scratch.deallocate()
  }

  /// Returns the message of a payload as it stood in its frames. Throws `.tooLong` for a message of more than
  /// `bytesMax` bytes, and `.broken` for a payload that is not DEFLATE or not whole.
  package func inflate(
    _ payload: Span<UInt8>, bytesMax: Int
  ) throws(InflateFault) -> [UInt8] {
    precondition(payload.count <= UInt32.max, "a payload has less than 4 GiB")
    let result = inflateReset(stream)
    precondition(result == Z_OK, "the decompressor is damaged")
    var message: [UInt8] = []
    try feed(payload, to: &message, bytesMax)
    try end()
    return message
  }

  /// Decompresses until the payload is used up and nothing of it is pending.
  private func feed(
    _ payload: Span<UInt8>, to message: inout [UInt8], _ bytesMax: Int
  ) throws(InflateFault) {
    try payload.withUnsafeBufferPointer { input throws(InflateFault) in
      setInput(input)
      defer { stream.pointee.next_in = nil }
      while true {
        let room = min(bytesMax - message.count, scratch.count)
        let result = step(room: max(room, 1))
        let made = max(room, 1) - Int(stream.pointee.avail_out)
        guard made <= room else { throw .tooLong }
        append(made, to: &message, bytesMax)
        switch result {
        case Z_OK, Z_BUF_ERROR:
          // There is room left over, so zlib waits for input.
          if stream.pointee.avail_out > 0 { return }
        case Z_STREAM_END:
          guard inflateResetKeep(stream) == Z_OK else { throw .broken }
          if stream.pointee.avail_in == 0 { return }
        default: throw .broken
        }
      }
    }
  }

  /// Checks that the four bytes that the sender left out end the last block and make nothing. Throws `.broken`
  /// otherwise.
  private func end() throws(InflateFault) {
    let isProper = flushTail.withUnsafeBufferPointer { tail in
      setInput(tail)
      let result = step(room: 1)
      stream.pointee.next_in = nil
      guard stream.pointee.avail_in == 0, stream.pointee.avail_out == 1 else { return false }
      // zlib.h on `inflate`: 128 is between two blocks, with no bit of the last byte left over.
      return result == Z_STREAM_END || (result == Z_OK && stream.pointee.data_type == 128)
    }
    guard isProper else { throw .broken }
  }

  private func setInput(_ input: UnsafeBufferPointer<UInt8>) {
    // zlib does not write to its input.
    stream.pointee.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
    stream.pointee.avail_in = UInt32(input.count)
  }

  private func step(room: Int) -> Int32 {
    stream.pointee.next_out = scratch.baseAddress
    stream.pointee.avail_out = UInt32(room)
    // The full name is needed: a method of this class has the same one.
    return CZlib.inflate(stream, Z_SYNC_FLUSH)
  }

  private func append(_ count: Int, to message: inout [UInt8], _ bytesMax: Int) {
    let wanted = message.count + count
    if wanted > message.capacity {
      message.reserveCapacity(min(bytesMax, max(wanted, 2 * message.capacity)))
    }
    message.append(contentsOf: UnsafeBufferPointer(rebasing: scratch[..<count]))
  }
}
