/// Returns 32 bytes that are the same for the same texts, and others for nearly all others (FNV-1a). It stands for a
/// SHA-256 where a test needs no more than that.
@Sendable package func testDigest(_ texts: [String]) -> [UInt8] {
  var hash: UInt64 = 14_695_981_039_346_656_037
  for byte in texts.joined(separator: "\u{0}").utf8 {
    hash = (hash ^ UInt64(byte)) &* 1_099_511_628_211
  }
  return (0..<32).map { UInt8(truncatingIfNeeded: hash >> UInt64($0 % 8 * 8)) }
}
