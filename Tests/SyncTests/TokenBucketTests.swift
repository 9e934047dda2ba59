import Testing

@testable import Sync

@Suite("Token buckets")
struct TokenBucketTests {
  private let rate = TokenRate(count: 20, everyMilliseconds: 1_000, burst: 100)

  @Test("A full bucket gives its burst, then says when the next token is there")
  func burst() {
    var bucket = TokenBucket(rate, at: 0)
    let first = (0..<100).map { _ in bucket.take(rate, at: 0) }
    #expect(first.allSatisfy { $0 == nil })
    let later = [0, 49, 50, 50].map { bucket.take(rate, at: $0) }
    #expect(later == [50, 1, nil, 50])
  }

  @Test("Whoever asks all the time earns no less than whoever waits")
  func impatient() {
    let slow = TokenRate(count: 1, everyMilliseconds: 15_000, burst: 1)
    var bucket = TokenBucket(slow, at: 0)
    let given = (0...60_000).filter { bucket.take(slow, at: Int64($0)) == nil }
    #expect(given == [0, 15_000, 30_000, 45_000, 60_000])
  }

  @Test("It never holds more than its burst, and a clock that stands gives nothing")
  func full() {
    var bucket = TokenBucket(rate, at: 0)
    let far = Int64.max / 2
    let (all, oneMore) = (bucket.take(rate, count: 100, at: far), bucket.take(rate, at: far))
    #expect(all == nil && oneMore == 50)
    let (almost, again) = (
      bucket.isFull(rate, at: far + 4_999), bucket.isFull(rate, at: far + 5_000)
    )
    #expect(!almost && again)
  }
}
