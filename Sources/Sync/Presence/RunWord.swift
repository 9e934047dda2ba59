// A program that says how far it has come with a post (protocol §5.5) is alive, and so is its run. The loops tell the
// ledger, but not of each word: a program may speak every second, and a lease lasts twenty seconds at least.

package import Domain
package import Wire

/// A word of a user about a post that they may have a run at.
package struct RunWord: Hashable, Sendable {
  package let user: UserID
  package let address: PostAddress

  package init(user: UserID, address: PostAddress) {
    self.user = user
    self.address = address
  }
}

/// The words that one loop has passed on lately.
package struct RunWords: Sendable {
  /// A quarter of the shortest lease.
  package static let everyMilliseconds = Int64(Limits.runLeaseMillisecondsMin) / 4

  private var toldAt: [RunWord: Int64] = [:]
  private var tidyFrom: Int64 = 0

  package init() {}

  /// Returns the word that the ledger is told now; nil when the request is none, or was told a moment ago. `now` is in
  /// milliseconds of a clock that never jumps.
  package mutating func word(
    of request: EphemeralRequest, by user: UserID, at now: Int64
  ) -> RunWord? {
    guard case .progress(let category, let post, _?) = request else { return nil }
    let word = RunWord(user: user, address: PostAddress(category: category, post: post))
    if let told = toldAt[word], now < told + Self.everyMilliseconds { return nil }
    if now >= tidyFrom {
      toldAt = toldAt.filter { now < $0.value + Self.everyMilliseconds }
      tidyFrom = now + Self.everyMilliseconds
    }
    toldAt[word] = now
    return word
  }
}
