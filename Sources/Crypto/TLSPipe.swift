import COpenSSL

// The place where OpenSSL reads and writes. One BIO serves every session of an engine, one call at a time (the idea of
// uSockets): it reads from where the loop received to, and writes behind what is due. So a connection owns no buffer
// between two calls, and ciphertext is never copied on its way in.
//
// OpenSSL links its own handshake buffer in front of this BIO and notes that in the BIO. The note is wrong as soon as
// two sessions shake hands at the same time, and nothing reads it: sessions are only taken apart from their own end
// (BIO_pop of the buffer, never of ours).

/// The ends of the shared BIO. It lives in memory that does not move.
struct TLSPipe {
  /// The bytes that OpenSSL has not read yet.
  var input: UnsafePointer<UInt8>?
  var inputCount = 0
  /// The ciphertext that is due to the socket.
  var output: UnsafeMutableBufferPointer<UInt8>
  var outputCount = 0
  /// The number of handshake messages and alerts of this call.
  var notices = 0
  /// The last ticket that a server gave in this call: one reference of its SSL_SESSION.
  var ticket: OpaquePointer?

  /// Makes room for this number of further bytes.
  mutating func reserve(_ count: Int) {
    guard outputCount + count > output.count else { return }
    let larger = UnsafeMutableBufferPointer<UInt8>.allocate(
      capacity: max(outputCount + count, 2 * output.count))
    if let target = larger.baseAddress, let source = output.baseAddress {
      target.initialize(from: source, count: outputCount)
    }
    output.deallocate()
    output = larger
  }
}

/// The table that tells OpenSSL about our kind of BIO.
///
/// `@unchecked Sendable`: a BIO_METHOD is not changed after it was made.
private struct TLSPipeKind: @unchecked Sendable {
  let raw: OpaquePointer

  static let shared = TLSPipeKind()

  private init() {
    let kind = BIO_get_new_index()
    guard kind > 0, let raw = BIO_meth_new(kind | Int32(BIO_TYPE_SOURCE_SINK), "whattodo"),
      BIO_meth_set_read_ex(raw, TLSPipeKind.read) == 1,
      BIO_meth_set_write_ex(raw, TLSPipeKind.write) == 1,
      BIO_meth_set_ctrl(raw, TLSPipeKind.control) == 1
    else { preconditionFailure("OpenSSL has no memory for one small table") }
    self.raw = raw
  }

  private static func pipe(of bio: OpaquePointer?) -> UnsafeMutablePointer<TLSPipe>? {
    BIO_get_data(bio)?.assumingMemoryBound(to: TLSPipe.self)
  }

  private static let read:
    @convention(c) (
      OpaquePointer?, UnsafeMutablePointer<CChar>?, Int, UnsafeMutablePointer<Int>?
    ) -> Int32 = { bio, bytes, max, count in
      whattodo_tls_clear_retry(bio)
      guard let pipe = TLSPipeKind.pipe(of: bio), let bytes, let count,
        let input = pipe.pointee.input, pipe.pointee.inputCount > 0
      else {
        whattodo_tls_retry_read(bio)
        return 0
      }
      let taken = min(max, pipe.pointee.inputCount)
      UnsafeMutableRawPointer(bytes).copyMemory(from: input, byteCount: taken)
      pipe.pointee.input = input + taken
      pipe.pointee.inputCount -= taken
      count.pointee = taken
      return 1
    }

  private static let write:
    @convention(c) (
      OpaquePointer?, UnsafePointer<CChar>?, Int, UnsafeMutablePointer<Int>?
    ) -> Int32 = { bio, bytes, count, written in
      whattodo_tls_clear_retry(bio)
      guard let pipe = TLSPipeKind.pipe(of: bio), let bytes, let written else { return 0 }
      pipe.pointee.reserve(count)
      guard let output = pipe.pointee.output.baseAddress else { return 0 }
      UnsafeMutableRawPointer(output + pipe.pointee.outputCount)
        .copyMemory(from: bytes, byteCount: count)
      pipe.pointee.outputCount += count
      written.pointee = count
      return 1
    }

  /// Answers a command. Only a flush means something, and there is nothing to do for it.
  private static let control:
    @convention(c) (OpaquePointer?, Int32, Int, UnsafeMutableRawPointer?) -> Int = {
      _, command, _, _ in command == BIO_CTRL_FLUSH ? 1 : 0
    }
}

/// Makes the BIO of a pipe, which must live as long as sessions use it.
func makeTLSPipeBIO(_ pipe: UnsafeMutablePointer<TLSPipe>) -> OpaquePointer {
  guard let bio = BIO_new(TLSPipeKind.shared.raw) else {
    preconditionFailure("OpenSSL has no memory for a BIO")
  }
  BIO_set_data(bio, pipe)
  BIO_set_init(bio, 1)
  return bio
}

/// Counts the steps of a handshake, also of those after the first, and the alerts; OpenSSL calls it for each. It is
/// also called when a handshake has to wait for more bytes, which is no step.
let countNotice: @convention(c) (OpaquePointer?, Int32, Int32) -> Void = { session, what, _ in
  guard what & SSL_CB_EXIT == 0,
    let pipe = BIO_get_data(SSL_get_rbio(session))?.assumingMemoryBound(to: TLSPipe.self)
  else { return }
  pipe.pointee.notices += 1
}
