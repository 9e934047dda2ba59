/// Bytes that nobody can guess, drawn ahead, for one thread that wants a few for each piece of its work. A call of
/// OpenSSL's generator costs some microseconds, however few bytes it gives.
package struct RandomPool {
  private var rest: ArraySlice<UInt8> = []

  package init() {}

  /// Returns bytes from the pool. No byte is given twice. Throws as `randomBytes` does.
  package mutating func take(_ count: Int) throws(CryptoError) -> [UInt8] {
    precondition((0...RandomPool.drawn).contains(count), "a pool is for a few bytes at a time")
    if rest.count < count { rest = try randomBytes(RandomPool.drawn)[...] }
    defer { rest = rest.dropFirst(count) }
    return Array(rest.prefix(count))
  }

  private static let drawn = 1_024
}
