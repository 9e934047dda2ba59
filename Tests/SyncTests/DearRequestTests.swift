import Domain
import Testing

@testable import Sync

private let first = UserID(UUID(high: 0, low: 1))
private let second = UserID(UUID(high: 0, low: 2))

@Suite("protocol §13: a request counts as what it cost") struct DearRequestTests {
  private static let rate = TokenRate(count: 20, everyMilliseconds: 1_000, burst: 100)

  @Test("From ten milliseconds on every two count as a request")
  func requests() {
    let rows: [(Int64, Int)] = [
      (0, 1), (50_000, 1), (9_999_999, 1), (10_000_000, 5), (24_999_999, 12), (300_000_000, 150),
    ]
    for (nanoseconds, requests) in rows {
      #expect(Limits.requests(taking: nanoseconds) == requests)
    }
  }

  @Test("A command counts as one request for every ten streams that it writes to")
  func streams() {
    #expect(Limits.requests(taking: 0, streams: 19) == 1)
    #expect(Limits.requests(taking: 0, streams: 501) == 50)
    #expect(Limits.requests(taking: 300_000_000, streams: 501) == 150)
  }

  @Test(
    "Who was charged waits until the bucket has something again, and no longer than for two full ones"
  )
  func charged() {
    var bucket = TokenBucket(Self.rate, at: 0)
    bucket.charge(Self.rate, count: 99, at: 0)
    #expect(bucket.take(Self.rate, at: 0) == nil)
    #expect(bucket.take(Self.rate, at: 0) == 50)
    bucket.charge(Self.rate, count: 20, at: 0)
    #expect(bucket.take(Self.rate, at: 0) == 1_050)
    #expect(bucket.take(Self.rate, at: 1_050) == nil)
    bucket.charge(Self.rate, count: 1_000_000, at: 1_050)
    #expect(bucket.take(Self.rate, at: 1_050) == 5_050)
    #expect(bucket.take(Self.rate, at: 6_100) == nil)
  }

  @Test("One user's cost is no other's, and a person's is no bot's")
  func users() {
    var limits = KindLimits(people: Self.rate, bots: Self.rate)
    limits.charge(first, .person, 200, at: 0)
    #expect(limits.tryNow(first, .person, at: 0) == 5_050)
    #expect(limits.tryNow(second, .person, at: 0) == nil)
    #expect(limits.tryNow(first, .bot, at: 0) == nil)
    limits.charge(second, .person, 0, at: 0)
    limits.charge(second, .person, -50, at: 0)
    #expect(limits.tryNow(second, .person, cost: 99, at: 0) == nil)
  }
}
