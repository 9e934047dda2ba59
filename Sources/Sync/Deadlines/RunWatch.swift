// The ledger watches the runs that go on (Domain/Model/PostRun.swift) and knows when each was heard of last. A run that
// was not heard of for the time of its lease is lost.
//
// Words of a run are commands (`run.start`, `run.phase`) and progress that holds for a moment (Presence/RunWord.swift).
// Nothing is written for a word, so the watch begins anew with each ledger: then every run has its whole lease again.
// Time is that of a clock that never jumps, in milliseconds. So no wall clock and no restart loses a run that goes on.
//
// Each run is lost once. The state tells that it has ended: the post has no run any more. So a second look finds
// nothing.

package import Domain
import Wire

/// Decides without a clock which runs are lost; one for each ledger.
package struct RunWatch: Sendable {
  private struct Watched {
    let run: LiveRun
    /// The moment at which it is lost unless it is heard of.
    var until: Int64
  }

  private var watched: [PostAddress: Watched] = [:]
  /// A moment before which no run is lost. It may be too early.
  private var nothingBefore = Int64.max
  /// Whether the store has to be asked which runs go on.
  private var mustAsk = true

  /// The time after which a run that could not be ended is tried again.
  private static let againMilliseconds: Int64 = 30_000
  /// The least time between two looks through all runs.
  private static let lookMilliseconds: Int64 = 1_000

  package init() {}

  /// The number of runs that go on.
  package var count: Int { watched.count }

  /// Lets the store be asked again: it is not known which runs a commit has changed.
  package mutating func forget() { mustAsk = true }

  /// Takes the runs that a commit has changed or a command has spoken of; nil for a post without a run.
  package mutating func note(_ runs: [PostAddress: LiveRun?], at now: Int64) {
    for (address, run) in runs {
      if let run { watch(run, at: now) } else { watched[address] = nil }
    }
  }

  /// Forgets the runs of streams of which nothing is left.
  package mutating func forget(_ streams: Set<StreamID>) {
    guard !streams.isEmpty else { return }
    watched = watched.filter { !streams.contains($0.key.stream) }
  }

  /// Takes a word of progress. It counts when the user has a run at the post.
  package mutating func heard(_ word: RunWord, at now: Int64) {
    guard let it = watched[word.address], it.run.user == word.user else { return }
    watched[word.address]?.until = Self.end(of: it.run, heardAt: now)
  }

  /// Asks the store, if need be, which runs go on. Runs that are known keep the moment at which they are lost.
  package mutating func ask(_ store: any EventStore, at now: Int64) throws(StoreError) {
    guard mustAsk else { return }
    let live = try store.liveRuns()
    let known = watched
    watched = [:]
    for run in live {
      if let it = known[run.address], it.run == run {
        watched[run.address] = it
        nothingBefore = min(nothingBefore, it.until)
      } else {
        watch(run, at: now)
      }
    }
    mustAsk = false
  }

  /// Whether `works` may have something to do.
  package func isDue(at now: Int64) -> Bool { mustAsk || nothingBefore <= now }

  /// Returns the milliseconds until a run may be lost, at most `most`.
  package func wait(at now: Int64, most: Int64) -> Int64 {
    mustAsk ? 0 : min(most, max(0, nothingBefore - now))
  }

  /// Returns the works that end lost runs, those first that were lost first; at most `limit`. A run that could not be
  /// ended comes again some time later.
  package mutating func works(at now: Int64, limit: Int) -> [LedgerWork] {
    guard nothingBefore <= now else { return [] }
    let lost = watched.values.filter { $0.until <= now }
      .sorted { ($0.until, $0.run.address.post) < ($1.until, $1.run.address.post) }.prefix(limit)
    for it in lost { watched[it.run.address]?.until = now + Self.againMilliseconds }
    let next = watched.values.map(\.until).min() ?? .max
    // When all lost runs are in hand, nothing hurries the next look.
    nothingBefore = lost.count < limit ? max(next, now + Self.lookMilliseconds) : next
    return lost.map { .loseRun($0.run) }
  }

  /// Takes the outcome of such works. A run that is not there any more is not watched. One that could not be read or
  /// written is tried again. Returns the posts whose runs the rules refused to end: they are not watched either until
  /// the server starts again.
  package mutating func note(_ works: [LedgerWork], _ turn: LedgerTurn) -> [PostAddress] {
    switch turn.commit {
    case .failed, .unknown: return []
    case .nothing, .committed: break
    }
    var refused: [PostAddress] = []
    for (work, settlement) in zip(works, turn.settlements) {
      guard case .loseRun(let run) = work, watched[run.address]?.run == run else { continue }
      switch settlement.result {
      case .success: break
      case .failure(.refused), .failure(.internal): refused.append(run.address)
      case .failure: continue
      }
      watched[run.address] = nil
    }
    return refused
  }

  private mutating func watch(_ run: LiveRun, at now: Int64) {
    let end = Self.end(of: run, heardAt: now)
    watched[run.address] = Watched(run: run, until: end)
    nothingBefore = min(nothingBefore, end)
  }

  /// Returns the moment at which the run is lost. Loops keep words back for a while (`RunWords`), and a run must not be
  /// lost because of that.
  private static func end(of run: LiveRun, heardAt now: Int64) -> Int64 {
    now + run.lease + RunWords.everyMilliseconds
  }
}
