import Client
import Domain
import Screen
import Sync
import Wire

// Takes what arrives from the server.
extension Chat {
  /// The number of missed events of a list that are shown one by one; more are folded.
  private static let missedLinesMax = 6

  /// Takes the news that are there, or come within the time.
  func takeNews(within milliseconds: Int = 0) {
    // Releases the copies while they change, so that they need not be duplicated.
    situation.streams = [:]
    let news =
      milliseconds > 0 ? client.waitForNews(milliseconds: milliseconds) : client.takeNews()
    situation.read(client)
    // Events of a stream that went away are told with the names that it had.
    for case .gone(let last) in news where situation.streams[last.stream] == nil {
      situation.streams[last.stream] = last
    }
    for item in news { handle(item) }
    endLostTalk()
  }

  private func handle(_ news: ClientNews) {
    switch news {
    case .standing(let standing): handle(standing)
    case .replaced(let stream): replaced(stream)
    case .happened(let stream, let appliedEvents, let caughtUp):
      happened(stream, appliedEvents, caughtUp: caughtUp)
    case .gone(let last): gone(last)
    case .ephemeral: break
    case .level: level()
    case .withdrawn(let queued, let isDone): withdrawn(queued, isDone)
    case .answered(let ticket, let result): answered(ticket, result)
    case .unsent(let unsent): refused(unsent)
    case .notKept(let error): complain("\(error)")
    }
  }

  // MARK: The connection

  private func handle(_ standing: Standing) {
    switch standing {
    case .connecting: break
    case .live:
      print(Line("● ", .good).and("live as @\(session.username)", .dim))
      isLive = true
    case .offline(let reason, let wait):
      // This is printed once, and again when a server is there and not to be trusted.
      let isDistrust = if case .untrusted = reason { reason != toldOffline } else { false }
      if isLive || toldOffline == nil || isDistrust {
        toldOffline = reason
        print(Line("○ ", .bad).and("offline: \(reason.words); trying again\(seconds(wait))", .dim))
      }
      isLive = false
      live.lost()
    case .ended(let reason): ended(reason)
    }
  }

  private func seconds(_ milliseconds: Int64) -> String {
    milliseconds < 1_500 ? "" : " in \((milliseconds + 500) / 1_000) s"
  }

  private func ended(_ reason: EndReason) {
    complain(ClientError.ended(reason).description)
    isLive = false
    over = ExitCode(.ended(reason))
    guard case .signedOut = reason else { return }
    // The token is worthless now; what the person wrote is not.
    let left = situation.waitingCount + situation.unsent.count
    do throws(ClientError) {
      if left > 0 {
        complain("kept until you log in here again: \(left) of what you wrote")
      } else {
        try client.clear()
      }
      try folder.deleteAll()
    } catch { complain("\(error)") }
  }

  private func level() {
    if !hasGreeted, let line = AccountLines.ending(situation) { print(line) }
    ask(.query(.notifications(limit: 30)), hasGreeted ? .unread : .welcome)
  }

  private func ask(_ request: Request, _ report: Report) {
    guard isLive else { return }
    reports[client.submit(request)] = report
  }

  // MARK: Streams

  private func replaced(_ stream: StreamID) {
    // Another log may have begun, with the same numbers.
    situation.undos[stream] = nil
    if case .category(let list) = stream { lookedBack.remove(list) }
    guard hasGreeted, let state = situation.streams[stream] else { return }
    if let group = state.group {
      let people = state.members.map { "@" + $0.username }.joined(separator: " ")
      print(Line("+ ", .accent, hang: 2).and("\(group.name) is a group of \(people)"))
    }
    guard let list = state.category, list.removed == nil else { return }
    // A list that was made without a connection is open already.
    if situation.open == list.id { return }
    if toOpen == list.id { return open(list.id) }
    print(Line("+ ", .accent).and("\(list.tag) is yours to see: \(list.counters.open) open"))
    if opensNext { open(list.id) }
  }

  private func gone(_ last: StreamState) {
    // A person who saw the event that ended it knows already.
    let sawIt = situation.me.flatMap { last.member($0) }.map { $0.role == nil } ?? false
    let place = last.category?.tag ?? last.group?.name
    if let place, !sawIt { print(Line("✘ ", .bad).and("you are no longer in \(place)")) }
    situation.remember(last)
    situation.streams[last.stream] = client.streams[last.stream]
    situation.unread[last.stream] = nil
    if last.stream == situation.open.map({ .category($0) }) { situation.open = nil }
  }

