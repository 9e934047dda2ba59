import Domain
import Testing

@testable import Sync

private let epoch = Epoch("e")
private let list = StreamID.category(CategoryID(UUID(high: 2, low: 1)))
private let author = UserID(UUID(high: 1, low: 1))
private let guest = UserID(UUID(high: 1, low: 2).asLinkGuest)
private let one = HubConnection(1)
private let two = HubConnection(2)

private func news(
  _ range: ClosedRange<Int64>, hasTalk: Bool, ended: [MembershipEdge] = []
) -> [StreamNews<Piece>] {
  let chunk = Chunk(
    from: range.lowerBound, through: range.upperBound, frame: Piece.events(list, range),
    bytes: 100, hasTalk: hasTalk)
  return [StreamNews(stream: list, epoch: epoch, chunks: [chunk], ended: ended, begun: [])]
}

@Suite("protocol §5.20: a guest by a link reads another form of talk from the log")
struct HubTalkTests {
  /// Returns a hub with the author on connection 1 and a guest by a link on 2.
  private func hub() -> Hub<Piece> {
    var hub = Hub<Piece>()
    for (connection, user) in [(one, author), (two, guest)] {
      hub.add(connection, user: user, followsAll: false)
      hub.attach(
        connection,
        Sync.Attachment(stream: list, epoch: epoch, head: 10, joinedSeq: 1, start: .after(10)))
      _ = hub.serve(connection)
    }
    return hub
  }

  @Test("A push without talk goes to both")
  func without() {
    var hub = hub()
    #expect(words(hub.publish(news(11...12, hasTalk: false)).effects) == ["1,2<-11...12"])
  }

  @Test("A push with talk goes to the member, and a reader is asked for the guest")
  func withTalk() {
    var hub = hub()
    let told = hub.publish(news(11...12, hasTalk: true))
    #expect(words(told.effects) == ["1<-11...12"])
    #expect(told.serve == [two])
    let asked = hub.serve(two).effects
    guard case .read(let read)? = asked.first, asked.count == 1 else {
      Issue.record("nothing is read: \(words(asked))")
      return
    }
    #expect(read.user == guest && read.want == .tail(after: 10))
    _ = hub.answered(read, .tail(.events(list, 11...12), through: 12))
    _ = hub.serve(two)
    #expect(words(hub.publish(news(13...13, hasTalk: false)).effects) == ["1,2<-13...13"])
  }

  @Test("The ring keeps talk for members alone")
  func ring() {
    var hub = hub()
    hub.stall(one)
    hub.stall(two)
    _ = hub.publish(news(11...11, hasTalk: true))
    _ = hub.publish(news(12...12, hasTalk: false))
    hub.resume(one)
    hub.resume(two)
    #expect(words(hub.serve(one).effects) == ["1<-11...11", "1<-12...12"])
    let asked = hub.serve(two).effects
    if case .read? = asked.first {} else { Issue.record("sent from the ring: \(words(asked))") }
  }
}
