import Domain
import Net
import Sync
import Wire

// Takes what the replica tells: onto the local state, to disk, and on as news.
extension Client {
  func take(_ effects: [ReplicaEffect]) {
    guard !effects.isEmpty else { return }
    orders.post(.took(effects.count))
    // Settled and refused commands come first: their events are no news, because the commands were shown already.
    keepRecords(of: effects)
    for effect in effects { take(effect) }
    settle()
    tellUnsent()
    forgetErased()
    // A person who works on without a connection, and starts again, finds the copies as they were at its end.
    saveCopies(
      evenSoon: isLevel && keepsReplaced
        || effects.contains { if case .standing(.offline) = $0 { true } else { false } })
    if news.count > Client.newsMax { news.removeFirst(news.count - Client.newsMax) }
  }

  private func take(_ effect: ReplicaEffect) {
    switch effect {
    case .connect, .send, .close, .hangUp, .wake, .outbox: break
    case .standing(let standing): take(standing)
    case .replaced(let state, let cursor):
      keepsReplaced = keepsReplaced || local.copies[state.stream] != nil
      local.replaced(state, cursor)
      haveCopiesChanged = true
      keepsErased = keepsErased || !state.erasedPosts.isEmpty
      news.append(.replaced(state.stream))
    case .happened(let stream, let events, let caughtUp):
      let appliedEvents = events.map { apply($0, to: stream) }
      haveCopiesChanged = true
      news.append(.happened(stream, appliedEvents, caughtUp: caughtUp))
    case .gone(let stream):
      haveCopiesChanged = true
      ephemerals = ephemerals.filter { $0.key.stream != stream }
      if let last = local.gone(stream) { news.append(.gone(last)) }
    case .ephemeral(let set):
      ephemerals[EphemeralTopic(stream: set.stream, kind: set.kind)] = set.count > 0 ? set : nil
      news.append(.ephemeral(set))
    case .allLevel:
      isLevel = true
      news.append(.level)
    case .withdrawn(let number, let isDone): withdrawn(number, isDone)
    case .answered(let ticket, let result):
      if awaited.remove(ticket) != nil {
        let asked = instead.removeValue(forKey: ticket)
        if let asked, case .failure = result { refusedAs[asked] = ticket }
        answers[asked ?? ticket] = result
      } else {
        news.append(.answered(ticket, result.mapError(ClientError.init)))
      }
    }
  }

  private func take(_ standing: Standing) {
    self.standing = standing
    isLevel = false
    ephemerals = [:]
    switch standing {
    case .live(let user):
      local.signedIn(as: user)
      obstacle = nil
    case .offline(let why, retryMilliseconds: _): obstacle = why
    case .connecting, .ended: break
    }
    news.append(.standing(standing))
  }

  private func apply(_ event: Event, to stream: StreamID) -> AppliedEvent {
    let changes = local.happened(event, in: stream)
    keepsErased = keepsErased || !event.ops.erasedSubjects.isEmpty
    let viewer = user.map { user in
      Viewer(user: user, joinedSeq: local.copies[stream]?.joinedSeq(of: user) ?? 0)
    }
    return AppliedEvent(
      event: event, changes: changes,
      notifications: viewer.map { notify(event, in: stream, viewer: $0) } ?? [])
  }

  // MARK: Records and files

  private func keepRecords(of effects: [ReplicaEffect]) {
    let records = effects.compactMap { effect in
      if case .outbox(let record) = effect { record } else { nil }
    }
    guard !records.isEmpty else { return }
    for case .refused(let number, _) in records {
      untold += [number] + local.outbox.followers(of: number)
    }
    do throws(ClientError) {
      try files?.append(records)
    } catch {
      // After a crash these commands are sent again, and the same answers come again.
      report(error)
    }
    for record in records { local.apply(record) }
    guard files?.isOvergrown == true else { return }
    do throws(ClientError) { try files?.rewrite(local.outbox) } catch { report(error) }
  }

  private func tellUnsent() {
    for unsent in untold.compactMap({ local.outbox.unsent($0) }) {
      guard unsent.queued.command.isImport else {
        news.append(.unsent(unsent))
        continue
      }
      // Nobody decides about these: the program that imports brings them again. So they are told once, to the caller
      // who waits for the answer or else as news, and are kept nowhere.
      if answers[unsent.queued.ticket] == nil { news.append(.unsent(unsent)) }
      do throws(ClientError) { try discard(unsent.queued.number) } catch { report(error) }
    }
    untold = []
  }

  /// Writes the files anew, so that an erased text leaves them as soon as the memory. The outbox still has it in
  /// commands that were settled.
  private func forgetErased() {
    guard keepsErased else { return }
    keepsErased = false
    do throws(ClientError) { try files?.rewrite(local.outbox) } catch { report(error) }
    saveCopies(evenSoon: true)
  }

  func saveCopies(evenSoon: Bool) {
    let now = MachineClock.monotonic()
    guard haveCopiesChanged, let files, let saved = local.saved,
      evenSoon || isLevel && now >= copiesSavedAt + Client.saveEveryMilliseconds
    else { return }
    copiesSavedAt = now
    haveCopiesChanged = false
    keepsReplaced = false
    do throws(ClientError) { try files.save(saved) } catch { report(error) }
  }

  /// Tells that something could not be kept. The work goes on.
  func report(_ error: ClientError) { news.append(.notKept(error)) }

  /// The time between two saves during a connection. Copies of a few megabytes are written whole, at its end and often
  /// enough before that a crash costs only a short tail.
  private static let saveEveryMilliseconds: Int64 = 30_000
}

extension StreamState {
  fileprivate func joinedSeq(of user: UserID) -> Int64 {
    guard case .member(let member) = object(.member, user.uuid) else { return 0 }
    return member.joinedSeq
  }
}
