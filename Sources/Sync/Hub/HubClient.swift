internal import Domain

/// A connection within a hub.
struct HubClient: Sendable {
  let user: UserID
  private let followsAll: Bool
  /// The token by which it is there, if it is by one.
  private let token: Token?
  /// Whether it gets the changed objects behind the events.
  let wantsObjects: Bool
  var stalled = false
  /// Whether a membership of its person has ended since a reader began to read for its hello.
  var hasLost = false
  /// The watch whose read is outstanding; nil when none is.
  var reading: Int?
  /// The stream whose snapshot has begun. Its other pages come first, while the reader still has them.
  var snapshot: StreamID?
  /// The place in `streams` at which the next serving begins (counted round). It is the one after the stream that was
  /// served last, so that no stream waits for ever for a busy one.
  var first = 0
  /// The watched streams, in the order in which the watching began, each with its index in its channel's watches.
  private var watched: [(stream: StreamID, index: Int)] = []
  /// The indices by stream, used alone once there are more than `few`. Most connections watch a handful, and a
  /// dictionary for each of them would cost more memory than the connection itself.
  private var indices: [StreamID: Int] = [:]

  private static let few = 16

  init(user: UserID, followsAll: Bool, token: Token?, wantsObjects: Bool) {
    self.wantsObjects = wantsObjects
    self.user = user
    self.followsAll = followsAll
    self.token = token
  }

  /// Answers whether it watches the stream from the moment when its user enters it.
  func follows(_ stream: StreamID) -> Bool {
    followsAll && token?.isFor(stream) ?? true
  }

  var streams: some RandomAccessCollection<StreamID> { watched.lazy.map(\.stream) }

  /// Returns the stream at a place of `streams`, from 0.
  func stream(at place: Int) -> StreamID { watched[place].stream }

  /// Returns the index in the watches of the stream's channel; nil when the stream is not watched.
  func index(of stream: StreamID) -> Int? {
    indices.isEmpty ? watched.first { $0.stream == stream }?.index : indices[stream]
  }

  /// Adds a stream that is not watched yet.
  mutating func add(_ stream: StreamID, at index: Int) {
    watched.append((stream, index))
    if !indices.isEmpty {
      indices[stream] = index
    } else if watched.count > Self.few {
      for it in watched { indices[it.stream] = it.index }
    }
  }

  /// Removes a stream and returns its index; nil when it was not watched.
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
