/// Bytes from a server or from disk that are not what the protocol or the store promised.
package enum WireError: Error, Equatable, Sendable {
  /// The bytes are not JSON.
  case notJSON
  /// The member is not there.
  case missing(String)
  /// The member is there and is not what it must be.
  case malformed(String)
  /// The object is of a kind that this version does not know.
  case unknownObject(String)
}
