// The limits that a courier is given when it is made, and the reasons why it could not be made.

/// The limits of a courier and its trust.
package struct CourierOptions: Sendable {
  /// Lets letters go to addresses that are not public too (`AddressJudge`). For tests, and for servers whose own
  /// network is the point.
  package var reachesPrivateAddresses = false
  /// The time for name, connection and TLS; positive.
  package var connectMilliseconds = 5_000
  /// The time from `send` to the end, with the wait for a turn; positive.
  package var totalMilliseconds = 10_000
  /// The bytes of an answer's body that are kept.
  package var answerBytesMax = 1_024
  /// The path of a PEM file with the authorities that are trusted instead of the system's.
  package var authorities: String?

  package init(
    reachesPrivateAddresses: Bool = false, connectMilliseconds: Int = 5_000,
    totalMilliseconds: Int = 10_000, answerBytesMax: Int = 1_024, authorities: String? = nil
  ) {
    self.reachesPrivateAddresses = reachesPrivateAddresses
    self.connectMilliseconds = connectMilliseconds
    self.totalMilliseconds = totalMilliseconds
    self.answerBytesMax = answerBytesMax
    self.authorities = authorities
  }
}

/// The reason why a courier cannot be made.
package enum CourierError: Error, Equatable, Sendable {
  /// libcurl cannot be set up in this process; its CURLcode.
  case library(code: Int)
  /// There is no memory for a multi handle.
  case noMemory
  /// A setting of the multi handle was refused; its CURLMcode.
  case setting(code: Int)
  /// The file of `CourierOptions.authorities` cannot be read, or the system's without that option.
  case unreadableAuthorities(String, errno: Int32)
}
