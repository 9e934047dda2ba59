import Domain
import TestRandom
import Testing

@testable import Sync

private func stream(_ number: Int) -> StreamID {
  .category(CategoryID(UUID(high: 2, low: UInt64(number))))
}

/// The streams that a connection watches, in the simplest model there is.
private struct Model {
  var watched: [(stream: StreamID, index: Int)] = []

  func index(of stream: StreamID) -> Int? { watched.first { $0.stream == stream }?.index }
}

@Suite("The streams of a connection are found, be they a handful or hundreds")
struct HubClientTests {
  @Test("Random streams come, move and go", arguments: [4, 16, 17, 40, 300])
  func agreesWithTheModel(streams: Int) {
    var random = SeededRandom(seed: UInt64(streams))
    var client = HubClient(
      user: UserID(UUID(high: 1, low: 1)), followsAll: false, token: nil,
      wantsObjects: false)
    var model = Model()
    for step in 0..<6_000 {
      let one = stream(Int.random(in: 1...streams, using: &random))
      switch Int.random(in: 0..<4, using: &random) {
      case 0, 1:
        guard model.index(of: one) == nil else { continue }
        client.add(one, at: step)
        model.watched.append((one, step))
      case 2:
        #expect(client.remove(one) == model.index(of: one))
        model.watched.removeAll { $0.stream == one }
      default:
        client.move(one, to: step)
        if let place = model.watched.firstIndex(where: { $0.stream == one }) {
          model.watched[place].index = step
        }
      }
      #expect(client.index(of: one) == model.index(of: one))
      guard step % 100 == 0 else { continue }
      #expect(Array(client.streams) == model.watched.map(\.stream))
      #expect(
        (1...streams).allSatisfy { client.index(of: stream($0)) == model.index(of: stream($0)) })
      #expect(
        model.watched.indices.allSatisfy { client.stream(at: $0) == model.watched[$0].stream })
    }
  }
}
