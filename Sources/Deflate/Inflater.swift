import CZlib

// Decompression, RFC 7692 §7.2.2: the payload and the four bytes that its sender left out are one
// piece of raw DEFLATE. It ends properly if these four are the rest of an empty stored block, so that
// nothing is unfinished; everything else is refused, also what zlib would take for "more to come".
//
// Blocks with BFINAL = 1 may stand anywhere (§7.2.3.4): zlib takes each for the end, and is set
// going again behind it with the window it has. `inflateResetKeep` does that in constant time;
// handing the window over by `inflateSetDictionary` would make 128 Ki such blocks, which fit into
// 256 KiB, cost seconds.
//
// Memory: the output grows as it comes and never beyond the limit. Whether a message ends exactly at
// the limit is found out with one byte of room elsewhere.

/// Why a compressed message is refused.
package enum InflateFault: Error, Hashable, Sendable {
  /// It would be longer than the limit.
  case tooLong
  /// Not DEFLATE, or not the whole of it.
  case broken
}

/// Decompresses messages of raw DEFLATE (RFC 1951), one by one. Owned by one thread. Takes 70 KiB.
///
/// The window is 15 bits, which takes what was compressed with any.
package final class Inflater {
  private static let windowBits: Int32 = 15
  private static let scratchBytes = 16 * 1024

  /// zlib keeps a pointer to it, so it has one place.
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

  /// The message of a payload as it stood in its frames; `bytesMax` bounds the message.
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
          // Room left over: it waits for input.
          if stream.pointee.avail_out > 0 { return }
        case Z_STREAM_END:
          guard inflateResetKeep(stream) == Z_OK else { throw .broken }
          if stream.pointee.avail_in == 0 { return }
        default: throw .broken
        }
      }
    }
  }

  /// The four bytes that the sender left out must end the last block and make nothing.
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
    // By its full name: a method of this class is called so too.
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