  private func happened(_ stream: StreamID, _ appliedEvents: [AppliedEvent], caughtUp: Bool) {
    // After others' changes an undo that was stuck may work.
    if appliedEvents.contains(where: { $0.event.by != situation.me }) {
      stuck = stuck.filter { $0.stream != stream }
    }
    for applied in appliedEvents { situation.undos[stream, default: .init()].hear(applied.event) }
    if caughtUp {
      for applied in appliedEvents { situation.hear(endingsOf: applied.event, in: stream) }
    }
    show(
      appliedEvents.compactMap { situation.shown($0, in: stream) }, in: stream, caughtUp: caughtUp)
    count(appliedEvents, in: stream)
    // When several digests were missed, the last one is enough.
    if let day = appliedEvents.compactMap(\.digestDay).last {
      ask(
        .query(.digest(DigestQuery(day: day, zone: situation.clock.zone))), .digestReady)
    }
    if appliedEvents.contains(where: { $0.isProgress(of: situation.me) }) {
      ask(.query(.notifications(limit: 1)), .day)
    }
  }

  private func show(_ appliedEvents: [AppliedEvent], in stream: StreamID, caughtUp: Bool) {
    let lines = EventLines(situation: situation)
    if !caughtUp, appliedEvents.count > Chat.missedLinesMax {
      let summary = lines.summary(appliedEvents)
      if !summary.isEmpty { print([Line("meanwhile:", .dim)] + summary) }
      for applied in appliedEvents { overdue.hear(applied) }
    } else {
      let now = Uptime.milliseconds()
      print(appliedEvents.flatMap { overdue.lines(of: $0, in: stream, lines, now: now) })
    }
    if appliedEvents.contains(where: \.isReminder) { ring() }
  }

  private func count(_ appliedEvents: [AppliedEvent], in stream: StreamID) {
    for applied in appliedEvents {
      for case .personal(.readMarked(let mark)) in applied.event.ops
      where mark.seq >= client.heads[mark.stream] ?? 0 {
        situation.unread[mark.stream] = nil
      }
    }
    if stream == situation.open.map({ .category($0) }) { return readOpenList() }
    // As the server counts: progress that repeats counts once.
    var seen = situation.unread[stream] == nil ? [] : situation.counted[stream] ?? []
    let new = appliedEvents.flatMap(\.notifications).count {
      $0.progress.map { seen.insert($0).inserted } ?? true
    }
    guard new > 0, stream.letter != UInt8(ascii: "u"),
      situation.streams[stream]?.category?.archived == nil
    else { return }
    let before = situation.unread[stream] ?? Unread(count: 0, more: false)
    let now = Unread(of: before.count + new)
    situation.unread[stream] = Unread(count: now.count, more: now.more || before.more)
    situation.counted[stream] = seen
  }

  // MARK: Answers

  private func answered(_ ticket: RequestTicket, _ result: Result<ReplicaAnswer, ClientError>) {
    let wasQueued = queued.remove(ticket) != nil
    noteMade(ticket, result)
    guard let report = reports.removeValue(forKey: ticket) else { return }
    switch result {
    case .failure(let error):
      if case .ended = error { return }
      // The person is told of the refusal by `unsent`.
      if wasQueued, case .refused = error { return }
      if case .past = report { return }
      complain("\(error)")
      if let leftover = report.leftover { complain(leftover) }
    case .success(let answer): answered(report, answer)
    }
  }

  private func answered(_ report: Report, _ answer: ReplicaAnswer) {
    if case .notifications(let result) = answer { take(result) }
    if report == .markRead(nil) { noteTold(answer) }
    if case .history(.events(let page)) = answer { hear(page, report) }
    if case (.undone(let event, _, _), .command(let result)) = (report, answer), !result.changed {
      stuck.insert(event)
    }
    do throws(Problem) {
      let planner = Planner(situation: situation, stuck: stuck, trail: trail(for: report))
      if let more = try planner.followUp(report, answer) { return send(more) }
    } catch {
      complain(error.sentence)
      if let leftover = report.leftover { complain(leftover) }
      return
    }
    switch report {
    case .welcome: welcome(answer)
    case .unread, .mark, .past: break
    // When several lists change at once, the total is told once.
    case .day: if !reports.values.contains(.day) { print(ListLines.day(situation.today)) }
    case .notifications(let place):
      print(AnswerLines.lines(report, answer, situation, chat: true))
      noteShown(of: place, answer)
    case .change, .told, .apart, .addedPost, .addedQuickly, .addedList, .bin, .binOf,
      .removedLists, .markRead, .members, .who, .history, .olderTalk, .handOver, .why,
      .whyPerson, .glance, .found, .profile, .sessions, .closeSession, .restoreLists, .restorePosts,
      .purgePosts, .undo, .takeBack, .react, .redo, .undone, .privacy, .madeCode, .codes,
      .revokeCode, .changes, .viewed, .month, .pairing, .upgraded, .claimedNext, .viewedDay,
      .madeLink, .links, .unlink, .twins, .digest, .digestReady, .stats, .export, .whereabouts,
      .undoChange, .takenBack, .doneAgain, .unreturned, .bots, .botChange, .madeToken,
      .madeWebhook, .webhook:
      keepName(answer)
      situation.shown.note(report, answer, situation)
      print(AnswerLines.lines(report, answer, situation, chat: true))
    }
  }

