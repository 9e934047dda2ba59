import Domain
import Testing

@testable import Store

@Suite("protocol §5.20: talk in stores") struct TalkStoreTests {
  @Test("verify knows the lines and the numbers of comments that have left the state")
  func verified() throws {
    let folder = try TemporaryFolder()
    let store = try writer(folder.data)
    let driver = LedgerDriver(store)
    let author = try driver.person("author")
    let list = try driver.category("list", by: author)
    let stream = StreamID.category(list)
    let posts = (0..<Limits.commentsInStateMax + 2).map { _ in PostID(driver.name()) }
    func run(_ command: (PostID) -> Command, _ name: String, on posts: [PostID]) throws {
      for start in stride(from: 0, to: posts.count, by: 100) {
        let works = try posts[start...].prefix(100).map { post in
          try driver.work(command(post), by: author, key: "\(name)-\(post)")
        }
        for result in try driver.run(works) { _ = try result.get() }
      }
    }
    func say(on post: PostID) -> Command { .line(.say(stream, text: "Why?", post: post)) }
    try run({ .post(.add(list, $0, title: "x", notes: "")) }, "add", on: posts)
    let lines = try [posts[0], posts[1], posts[1]].map { post in
      try #require(try driver.run(say(on: post), by: author).events.first?.seq)
    }
    try run(say, "say", on: Array(posts.dropFirst(2)))
    for post in posts.prefix(2) {
      #expect(try store.stateObject(Comments.key(of: post), in: stream) == nil)
    }
    #expect(try store.verify().differences == [])

    // One number is gone then, and one is another outside of the state.
    for line in lines.prefix(2) { try driver.run(.line(.remove(stream, line: line)), by: author) }
    #expect(try store.object(Comments.key(of: posts[0]), in: stream) == nil)
    #expect(try store.verify().differences == [])
    let again = try driver.run(say(on: posts[1]), by: author)
    let line = try #require(again.events.first?.seq)
    try driver.run(.line(.react(stream, line: line, sign: "👍")), by: author)
    #expect(try store.stateObject(Comments.key(of: posts[1]), in: stream) != nil)
    #expect(try store.verify().differences == [])
  }
}
