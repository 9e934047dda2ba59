// The limits on tries to sign in (DESIGN §6). A guesser is slowed; the owner of an account never is:
//
//  - a bucket per (account, address prefix): wrong guesses from one place at one account;
//  - a generous bucket per address prefix: a class signs in from one address at nine;
//  - none for a device that signed in to the account before: nobody can lock it out;
//  - a bucket per account, for guesses from all places where nobody signed in to it before. It delays, and by itself
//    refuses nobody (HashQueue.swift).
//
// A refusal says when to come back, before any memory for hashing is taken. Success gives back what the attempt took
// from the account's bucket.

internal import Net
package import Sync

/// The rates of signing in, registering and recovering.
package struct SignInRules: Sendable {
  package var perAccount = TokenRate(count: 1, everyMilliseconds: 15_000, burst: 8)
  package var perAddress = TokenRate(count: 1, everyMilliseconds: 1_000, burst: 120)
  /// The rate of new guests. They cost nothing to make, and there is room for a limited number only. A class may come
  /// at once, then ten an hour.
  package var guestsPerAddress = TokenRate(count: 1, everyMilliseconds: 360_000, burst: 40)
  /// The rate of guesses at one account, from all unknown places together. The burst lets a family's worth of addresses
  /// have one each at once. Then it is 17 280 a day: the ten thousand commonest passwords last half a day, and any
  /// other password holds.
  package var guesses = TokenRate(count: 1, everyMilliseconds: 5_000, burst: 64)
  /// The longest delay of a guess. Beyond it the guess is told to come back: clients wait some twenty seconds for an
  /// answer.
  package var delayMillisecondsMax: Int64 = 8_000
  /// The most requests of strangers that wait for a hash thread. Beyond it, the one who has most waiting gives way.
  package var waitingMax = 256
  package var waitingPerAddressMax = 128
  /// The most guesses at one account that wait. It is half, so that they leave room for the others.
  package var waitingPerAccountMax = 128
  /// The most requests of those who were here before that wait.
  package var knownWaitingMax = 64

  package init() {}
}

/// The buckets that were used lately.
struct SignInLimits {
  private struct BucketKey: Hashable {
    /// A username, or an id where there is none. Nil for all accounts together.
    let account: String?
    let address: PeerAddress?
  }

  private let rules: SignInRules
  private var buckets: [BucketKey: TokenBucket] = [:]
  private var guests: [PeerAddress?: TokenBucket] = [:]
  private var sweepAt = SignInLimits.bucketsBeforeSweep

  /// The least number of buckets at which full ones are dropped. The next sweep comes when there are twice as many as
  /// were left.
  private static let bucketsBeforeSweep = 4_096

  init(_ rules: SignInRules) { self.rules = rules }

  /// Takes a try. Nil to go on, or after how many milliseconds to come back.
  mutating func tryNow(
    account: String, from address: PeerAddress?, knownDevice: Bool, at now: Int64
  ) -> Int64? {
    if knownDevice { return nil }
    sweep(at: now)
    // The account comes first, so that a refusal there costs the others at this address nothing.
    let key = BucketKey(account: account, address: address)
    let before = buckets[key]
    if let wait = take(key, rules.perAccount, now) { return wait }
    guard let wait = take(BucketKey(account: nil, address: address), rules.perAddress, now) else {
      return nil
    }
    buckets[key] = before
    return wait
  }

  /// Takes a try to make a guest. Nil to go on, or after how many milliseconds to come back.
  mutating func tryGuest(from address: PeerAddress?, at now: Int64) -> Int64? {
    let rate = rules.guestsPerAddress
    if guests.count >= SignInLimits.bucketsBeforeSweep {
      for (address, bucket) in guests {
        var bucket = bucket
        if bucket.isFull(rate, at: now) { guests[address] = nil }
      }
    }
    return guests[address, default: TokenBucket(rate, at: now)].take(rate, at: now)
  }

  /// Empties the account's bucket at this address, because its owner came in.
  mutating func succeeded(account: String, from address: PeerAddress?) {
    buckets[BucketKey(account: account, address: address)] = nil
  }

  /// Gives one attempt back, because it was its owner's. Attempts before it count as they did.
  mutating func giveBack(account: String, from address: PeerAddress?) {
    buckets[BucketKey(account: account, address: address)]?.giveBack(rules.perAccount)
  }

  private mutating func take(_ key: BucketKey, _ rate: TokenRate, _ now: Int64) -> Int64? {
    buckets[key, default: TokenBucket(rate, at: now)].take(rate, at: now)
  }

  private mutating func sweep(at now: Int64) {
    guard buckets.count >= sweepAt else { return }
    for (key, bucket) in buckets {
      var bucket = bucket
      let rate = key.account == nil ? rules.perAddress : rules.perAccount
      if bucket.isFull(rate, at: now) { buckets[key] = nil }
    }
    sweepAt = max(SignInLimits.bucketsBeforeSweep, buckets.count * 2)
  }
}
