/// The distance over which a compressed message may refer back (RFC 7692 §7.1.2), in one of the two forms made here.
///
/// The parameters allow 8 to 15 bits. A client that names none gets 15. One that asks for 9 to 14 gets 9, which is
/// within all of them, so that a shared message has at most two compressed forms. zlib cannot make raw DEFLATE with 8.
package enum DeflateWindow: Sendable, Hashable, CaseIterable {
  /// A window of 32 KiB.
  case bits15
  /// A window of 512 bytes.
  case bits9

  var bits: Int32 {
    switch self {
    case .bits15: 15
    case .bits9: 9
    }
  }

  /// zlib's memLevel: the size of its hash table and of its blocks. With 15 bits, 8 is the fastest at every size of
  /// message (7 and 9 take 5 % longer, 5 takes 40 % for 64 KiB). With 9 bits zlib walks over the hash table for every
  /// 512 bytes, and the smaller table of 5 halves the time.
  var memoryLevel: Int32 {
    switch self {
    case .bits15: 8
    case .bits9: 5
    }
  }
}
