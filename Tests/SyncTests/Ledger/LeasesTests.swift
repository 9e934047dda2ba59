import Domain
import Testing

@testable import Sync

@Suite("when claims are looked for") struct LeasesTests {
  private func time(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

  @Test("the store is asked first, then when the first claim ends")
  func asks() {
    var leases = Leases()
    #expect(leases.isDue(at: time(0)) && leases.wait(at: time(0), most: 500) == 0)
    leases.note(time(3))
    #expect(leases.isDue(at: time(0)), "what it does not know is not made up for by one claim")
    leases.found(nil)
    #expect(!leases.isDue(at: time(9)) && leases.wait(at: time(0), most: 500) == 500)
    leases.note(nil)
    #expect(!leases.isDue(at: time(9)))
    leases.note(time(100))
    leases.note(time(200))
    #expect(leases.wait(at: time(40), most: 500) == 60 && leases.wait(at: time(40), most: 5) == 5)
    #expect(!leases.isDue(at: time(99)) && leases.isDue(at: time(100)))
    #expect(leases.wait(at: time(101), most: 500) == 0)
    leases.note(time(50))
    #expect(leases.isDue(at: time(50)))
    leases.found(time(300))
    #expect(!leases.isDue(at: time(299)))
    leases.forget()
    #expect(leases.isDue(at: time(0)))
  }

  @Test("each list has events of its own, none with too many posts")
  func works() {
    let lists = (1...2).map { CategoryID(UUID(high: 1, low: UInt64($0))) }
    let claims = (0..<150).map { index in
      EndedClaim(
        category: lists[index % 10 == 0 ? 1 : 0], post: PostID(UUID(high: 2, low: UInt64(index))),
        until: time(Int64(index)))
    }
    var posts: [CategoryID: [PostID]] = [:]
    for work in Leases.works(for: claims) {
      guard case .endClaims(let list, let some) = work else {
        Issue.record("another work")
        continue
      }
      #expect((1...Deadlines.postsPerEvent).contains(some.count))
      posts[list, default: []] += some
    }
    for list in lists { #expect(posts[list] == claims.filter { $0.category == list }.map(\.post)) }
  }
}
