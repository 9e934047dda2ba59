import Domain
import Testing

@testable import Sync

private let epoch = Epoch("e")
private let list = StreamID.category(CategoryID(UUID(high: 2, low: 1)))
private let author = UserID(UUID(high: 1, low: 1))
private let editor = UserID(UUID(high: 1, low: 2))
private let one = HubConnection(1)
private let two = HubConnection(2)

private func changed(_ seq: Int64) -> ChunkObjects {
  .changed(
    ChangedObjects(
      bodies: [[UInt8](repeating: 0, count: 100)], gone: [], seq: seq,
      transaction: TransactionID(UUID(high: 3, low: UInt64(seq)))))
}

private func news(
  _ chunks: (ClosedRange<Int64>, ChunkObjects)..., ended: [MembershipEdge] = [],
  erases: Bool = false
) -> [StreamNews<Piece>] {
  let chunks = chunks.map { range, objects in
    Chunk(
      from: range.lowerBound, through: range.upperBound, frame: Piece.events(list, range),
      bytes: 100, objects: objects)
  }
  return [
    StreamNews(
      stream: list, epoch: epoch, chunks: chunks, ended: ended, begun: [], erases: erases)
  ]
}

@Suite("protocol §5.4: whole objects behind the events")
struct HubObjectsTests {
  /// Returns a hub with the author on connection 1, who wants objects, and the editor on 2, who does not.
  private func hub(at head: Int64 = 10) -> Hub<Piece> {
    var hub = Hub<Piece>()
    hub.add(one, user: author, followsAll: false, wantsObjects: true)
    hub.add(two, user: editor, followsAll: false)
    for connection in [one, two] {
      hub.attach(
        connection,
        Sync.Attachment(
          stream: list, epoch: epoch, head: head, joinedSeq: 1, start: .after(head)))
      _ = hub.serve(connection)
    }
    return hub
  }

  @Test("Objects come behind the events, to those who want them")
  func live() {
    var hub = hub()
    #expect(
      words(hub.publish(news((11...12, changed(12)))).effects)
        == ["1,2<-11...12", "1<-objects at 12"])
  }

  @Test("Pushes of one commit have their objects behind the last one")
  func several() {
    var hub = hub()
    let told = hub.publish(news((11...12, .later), (13...13, changed(13)))).effects
    #expect(words(told) == ["1,2<-11...12", "1,2<-13...13", "1<-objects at 13"])
  }

  @Test("Who stalls within a commit goes on with the push that has its objects")
  func stalledWithin() {
    var hub = hub()
    _ = hub.publish(news((11...12, .later)))
    hub.stall(one)
    _ = hub.publish(news((13...13, changed(13))))
    hub.resume(one)
    #expect(words(hub.serve(one).effects) == ["1<-13...13", "1<-objects at 13"])
  }

  @Test("Events that were sent without their objects are read again with them")
  func readAgain() throws {
    var hub = hub()
    _ = hub.publish(news((11...12, .later)))
    hub.stall(one)
    _ = hub.publish(news((13...13, changed(13)), erases: true))
    hub.stall(two)
    _ = hub.publish(news((14...14, changed(14)), erases: true))
    hub.resume(one)
    let effects = hub.serve(one).effects
    #expect(words(effects) == ["read 1 after 10"])
    guard case .read(let read) = effects.first else { return }
    #expect(read.wantsObjects)
    let answer = HubReadAnswer<Piece>.changes([.events(list, 11...14)], through: 14)
    #expect(words(hub.answered(read, answer)) == ["1<-11...14"])
    #expect(words(hub.serve(one).effects).isEmpty)
    #expect(
      words(hub.publish(news((15...15, changed(15)))).effects)
        == ["1<-15...15", "1<-objects at 15"])
  }

  @Test("Events whose objects are not at hand are read, and others get them at once")
  func unknown() {
    var hub = hub()
    let told = hub.publish(news((11...11, .unknown)))
    #expect(words(told.effects) == ["2<-11...11"] && told.serve == [one])
    #expect(words(hub.serve(one).effects) == ["read 1 after 10"])
  }

  @Test("A ring that nobody wanted objects of has none, so they are read")
  func ringWithout() {
    var hub = Hub<Piece>()
    hub.add(two, user: editor, followsAll: false)
    hub.attach(
      two,
      Sync.Attachment(stream: list, epoch: epoch, head: 10, joinedSeq: 1, start: .after(10)))
    _ = hub.serve(two)
    _ = hub.publish(news((11...11, changed(11))))
    hub.add(one, user: author, followsAll: false, wantsObjects: true)
    hub.attach(
      one,
      Sync.Attachment(stream: list, epoch: epoch, head: 11, joinedSeq: 1, start: .after(10)))
    #expect(words(hub.serve(one).effects) == ["read 1 after 10"])
  }

  @Test("A ring with objects serves who has fallen behind")
  func ringWith() {
    var hub = hub()
    hub.stall(one)
    _ = hub.publish(news((11...11, changed(11)), (12...13, changed(13))))
    hub.resume(one)
    #expect(
      words(hub.serve(one).effects)
        == ["1<-11...11", "1<-objects at 11", "1<-12...13", "1<-objects at 13"])
  }

  @Test("Who is put out gets the event that says so and no objects")
  func out() {
    for objects in [changed(11), .unknown] {
      var hub = hub()
      let out = [MembershipEdge(user: author, seq: 11)]
      #expect(
        words(hub.publish(news((11...11, objects), (12...12, changed(12)), ended: out)).effects)
          == ["1,2<-11...11", "2<-12...12", "1 gone"])
    }
  }

  @Test("Changes that were read before a text was erased are read again")
  func erased() {
    var hub = hub()
    hub.attach(
      one, Sync.Attachment(stream: list, epoch: epoch, head: 10, joinedSeq: 1, start: .after(4)))
    guard case .read(let read) = hub.serve(one).effects.first else {
      Issue.record("nothing is read")
      return
    }
    _ = hub.publish(news((11...11, changed(11)), erases: true))
    #expect(hub.answered(read, .changes([.events(list, 5...10)], through: 10)).isEmpty)
    #expect(words(hub.serve(one).effects) == ["read 1 after 4"])
  }
}
