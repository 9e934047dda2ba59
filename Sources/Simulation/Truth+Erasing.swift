// Applies erased texts to the truth (protocol §5.6). From the erasing event on, the log has the text no more, also not
// in the events before. But a client that was told before has it until that event reaches it. So a copy that stands
// before the erasing may have the text or not, and one that stands behind it may not.

import Domain
import Sync
import Wire

/// A post or a person, and the event that took the post's text or the person's name.
struct Erased {
  let subject: ErasedSubject
  let seq: Int64
}

extension Truth {
  /// Notes an erasure. A short text could be guessed from the hash of a command, so the store forgets the hash, and any
  /// command with such a key counts as the same now. The key of a batch may be in another stream than the text.
  func note(_ erasure: Erasure, _ tally: inout Tally) {
    guard let truth = streams[erasure.stream] else { return }
    switch erasure.subject {
    case .everything: drop(erasure.stream)
    case .person:
      tally.count(.p6Forgotten)
      // It is not known here which of them said the name.
      for (address, record) in keys
      where address.stream == erasure.stream
        || record.result.events.contains(where: { $0.stream == erasure.stream })
      {
        hashless.insert(address)
      }
    case .line(let line):
      tally.count(.p6LineErased)
      for (address, record) in keys {
        let told = record.result.events.filter { $0.stream == erasure.stream }
        if told.contains(where: { truth.says(line, in: $0.seq) }) { hashless.insert(address) }
      }
    case .post(let post):
      tally.count(.p6Erased)
      let numbers = truth.numbers(of: post)
      for (address, record) in keys {
        let told = record.result.events.filter { $0.stream == erasure.stream }
        let saidInVain =
          address.stream == erasure.stream && record.result.mayHaveSaidInVain(numbers)
        if saidInVain || told.contains(where: { truth.posts(of: $0.seq).contains(post) }) {
          hashless.insert(address)
        }
      }
    }
  }
}

extension StreamTruth {
  /// Returns the number of a post; an empty set when it has none. A removed post leaves the state when its time in the
  /// bin ends.
  fileprivate func numbers(of post: PostID) -> Set<Int> {
    for state in states.reversed() {
      if case .post(let it)? = state.object(.post, post.uuid) { return [it.number] }
    }
    return []
  }

  /// Takes what the newest event erased out of the log before it.
  mutating func takeOutErased() throws(WireError) {
    guard let last = events.last else { return }
    for subject in last.ops.erasedSubjects {
      for index in bodies.indices.dropLast() {
        bodies[index] = try TextEraser(subject).body(bodies[index])
      }
    }
  }

  /// Answers whether this is the event of that number, as it was or without texts that were erased since.
  func isEvent(_ event: Event, shownTo user: UserID) -> Bool {
    let truth = self.event(event.seq, shownTo: user)
    if event == truth { return true }
    let gone = (erased.filter { $0.seq > event.seq } + left.filter { $0.seq >= event.seq })
      .map { TextEraser($0.subject) }
    return gone.reduce(event) { $1.event($0) } == gone.reduce(truth) { $1.event($0) }
  }

  /// Answers whether this is the state after so many events as this person has it, as it was or without texts that were
  /// erased since.
  func isState(_ state: StreamState?, at seq: Int64, shownTo user: UserID) -> Bool {
    guard let state = state?.withoutLines(before: memberLine(for: user, at: seq)) else {
      return false
    }
    let truth = states[Int(seq)].withoutLines(before: firstLine(for: user, at: seq))
    if state == truth { return true }
    let gone = Set((erased + left).filter { $0.seq > seq }.map(\.subject))
    return state.without(gone) == truth.without(gone)
  }
}

extension StreamState {
  fileprivate func without(_ subjects: Set<ErasedSubject>) -> StreamState {
    let objects = objects.values.map { object in subjects.reduce(object) { $0.without($1) } }
    return StreamState(stream: stream, objects: objects)
  }
}
