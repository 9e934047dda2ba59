internal import Domain

/// A connection within a hub.
struct HubClient: Sendable {
  let user: UserID
  let followsAll: Bool
  var stalled = false
  /// Whether a membership of its person has ended since a reader looked for its hello.
  var hasLost = false
  /// The watch whose read is outstanding.
  var reading: Int?
  /// The stream whose snapshot has begun: its other pages come first, while the reader still has them.
  var snapshot: StreamID?
  /// Where in `streams` the next serving begins (counted round): after the one that was served, so that no
  /// stream waits for ever for another one in which much happens.
  var first = 0
  /// What it watches, in the order in which that began, and the place of each in its channel's watches.
  private var watched: [(stream: StreamID, index: Int)] = []
  /// These places, once there are more than `few`, and then only here: most connections watch a handful, and a
  /// dictionary for each of them would cost more memory than the connection itself.
  private var indices: [StreamID: Int] = [:]

  private static let few = 16

  init(user: UserID, followsAll: Bool) {
    self.user = user
    self.followsAll = followsAll
  }

  var streams: some RandomAccessCollection<StreamID> { watched.lazy.map(\.stream) }

  /// The stream at a place of `streams`, from 0.
  func stream(at place: Int) -> StreamID { watched[place].stream }

  /// Its place in its channel's watches; nil when it is not watched.
  func index(of stream: StreamID) -> Int? {
    indices.isEmpty ? watched.first { $0.stream == stream }?.index : indices[stream]
  }

  /// A stream that is not there yet.
  mutating func add(_ stream: StreamID, at index: Int) {
    watched.append((stream, index))
    if !indices.isEmpty {
      indices[stream] = index
    } else if watched.count > Self.few {
      for it in watched { indices[it.stream] = it.index }
    }
  }

  /// Where it was; nil when it was not there.
  mutating func remove(_ stream: StreamID) -> Int? {
    guard let index = index(of: stream) else { return nil }
    watched.removeAll { $0.stream == stream }
    indices[stream] = nil
    if watched.count == Self.few {
      watched = watched.map { ($0.stream, indices[$0.stream] ?? $0.index) }
      indices = [:]
    }
    if snapshot == stream { snapshot = nil }
    return index
  }

  mutating func move(_ stream: StreamID, to index: Int) {
    if indices.isEmpty {
      if let place = watched.firstIndex(where: { $0.stream == stream }) {
        watched[place].index = index
      }
    } else if indices[stream] != nil {
      indices[stream] = index
    }
  }
}

extension HubClient? {
  var isReading: Bool { self?.reading != nil }
}
