import Client
import Domain
import Screen
import Sync
import Text
import Wire

// Carries out a line that was entered.
extension Chat {
  func submit(_ line: String) {
    if let question {
      self.question = nil
      return answer(question, line)
    }
    guard !putsBack(line) else { return }
    guard !Text.heapsMarks(line) else {
      return complain("more than 30 combining marks in a row; nothing was sent")
    }
    let input = Input(chat: line, talking: situation.talking != nil)
    echo(line, input)
    switch input {
    case .nothing: break
    case .unknown(let name):
      let near = CommandTable.suggestion(for: name, slash: true) ?? "."
      complain("there is no command /\(name); nothing was sent\(near) /help shows the commands")
    case .wrong(let usage): complain(usage.sentence(slash: true))
    case .action(.post(.quickAdd(let text))) where asksAbout(text): break
    case .action(let action): perform(action, line)
    }
  }

  /// Prints what was asked for above its answer. With a connection a new post and a line of talk are not printed,
  /// because they show as themselves.
  func echo(_ line: String, _ input: Input) {
    switch input {
    case .nothing: break
    case .action(.post(.quickAdd)) where isLive, .action(.talk(.say)) where isLive,
      .action(.talk(.sayHere)) where isLive:
      break
    case .action, .unknown, .wrong: print(Line("❯ ", .dim, hang: 2).and("\(line)", .dim))
    }
  }

  /// Plans the action and carries it out. `isMeant` means that the person was asked whether they mean it, and does.
  func perform(
    _ action: Action, _ line: String, seen: Situation? = nil, isMeant: Bool = false
  ) {
    guard isLive || hasGreeted || hasCopies || action.needsNoLists else {
      return complain("there is no connection yet; your lists come with it")
    }
    if case .undo(let list) = action, !isLive { return withdraw(in: list) }
    do throws(Problem) {
      let planner = Planner(
        situation: situation, seen: seen, isMeant: isMeant, trail: trail(for: action))
      switch try planner.plan(action) {
      case .show(let view):
        situation.shown.note(view, situation)
        print(view.lines(situation))
        if case .talk(let place, let post) = view { enterTalk(place, about: post) }
      case .send(let requests): send(requests)
      case .open(let list): open(list.id)
      case .help(let name):
        let locale = situation.ownStream?.profile?.locale ?? ""
        print(
          name.map { HelpLines.one($0, locale: locale) }
            ?? HelpLines.overview(columns: Terminal.columns))
      case .quit: quit()
      case .back: leaveTalk()
      case .logout: logout()
      case .password: changePassword()
      case .upgrade(let name, let code): upgrade(to: name, code: code)
      case .deleteAccount: deleteAccount()
      case .decide(let unsent, let step): decide(unsent.queued.number, step)
      case .recover:
        print(
          Line(
            "you are signed in: /password changes the password. To recover, /logout first.", .dim))
      }
    } catch {
      complain(error.sentence, error.remedy, line)
    }
  }

  private func complain(_ sentence: String, _ remedy: Problem.Remedy?, _ line: String) {
    switch remedy {
    case .times:
      ask(.times(AskedTimes(line: line, seen: situation)), "\(sentence)")
    case .again:
      ask(.again(AskedAgain(line: line, seen: situation)), "\(sentence)")
    case .whereabouts(let number, let list) where isLive:
      send([Planner(situation: situation).whereabouts(of: number, in: list)])
    case .whereabouts, .list, nil: complain(sentence)
    }
  }

  func send(_ requests: [PlannedRequest]) {
    for planned in requests {
      if case .addedList(let id, _) = planned.report { toOpen = id }
      if case .addedQuickly(let understood) = planned.report { situation.understood = understood }
      switch planned.request {
      case .command(.invitation(.accept), key: _, base: _),
        .command(.invitation(.redeem), key: _, base: _):
        opensNext = situation.openList == nil
      default: break
      }
      do throws(ClientError) {
        try send(planned)
        tell(planned.notices)
      } catch {
        complain("\(error)")
      }
    }
    hasWarned = false
    situation.read(client)
  }

  private func tell(_ notices: [Notice]) {
    for notice in notices {
      if case .once = notice {
        if hasToldZone { continue }
        hasToldZone = true
      }
      print(Line(notice.phrase, .warn))
    }
  }

  /// Sends a request. A change counts at once, on top of the copies; a question waits for its answer.
  private func send(_ planned: PlannedRequest) throws(ClientError) {
    guard case .command(let command, let key, base: _) = planned.request else {
      guard isLive else { return answerOffline(planned) }
      reports[client.submit(planned.request)] = planned.report
      return
    }
    let before = isLive ? nil : situation
    note(planned)
    let ticket = try client.queue(command, key: key)
    unproven[ticket] = (planned.request, situation)
    reports[ticket] = planned.report
    queued.insert(ticket)
    if isLive { live.asked(ticket.number) }
    if let before { tellKept(command, before) }
    // A list that is made without a connection is opened, so that one can work in it.
    if case .category(.add(let id, _)) = command, !isLive {
      situation.read(client)
      if situation.streams[.category(id)] != nil { open(id) }
    }
  }

  private func decide(_ number: Int64, _ step: UnsentStep) {
    do throws(ClientError) {
      switch step {
      case .again:
        try client.retry(number)
        noteQueued()
      case .drop:
        try client.discard(number)
        noteDropped()
        print(Line("dropped", .dim))
      case .choose(_, let choice):
        try client.resolve(number, choice)
        if choice == .theirs {
          noteDropped()
          print(Line("theirs stays", .dim))
        } else {
          noteQueued()
        }
      }
    } catch {
      complain("\(error)")
    }
    situation.read(client)
  }

  /// Shows a list; plain lines go to it from now on.
  func open(_ id: CategoryID) {
    closeTalk()
    work(in: id)
  }

