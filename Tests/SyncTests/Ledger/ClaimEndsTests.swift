import Domain
import Testing

@testable import Sync

@Suite("when claims are looked for") struct ClaimEndsTests {
  private func time(_ milliseconds: Int64) -> Timestamp { Timestamp(milliseconds: milliseconds) }

  @Test("the store is asked first, then when the first claim ends")
  func asks() {
    var claimEnds = ClaimEnds()
    #expect(claimEnds.isDue(at: time(0)) && claimEnds.wait(at: time(0), most: 500) == 0)
    claimEnds.note(time(3))
    #expect(claimEnds.isDue(at: time(0)), "what it does not know is not made up for by one claim")
    claimEnds.found(nil)
    #expect(!claimEnds.isDue(at: time(9)) && claimEnds.wait(at: time(0), most: 500) == 500)
    claimEnds.note(nil)
    #expect(!claimEnds.isDue(at: time(9)))
    claimEnds.note(time(100))
    claimEnds.note(time(200))
    #expect(
      claimEnds.wait(at: time(40), most: 500) == 60 && claimEnds.wait(at: time(40), most: 5) == 5)
    #expect(!claimEnds.isDue(at: time(99)) && claimEnds.isDue(at: time(100)))
    #expect(claimEnds.wait(at: time(101), most: 500) == 0)
    claimEnds.note(time(50))
    #expect(claimEnds.isDue(at: time(50)))
    claimEnds.found(time(300))
    #expect(!claimEnds.isDue(at: time(299)))
    claimEnds.forget()
    #expect(claimEnds.isDue(at: time(0)))
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
    for work in ClaimEnds.works(for: claims) {
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
