// What erased texts change of the truth (protocol §5.6). From the erasing event on the log has the text no more, in
// no event before it either; but who was told before has it until that event reaches them. So a copy that stands
// before the erasing may have the text or not, and one that stands behind it may not.

import Domain
import Sync
import Wire

/// A post and the event that took its text.
struct Erased {
  let post: PostID
  let seq: Int64
}

extension Truth {
  /// From the hash of a short text the text could be guessed: whatever comes with such a key is the same now. The key of
  /// a batch may lie with another stream than the text.
  func note(_ erasure: Erasure, _ tally: inout Tally) {
    guard let truth = streams[erasure.stream] else { return }
    tally.count(.p6Erased)
    for (address, record) in keys {
      let told = record.result.events.filter { $0.stream == erasure.stream }
      if told.contains(where: { truth.posts(of: $0.seq).contains(erasure.post) }) {
        hashless.insert(address)
      }
    }
  }
}

extension StreamTruth {
  /// Takes what the newest event erased out of the log before it.
  mutating func takeOutErased() throws(WireError) {
    guard let last = events.last else { return }
    for post in last.ops.erasedPosts {
      for index in bodies.indices.dropLast() {
        bodies[index] = try TextEraser(post).body(bodies[index])
      }
    }
  }

  /// Whether this is the event of that number, as it was or without texts that were erased since.
  func isEvent(_ event: Event) -> Bool {
    let truth = events[Int(event.seq) - 1]
    if event == truth { return true }
    let gone = (erased.filter { $0.seq > event.seq } + left.filter { $0.seq >= event.seq })
      .map { TextEraser($0.post) }
    return gone.reduce(event) { $1.event($0) } == gone.reduce(truth) { $1.event($0) }
  }

  /// Whether this is the state after so many events, as it was or without texts that were erased since.
  func isState(_ state: StreamState?, at seq: Int64) -> Bool {
    guard let state else { return false }
    let truth = states[Int(seq)]
    if state == truth { return true }
    let gone = Set((erased + left).filter { $0.seq > seq }.map(\.post))
    return state.without(texts: gone) == truth.without(texts: gone)
  }
}

extension StreamState {
  fileprivate func without(texts posts: Set<PostID>) -> StreamState {
    let objects = objects.values.map { object -> Object in
      guard case .post(let post) = object, posts.contains(post.id) else { return object }
      return .post(post.withoutText)
    }
    return StreamState(stream: stream, objects: objects)
  }
}
