// An operator who keeps events only for a moment (protocol §5.7), in some runs. Older events are forgotten in steps
// between commits, as by the real server. A client with a cursor from before the horizon gets a state and never a part
// of a tail. A command that was asked for on a copy from before the horizon, and comes again when its key may be
// forgotten, is not done a second time.
//
// The other store forgets everything that is old at each step: it knows no key that this one does not know.

import Domain
import Sync
import Wire

extension Simulation {
  /// The moment before which events are forgotten; nil where all are kept.
  var oldestKept: Timestamp? {
    guard let kept = workload.keepMilliseconds, !isCalm else { return nil }
    return Timestamp(milliseconds: moment.wall.milliseconds - kept)
  }

  /// Takes note that the store has forgotten the events of a stream up to this one.
  func forgot(_ horizon: StreamPosition, before oldest: Timestamp) {
    count(.forgotten)
    note { "forgotten \(horizon.stream) \(horizon.seq)" }
    forgottenBefore = max(forgottenBefore ?? oldest, oldest)
    if let breach = truth.forget(horizon, before: oldest) { fail(breach) }
    do throws(StoreError) {
      while try !place.twin.trim(before: oldest).isDone {}
    } catch {
      fail("P10 the other store does not forget: \(error)")
    }
  }

  /// Lets both stores forget the same: a sweep goes on to its end at one moment.
  func forgetEqually() throws(StoreError) {
    guard let oldest = forgottenBefore, let server else { return }
    try server.forgetAll(before: oldest)
    while try !place.twin.trim(before: oldest).isDone {}
  }

  // MARK: P5: never a part of a tail

  /// Checks an answer that tells somebody, at this moment, how their copies go on.
  func checkCatchUp(_ outcome: RequestOutcome, from cursors: [Cursor]) {
    let statuses: [StreamStatus]
    switch outcome {
    case .welcome(let result, _, _, _): statuses = result.streams
    case .opened(let streams, _): statuses = streams
    case .done, .registered, .signedIn, .recovered, .pairing, .loggedOut, .unwelcome, .noted,
      .answer, .failed:
      return
    }
    for status in statuses {
      let horizon = truth.streams[status.stream]?.horizon ?? 0
      switch status.mode {
      case .live, .tail:
        let cursor = cursors.last { $0.stream == status.stream }?.position?.seq ?? 0
        if cursor <= horizon, horizon > 0 {
          fail("P5 \(status.stream) goes on after \(cursor), and has forgotten up to \(horizon)")
        }
      case .snapshot:
        if status.reason == .horizon { count(.p5Horizon) }
      case .gone: break
      }
    }
  }

  /// Checks the answer of a reader that was asked for events, at this moment.
  func checkTail(_ read: HubRead, _ answer: HubReadAnswer<[UInt8]>) {
    guard case .tail(let after) = read.want, case .tail(.some, through: _) = answer else { return }
    if let horizon = truth.streams[read.stream]?.horizon, after < horizon {
      fail("P5 events of \(read.stream) after \(after), and forgotten is up to \(horizon)")
    }
  }

  // MARK: History

  /// Checks P6: what is told of the past is the log, as far as it is kept.
  func checkHistory(_ user: UserID, _ query: HistoryQuery, _ answer: [UInt8]) {
    guard let truth = truth.streams[query.stream], truth.isMember(user) else { return }
    do throws(WireError) {
      guard case .result(_, let node) = try ServerMessage(decoding: answer) else {
        return fail("P6 a question about the past is answered with something else")
      }
      switch try HistoryAnswer(decoding: node, to: query) {
      case .events(let page): checkPage(page, truth, user, query.stream)
      case .state(let page):
        count(.p6Past)
        if page.seq < truth.firstRead(user) {
          fail("P6 \(query.stream) as it was at \(page.seq), of which nothing is kept or told")
        }
      case .difference, .undo: break
      }
    } catch {
      fail("P6 a question about the past is answered with what cannot be read: \(error)")
    }
  }

  /// Checks a page of a query that starts at the newest event and leaves none out.
  private func checkPage(
    _ page: HistoryPage, _ truth: StreamTruth, _ user: UserID, _ stream: StreamID
  ) {
    count(.p6Past)
    let first = truth.firstRead(user)
    var next = truth.head
    for line in page.lines {
      guard line.seq == next, line.seq >= first else {
        return fail("P6 the history of \(stream) has \(line.seq) for \(next), from \(first) on")
      }
      guard truth.isBody(line.body, of: line.seq) else {
        return fail("P6 \(stream) \(line.seq) is another event in its history")
      }
      next -= 1
    }
    if page.before == nil, next >= first {
      fail("P6 the history of \(stream) ends at \(next + 1), and begins with \(first)")
    }
  }
}

extension Workload {
  /// Asks what happened in a list or group, or how a list was.
  func history(_ device: Device) -> Query? {
    let world = device.world
    guard let stream = world.random.pick(device.streams.filter { !$0.isUser }) else { return nil }
    guard case .category(let category) = stream, world.random.happens(400),
      let seq = device.copies[stream]
    else {
      let limit = 1 + world.random.below(60)
      return .history(.events(HistoryEventsQuery(stream: stream, limit: limit)))
    }
    let moment = HistoryStateQuery.Moment.seq(world.random.between(1, max(1, seq)))
    return .history(.state(HistoryStateQuery(category: category, moment: moment, page: 1)))
  }
}
