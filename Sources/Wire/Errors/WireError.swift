/// Bytes that are not what the protocol or the store promised: from a server, or from disk.
package enum WireError: Error, Equatable, Sendable {
  /// Not JSON.
  case notJSON
  /// The member is not there.
  case missing(String)
  /// The member is there and is not what it must be.
  case malformed(String)
  /// An object of a kind that this version does not know.
  case unknownObject(String)
}