  /// Marks as read what `/n` has shown, of all lists and groups or of one.
  private func noteShown(of place: ListOrGroup?, _ answer: ReplicaAnswer) {
    let streams = situation.unread.keys.filter { place == nil || $0 == place?.stream }
    // News of a muted list were not shown.
    for stream in streams.sorted() where situation.level(of: stream) > .none { mark(stream) }
    guard place == nil else { return }
    noteTold(answer)
    markOwn(answer)
  }

  /// Saves the name of a former guest, who signs in by it from the next start on.
  private func keepName(_ answer: ReplicaAnswer) {
    guard case .registered(let it) = answer else { return }
    do throws(ClientError) {
      try folder.save(
        StateFolder.Session(
          server: session.server, username: it.username, token: session.token,
          authorities: session.authorities, files: session.files))
    } catch {
      complain("\(error)")
    }
  }

  /// Asks once for the newest events of the open list, because what others do next may take back an undo from before
  /// this chat.
  func lookBack() {
    guard isLive, let list = situation.openList, lookedBack.insert(list.id).inserted else { return }
    let query = HistoryEventsQuery(stream: .category(list.id), limit: Chat.lookBackMax)
    ask(.query(.history(.events(query))), .past(list))
  }

  /// The number of events that are looked up; a redo mostly follows its undo.
  private static let lookBackMax = 40

  /// Takes note of one's own undos, and of other events that were looked up, from before this chat.
  private func hear(_ page: HistoryPage, _ report: Report) {
    guard let stream = report.pastOf else { return }
    do throws(WireError) {
      for event in try page.events() { situation.undos[stream, default: .init()].hear(event) }
    } catch {
      // The person who asked for it is told elsewhere.
    }
  }

  private func take(_ result: NotificationsResult) {
    situation.today = result.today
    situation.unread = [:]
    for list in result.lists where !list.unread.isEmpty {
      situation.unread[list.stream] = list.unread
      let told = Set(list.notifications.compactMap(\.progress))
      // Those that are muted are not among them.
      let isWhole = list.notifications.count == list.unread.count
      situation.counted[list.stream] =
        isWhole ? told : told.union(situation.counted[list.stream] ?? [])
    }
  }

  private func noteTold(_ answer: ReplicaAnswer) {
    guard case .notifications(let result) = answer else { return }
    situation.told = max(situation.told, result.directed.map(\.seq).max() ?? 0)
  }

  /// Greets the person after the start: with the lists, and what happened since the last time.
  private func welcome(_ answer: ReplicaAnswer) {
    hasGreeted = true
    situation.shown.note(.lists, situation)
    print(ListLines.overview(situation))
    if case .notifications(let result) = answer {
      let news = ListLines.news(result, situation, allReminders: false)
      let isNew = result.lists.contains { !$0.unread.isEmpty } || !result.reminders.isEmpty
      if isNew {
        print([Line("since you last looked:", .dim)] + news)
        noteTold(answer)
      }
      print(ListLines.day(result.today))
    }
    let hint: Phrase = "/help shows the commands; a plain line adds to the open list, 'TEXT talks"
    print(Line(hint, .dim))
    if situation.openList == nil { situation.open = nil } else { readOpenList() }
    lookBack()
  }
}

extension AppliedEvent {
  /// Whether it may have changed one's own total of the day.
  fileprivate func isProgress(of me: UserID?) -> Bool {
    event.by == me
      && event.ops.contains { op in
        switch op {
        case .post(.completed): true
        case .post(.occurred(_, _, let news, _)):
          if case .completed = news.reason { true } else { false }
        default: false
        }
      }
  }
}

extension AppliedEvent {
  /// The day for which a digest is ready; nil for other events.
  fileprivate var digestDay: Day? {
    for case .personal(.digestReady(let day)) in event.ops { return day }
    return nil
  }

  fileprivate var isReminder: Bool {
    event.ops.contains { if case .personal(.fired) = $0 { true } else { false } }
  }
}

extension AppliedEvent {
  /// Whether the person asked to be reminded of this.
  func keeps(_ it: Notification) -> Bool {
    event.ops.contains { op in
      guard case .personal(.kept(let told)) = op else { return false }
      return told.address.post == it.post && told.kind.notification == it.kind
    }
  }
}
