// Checks of runs, from the log and from what was said. A post has one run at a time. Only its program tells of a run. A
// run that is lost was not heard of for its lease, and is lost once.

import Domain
import Sync

/// The runs of a list that go on, as the log has them, and when each was heard of.
struct RunsSeen {
  private struct Heard {
    let run: PostRun
    var at: Int64
  }

  private var live: [PostAddress: Heard] = [:]
  /// The runs that are held to be lost.
  private var lost: Set<RunID> = []

  var count: Int { live.count }

  /// Notes a word of progress.
  mutating func heard(_ word: RunWord, at time: Int64) {
    if live[word.address]?.run.user == word.user { live[word.address]?.at = time }
  }

  /// Notes that a server has started: every run has its whole lease again.
  mutating func started(at time: Int64) {
    for address in live.keys { live[address]?.at = time }
  }

  /// Takes an event of a list; `state` is that after it. Returns a sentence when a run is not as it must be.
  mutating func add(
    _ event: Event, in stream: StreamID, _ state: StreamState, _ moment: TrueMoment?,
    _ tally: inout Tally
  ) -> String? {
    guard case .category(let category) = stream else { return nil }
    // When a commit is in doubt, its time is not known. Then nothing is too early.
    let time = moment?.machine ?? .max
    for case .post(let op) in event.ops {
      let address = PostAddress(category: category, post: op.post)
      switch op {
      case .run(_, let run):
        if let breach = add(run, at: address, by: event, state, time, &tally) {
          return "P12 the run of \(op.post) \(breach)"
        }
      case .completed, .removed, .purged, .occurred, .movedOut: live[address] = nil
      case .added, .edited, .reopened, .restored, .erased, .marked, .overdue, .moved, .movedIn,
        .imported, .step, .claim, .contest:
        break
      }
    }
    for case .post(let op) in event.ops {
      let run: PostRun? =
        if case .post(let post) = state.object(.post, op.post.uuid) { post.run } else { nil }
      if run?.id != live[PostAddress(category: category, post: op.post)]?.run.id {
        return "P12 \(op.post) has another run than the log"
      }
    }
    return nil
  }

  private mutating func add(
    _ op: RunOp, at address: PostAddress, by event: Event, _ state: StreamState, _ time: Int64,
    _ tally: inout Tally
  ) -> String? {
    switch op {
    case .started(let id, let user, let lease, _):
      guard user == event.by, live[address] == nil else { return "is started beside another" }
      let run = PostRun(id: id, user: user, startedAt: event.at, seq: event.seq, lease: lease)
      live[address] = Heard(run: run, at: time == .max ? 0 : time)
    case .phase(let id, _):
      guard let it = live[address], it.run.id == id, it.run.user == event.by else {
        return "is told by somebody else, or after its end"
      }
      if time != .max { live[address]?.at = time }
    case .ended(let end):
      // Another run may go on when a lost one turns out to have ended otherwise.
      defer { if live[address]?.run.id == end.run { live[address] = nil } }
      return ended(end, live[address], by: event, state, time, &tally)
    }
    return nil
  }

  private mutating func ended(
    _ end: RunEnd, _ it: Heard?, by event: Event, _ state: StreamState, _ time: Int64,
    _ tally: inout Tally
  ) -> String? {
    guard let it, it.run.id == end.run else {
      guard lost.remove(end.run) != nil, event.by == end.user else { return "ends twice" }
      tally.count(.p12Corrected)
      return nil
    }
    guard end.outcome == .lost else {
      tally.count(.p12RunEnded)
      return event.by == nil ? "is ended by nobody" : nil
    }
    lost.insert(end.run)
    guard event.by == nil else {
      guard event.by != end.user, case .member(let holder) = state.object(.member, end.user.uuid)
      else { return nil }
      return holder.holds(it.run) ? "is lost by somebody else" : nil
    }
    tally.count(.p12Lost)
    guard time == .max || time - it.at >= it.run.lease else {
      return "is lost \(time - it.at) ms after a word, with a lease of \(it.run.lease) ms"
    }
    return nil
  }
}
