import Domain
import Testing

@testable import Sync

private let epoch = Epoch("e")
private let list = StreamID.category(CategoryID(UUID(high: 2, low: 1)))
private let author = UserID(UUID(high: 1, low: 1))
private let one = HubConnection(1)
private let two = HubConnection(2)

@Suite("protocol §5.4: streams that a user enters later")
struct HubFollowingTests {
  /// Returns the news that the author has entered the list by the event 11.
  private static let entered: [StreamNews<Piece>] = [
    StreamNews(
      stream: list, epoch: epoch,
      chunks: [Chunk(from: 11, through: 11, frame: .events(list, 11...11), bytes: 100)], ended: [],
      begun: [MembershipEdge(user: author, seq: 11)])
  ]

  @Test("A connection that follows everything watches what its user enters, others do not")
  func follows() {
    for followsAll in [true, false] {
      var hub = Hub<Piece>()
      hub.add(one, user: author, followsAll: followsAll)
      let published = hub.publish(Self.entered)
      #expect(published.serve == (followsAll ? [one] : []))
      #expect(words(hub.serve(one).effects) == (followsAll ? ["read 1 page 0 of newest"] : []))
    }
  }

  @Test("A connection that is limited to lists watches what its user enters of these alone")
  func followsLists() throws {
    let id = try #require(list.category)
    for (lists, isShown) in [([id], true), ([], false)] as [(Set<CategoryID>, Bool)] {
      let token = Token(
        id: TokenID(id.uuid), lists: lists, endsAt: Timestamp(milliseconds: .max))
      var hub = Hub<Piece>()
      hub.add(one, user: author, followsAll: true, token: token)
      let mark = hub.beginReading()
      let published = hub.publish(Self.entered)
      #expect(published.serve == (isShown ? [one] : []))
      // This one comes while a reader looks.
      let entered = hub.add(two, user: author, followsAll: true, token: token)
      #expect(entered == (isShown ? [list] : []))
      hub.endReading(mark)
      #expect(hub.watches(of: one) == (isShown ? 1 : 0))
    }
  }

  @Test("Streams that a user enters while a reader reads for the hello are watched too")
  func entersWhileRead() {
    var hub = Hub<Piece>()
    let mark = hub.beginReading()
    _ = hub.publish(Self.entered)
    #expect(hub.add(one, user: author, followsAll: true) == [list])
    #expect(hub.add(two, user: author, followsAll: false).isEmpty)
    hub.endReading(mark)
    #expect(words(hub.serve(one).effects) == ["read 1 page 0 of newest"])
    #expect(hub.serve(two).effects.isEmpty)
  }
}
