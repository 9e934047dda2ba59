// The ids and keys of hooks (protocol §5.17): they follow from names, so that the same report has the same ones.

package import Domain

/// The names from which the ids and the key of a report are made.
package struct HookNames: Sendable {
  /// The bot that reports. Two bots have different runs and keys, and the same posts.
  let user: UserID
  /// The text by which a repeat is known (Idempotency-Key). Nil when there is none.
  let key: String?
  /// A text that no other report has.
  let fresh: String
  /// Returns 32 bytes that nobody can choose, the same for the same texts.
  let digest: @Sendable ([String]) -> [UInt8]

  package init(
    user: UserID, key: String?, fresh: String, digest: @escaping @Sendable ([String]) -> [UInt8]
  ) {
    (self.user, self.key, self.fresh, self.digest) = (user, key, fresh, digest)
  }

  var bot: String { "\(user.uuid)" }

  /// Returns the id that follows from texts, of one kind of things.
  func id(_ kind: String, _ parts: [String]) -> UUID {
    guard let id = UUID(bytes: Array(digest([kind] + parts).prefix(16))) else {
      preconditionFailure("a digest has 32 bytes")
    }
    return id
  }
}