  /// Makes a list the open one. It is shown, unless its talk is.
  func work(in id: CategoryID, showing: Bool = true) {
    situation.open = id
    toOpen = nil
    opensNext = false
    guard let list = situation.openList else { return }
    if showing { print(ListLines.posts(of: list, done: false, situation)) }
    readOpenList()
    lookBack()
    do throws(ClientError) {
      try folder.saveOpenList("\(StreamID.category(id))")
    } catch {
      complain("\(error)")
    }
  }

  /// Leaves the chat. It waits a moment for the answers to what was just entered. When something cannot be kept for
  /// later, it warns before it drops it. It tells the server how far the person has read, so that the next start begins
  /// there.
  func quit() {
    let end = Uptime.milliseconds() + Chat.partingMilliseconds
    while isLive, waiting > 0, over == nil, Uptime.milliseconds() < end {
      takeNews(within: Int(end - Uptime.milliseconds()))
    }
    guard waiting == 0 || files != nil || hasWarned else {
      hasWarned = true
      return complain("not sent yet: \(waiting) of what you entered; /quit again drops it")
    }
    if waiting > 0, files != nil {
      print(Line("\(UnsentLines.count(waiting)) to be sent when you come back", .dim))
    }
    over = over ?? .done
    guard isLive, hasGreeted, marks.wait != nil, let open = situation.open,
      let mark = dueMark(.category(open))
    else { return }
    do throws(ClientError) {
      try client.send(mark).wait(milliseconds: 1_000)
    } catch {
      // Then the next start shows the same once more, which is no reason to keep anybody waiting.
      print(Line("(\(error))", .dim))
    }
  }

  /// The number of changes that are not answered.
  private var waiting: Int { max(situation.waitingCount, reports.values.count { $0.isChange }) }

  /// The time that answers may take before the person is asked whether to leave.
  private static let partingMilliseconds: Int64 = 2_000

  // MARK: What has been read

  /// Takes note that the open list is on the screen, so it is read.
  func readOpenList() {
    guard let open = situation.open else { return }
    situation.unread[.category(open)] = nil
    marks.read()
  }

  /// Sends the mark when it is due, but only after the person was told what is new since the last time.
  func sendDueMark() {
    if hasGreeted, marks.take() { sendMark() }
  }

  private func sendMark() {
    guard let open = situation.open else { return }
    mark(.category(open))
  }

  /// Marks everything in a stream as read, unless it is marked already.
  func mark(_ stream: StreamID) {
    guard let command = dueMark(stream) else { return }
    let request = Request.command(command, key: Identifiers.key())
    reports[client.submit(request)] = .mark
    situation.unread[stream] = nil
  }

  /// Marks as read what `/n` has shown of the notifications to the person. This happens only where reminders are kept,
  /// because an older server takes no mark of one's own stream.
  func markOwn(_ answer: ReplicaAnswer) {
    guard let me = situation.me, case .notifications(let result) = answer,
      !result.reminders.isEmpty || situation.ownMark > 0,
      let last = (result.reminders + result.directed).map(\.seq).max(), last > situation.ownMark
    else { return }
    let command = Command.markRead(.user(me), seq: last)
    reports[client.submit(.command(command, key: Identifiers.key()))] = .mark
  }

  private func dueMark(_ stream: StreamID) -> Command? {
    guard let head = client.heads[stream], head > (situation.ownStream?.readMark(of: stream) ?? 0)
    else { return nil }
    return .markRead(stream, seq: head)
  }

  // MARK: Secrets

  private func changePassword() {
    guard isLive else { return complain("there is no connection; nothing was changed") }
    clearRow()
    guard let old = Prompt.askSecret("your password now: "),
      let new = askNewPassword("the new one")
    else { return complain("nothing was changed") }
    let request = ChangePasswordRequest(old: old, new: new, key: Identifiers.key())
    reports[client.submit(.changePassword(request))] = .unreturned(
      "your password", "/password changes it once more",
      made: "password changed; your other devices are signed out", same: "it is the same as before")
  }

  /// Asks twice for a new password; nil when the person stopped.
  func askNewPassword(_ question: String) -> String? {
    NewPassword.ask(question) { phrase in
      print(Line(phrase, .warn))
      clearRow()
    }
  }

  /// Asks for the password, which somebody who passes by an open terminal does not know. A guest has none.
  private func deleteAccount() {
    guard isLive else { return complain("there is no connection; nothing was changed") }
    clearRow()
    let isGuest = situation.ownStream?.profile?.isGuest ?? false
    let password = isGuest ? nil : Prompt.askSecret("your password, to delete this account: ")
    guard isGuest || password != nil else { return complain("nothing was changed") }
    let request = DeleteAccountRequest(password: password, key: Identifiers.key())
    reports[client.submit(.deleteAccount(request))] = .unreturned(
      "the end of your account", "/account keep keeps it",
      made: "asked for: until it ends everything is as before", same: "this was asked for already")
  }

  private func logout() {
    let left = situation.waitingCount + situation.unsent.count
    guard left == 0 || hasWarned else {
      hasWarned = true
      return complain("not sent: \(left) of what you wrote (/unsent); /logout again deletes it")
    }
    let handle = client.logout()
    do throws(ClientError) {
      try handle.wait(milliseconds: 5_000)
    } catch {
      if let advice = error.adviceAtLogout { complain(advice) }
      if case .timedOut = error {
        complain(
          "the server was not reached; that session ends by itself, or with /sessions elsewhere")
      }
    }
    do throws(ClientError) {
      try client.clear()
      try folder.deleteAll()
      print(Line("signed out; nothing is left on this machine", .dim))
    } catch {
      complain("\(error)")
    }
    over = .done
  }
}
