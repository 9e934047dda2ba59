internal import Domain

/// A connection within a hub.
struct HubClient: Sendable {
  let user: UserID
  let followsAll: Bool
  var stalled = false
  /// The watch whose read is outstanding.
  var reading: Int?
  /// The stream whose snapshot has begun: its other pages come first, while the reader still has them.
  var snapshot: StreamID?
  /// Where in `streams` the next serving begins (counted round): after the one that was served, so that no
  /// stream waits for ever for another one in which much happens.
  var first = 0
  /// What it watches, in the order in which that began.
  private(set) var streams: [StreamID] = []
  /// The place of each of them in its channel's watches.
  private var indices: [StreamID: Int] = [:]

  init(user: UserID, followsAll: Bool) {
    self.user = user
    self.followsAll = followsAll
  }

  func index(of stream: StreamID) -> Int? { indices[stream] }

  /// A stream that is not there yet.
  mutating func add(_ stream: StreamID, at index: Int) {
    streams.append(stream)
    indices[stream] = index
  }

  /// Where it was; nil when it was not there.
  mutating func remove(_ stream: StreamID) -> Int? {
    guard let index = indices.removeValue(forKey: stream) else { return nil }
    streams.removeAll { $0 == stream }
    if snapshot == stream { snapshot = nil }
    return index
  }

  mutating func move(_ stream: StreamID, to index: Int) {
    if indices[stream] != nil { indices[stream] = index }
  }
}

extension HubClient? {
  var isReading: Bool { self?.reading != nil }
}
