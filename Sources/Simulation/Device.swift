// A client program on somebody's device: the real Replica, and beside it what the checkers remember. Every message is
// compared with the truth before the replica gets it, and every effect after it.

import Domain
import Sync
import Wire

struct Person {
  let index: Int
  let id: UserID
  var username: String { "person\(index)" }
  /// The person's first password.
  var password: String { "password of \(index)" }
  var beginsAsGuest = false
  var kind = UserKind.person
}

final class Device {
  let index: Int
  /// The device's person; for one that looks by a link, the guest by whom it is known.
  private(set) var person: Person
  /// Whether it looks by links, and belongs to nobody (Device+Looking).
  let looks: Bool
  /// Whether a program runs on it that acts by the tokens of bots (Device+Program).
  let isProgram: Bool
  /// The token by which the program acts, as the store knows it.
  private(set) var record: SessionRecord?
  unowned let world: Simulation
  private(set) var replica: Replica
  /// The local state that the program shows to its person; nil for a program that keeps nothing.
  private(set) var local: SimLocalState?
  /// The ephemeral values that it was told.
  private(set) var moments: [EphemeralTopic: EphemeralSet] = [:]
  private(set) var link: Link?
  /// The number of connections, so that an old one has no effect.
  private(set) var attempt = 0
  /// The number of restarts of the program.
  private var life = 0
  private(set) var token: String?
  private(set) var session: SessionID?
  private var tickets: Int64 = 0
  private var keysMade = 0
  private(set) var waiting: [RequestTicket: Request] = [:]
  /// How far the program was told of each stream.
  private(set) var copies: [StreamID: Int64] = [:]
  /// Whether it asks for whole objects, too.
  private let wantsObjects: Bool
  /// The copies that are made of whole objects.
  var whole = WholeCopies()
  private var acknowledged = 0
  private(set) var isSigningIn = false
  /// Whether it was not let in because its person is a bot whose owner has ended it.
  private(set) var isShutOut = false
  private(set) var isLive = false

  init(
    index: Int, person: Person, _ world: Simulation, looks: Bool = false, isProgram: Bool = false
  ) {
    self.looks = looks
    self.isProgram = isProgram
    self.index = index
    self.person = person
    self.world = world
    wantsObjects = index.isMultiple(of: 2)
    replica = Device.newReplica(token: nil, wantsObjects: wantsObjects)
    if index % 2 == 1, !isProgram { local = SimLocalState(self) }
  }

  private static func newReplica(
    token: String?, saved: SavedCopies? = nil, waiting: [QueuedCommand] = [],
    isLink: Bool = false, wantsObjects: Bool
  ) -> Replica {
    Replica(
      client: ClientName(name: "simulated", version: "1"), token: token, streams: .all,
      saved: saved, waiting: waiting, isLink: isLink,
      features: wantsObjects ? [.objects] : [])
  }

  // MARK: What the person does

  /// Begins; a second device of a person waits for the first one's token.
  func begin() {
    guard index == person.index else { return }
    if person.beginsAsGuest { beginAsGuest() } else { register() }
  }

  func adopt(_ token: String, _ session: SessionID?) {
    guard self.token == nil, !isSigningIn else { return }
    (self.token, self.session) = (token, session)
    perform(replica.signIn(token: token))
  }

  private func register() {
    isSigningIn = true
    ask(
      .register(
        RegisterRequest(
          id: person.id, username: person.username, name: person.username, zone: "UTC",
          password: person.password, code: nil, kind: person.kind)))
  }

  func beginSigningIn() { isSigningIn = true }

  func signedIn(_ login: LoginResult) {
    (isSigningIn, isShutOut) = (false, false)
    (token, session) = (login.token, login.session)
    perform(replica.signIn(token: login.token))
  }

  func logIn() {
    isSigningIn = true
    ask(
      .login(
        LoginRequest(
          username: person.username, password: passwordTyped, client: nil, device: nil)))
  }

  func newKey() -> CommandKey {
    keysMade += 1
    guard let key = CommandKey("d\(index)-\(life)-\(keysMade)") else {
      preconditionFailure("the simulation makes keys that are none")
    }
    return key
  }

  func ask(_ request: Request) {
    let ticket = RequestTicket(number: nextNumber())
    waiting[ticket] = request
    perform(replica.submit(request, ticket: ticket))
  }

  func nextNumber() -> Int64 {
    tickets += 1
    return tickets
  }

  func queue(_ queued: QueuedCommand) { perform(replica.queue(queued)) }

  /// Whether it makes sense to give it more to do.
  var isPatient: Bool { replica.pendingCount < 8 && !isSigningIn && token != nil }

  var streams: [StreamID] { copies.keys.sorted() }

  /// Returns a stream's state as its person sees it.
  func state(_ stream: StreamID) -> StreamState? {
    local.map { $0.view(of: stream) } ?? replica.state(of: stream)
  }

  /// Returns the cursor of the copy that its person sees.
  func cursor(of stream: StreamID) -> CursorPosition? {
    local.map { $0.cursor(of: stream) } ?? replica.cursor(of: stream)
  }

  /// Looks by another link, or by its first one.
  func look(by code: String, as guest: UserID) {
    if let link { world.closeUp(link) }
    (link, isLive) = (nil, false)
    person = Person(index: -1, id: guest)
    token = code
    life += 1
    attempt += 1
    (copies, waiting, moments) = ([:], [:], [:])
    replica = Device.newReplica(token: code, isLink: true, wantsObjects: wantsObjects)
    perform(replica.start())
  }

  /// Acts as another bot, or by another token.
  func begin(by text: String, _ record: SessionRecord) {
    if let link { world.closeUp(link) }
    (link, isLive) = (nil, false)
    person = Person(index: index, id: record.user, kind: .bot)
    (token, session, self.record) = (text, record.id, record)
    life += 1
    attempt += 1
    (copies, waiting, moments) = ([:], [:], [:])
    replica = Device.newReplica(token: text, wantsObjects: wantsObjects)
    perform(replica.start())
  }

  /// Takes the guest by whom the looking device is known.
  func known(as guest: UserID) { person = Person(index: -1, id: guest) }

  func stopLooking() {
    if let link { world.closeUp(link) }
    (link, isLive, token) = (nil, false, nil)
    life += 1
    attempt += 1
    (copies, waiting, moments) = ([:], [:], [:])
    replica = Device.newReplica(token: nil, isLink: true, wantsObjects: wantsObjects)
  }

  /// Ends the program and starts it again. Its copies and its unsettled requests are gone, unless it keeps them.
  func crash() {
    guard token != nil, !isSigningIn else { return }
    if local == nil { world.count(.clientCrash) }
    if let link { world.closeUp(link) }
    (link, isLive) = (nil, false)
    life += 1
    attempt += 1
    let kept = local?.reopen()
    copies = [:]
    waiting = [:]
    moments = [:]
    tickets = kept?.outbox.lastNumber ?? tickets
    for copy in kept?.saved?.copies ?? [] { copies[copy.state.stream] = copy.cursor.seq }
    replica = Device.newReplica(
      token: token, saved: kept?.saved, waiting: kept?.outbox.waiting ?? [], isLink: looks,
      wantsObjects: wantsObjects)
    perform(replica.start())
    letOthersIn()
  }

  // MARK: Connection

  func opened(_ link: Link) {
    self.link = link
    perform(replica.opened())
  }

  func closed(_ ending: Disconnection) {
    (link, isLive) = (nil, false)
    perform(replica.closed(ending, now: world.time, random: world.random.next()))
  }

  func lost(_ link: Link, _ ending: Disconnection) {
    guard self.link === link else { return }
    closed(ending)
  }

  func received(_ link: Link, _ bytes: [UInt8]) {
    guard self.link === link else { return }
    do throws(WireError) {
      check(try ServerMessage(decoding: bytes), on: link)
    } catch {
      world.fail("a client cannot read what it was sent: \(error)")
    }
    perform(replica.received(bytes, now: world.time))
  }

  func woke(_ life: Int) {
    guard life == self.life else { return }
    perform(replica.woke(now: world.time))
  }

  private func perform(_ effects: [ReplicaEffect]) {
    local?.hear(effects)
    for effect in effects {
      switch effect {
      case .connect:
        attempt += 1
        world.dial(self)
      case .send(let bytes, _): send(bytes)
      case .close:
        if let link { world.closeUp(link) }
        link = nil
      case .hangUp:
        if let link { world.closeUp(link) }
        closed(.lost)
      case .wake(let at):
        world.schedule(after: at - world.time, .clientWakes(device: index, life: life))
      case .standing(let standing): take(standing)
      case .replaced(let state, let cursor): replaced(state, cursor.seq)
      case .happened(let stream, let events, _): happened(stream, events)
      case .gone(let stream):
        copies[stream] = nil
        moments = moments.filter { $0.key.stream != stream }
      case .ephemeral(let set):
        let topic = EphemeralTopic(stream: set.stream, kind: set.kind)
        moments[topic] = set.count > 0 ? set : nil
      case .allLevel: isLive = true
      case .answered(let ticket, let result): answered(ticket, result)
      case .outbox(.settled): acknowledged += 1
      case .outbox, .withdrawn: break
      }
    }
  }

  private func send(_ bytes: [UInt8]) {
    guard let link else { return }
    do throws(RequestError) {
      let envelope = try RequestEnvelope(decoding: bytes)
      var address: KeyAddress?
      if case .command(let command, let key, _) = envelope.request {
        address = KeyAddress(stream: command.home(of: person.id), actor: person.id, key: key)
      } else if let key = envelope.request.passwordKey {
        address = KeyAddress(stream: .user(person.id), actor: person.id, key: key)
        noteAsked(envelope.request, address)
      }
      let asked = Link.Asked(
        id: envelope.id, request: envelope.request, address: address,
        hash: Digest.of(envelope.canonical), sentAfter: world.truth.commits)
      if let command = asked.command {
        world.truth.sent(command)
        if let seen = local?.notesSeen(by: command) { world.truth.seen(seen, by: command) }
        if let number = envelope.request.occurrence { world.truth.means(number, by: command) }
        if let move = envelope.request.listMove { world.truth.means(move, by: command) }
      }
      link.asked.append(asked)
      world.sendUp(link, world.workload.disturbed(envelope, bytes, of: self))
    } catch {
      world.fail("a client sends what cannot be read: \(error)")
    }
  }

  private func take(_ standing: Standing) {
    moments = [:]
    switch standing {
    case .connecting, .live: break
    case .offline: isLive = false
    case .ended(let reason):
      isLive = false
      guard reason == .signedOut else { return world.fail("a client was turned away: \(reason)") }
      token = nil
      if looks { return stoppedSeeing() }
      if isProgram { return lostToken() }
      world.count(.signedOut)
      noteSignedOut()
      if !isSigningIn { logIn() }
    }
  }

  private func answered(
    _ ticket: RequestTicket, _ result: Result<ReplicaAnswer, RequestFailure>
  ) {
    guard let request = waiting.removeValue(forKey: ticket) else { return }
    if looks { return answeredLooking(request, result) }
    switch (request, result) {
    case (.register, .success(.registered(let it))):
      keep(code: it.recoveryCode)
      logIn()
    case (.register, .failure): register()
    case (.login, .success(.loggedIn(let login))):
      signedIn(login)
      letOthersIn()
    case (.recover(let it), .success(.recovered(let result))): recovered(it, result)
    case (.changePassword, .success): acknowledged += 1
    case (.openPairing, _), (.pair, _): answeredPairing(request, result)
    case (.guest, _), (.upgrade, _): answeredGuest(request, result)
    case (.login, _) where isOver: isSigningIn = false
    case (.login, .failure(.refused(let error))) where error.kind == .forbidden:
      (isSigningIn, isShutOut) = (false, true)
      checkShutOut()
    case (.login, _): if person.beginsAsGuest { beginAsGuest() } else { logIn() }
    case (.command, .success): acknowledged += 1
    case (.query(.history(.undo(let query))), .success(.history(.undo(let preview)))):
      Workload.previewed(query, preview, self)
    default: break
    }
  }

  /// Returns how many commands were acknowledged since the last call.
  func takeAcknowledged() -> Int {
    defer { acknowledged = 0 }
    return acknowledged
  }

  // MARK: P5, P6, P10: what the program is told

  private func happened(_ stream: StreamID, _ events: [Event]) {
    guard let truth = world.truth.streams[stream] else {
      return world.fail("P5 \(stream) is not there and has events")
    }
    for event in events {
      guard event.seq == (copies[stream] ?? 0) + 1, event.seq <= truth.head else {
        return world.fail("P5 device \(index) gets \(event.seq) after \(copies[stream] ?? 0)")
      }
      guard truth.isEvent(event, shownTo: person.id) else {
        return world.fail("P5 \(stream) \(event.seq) is another event on device \(index)")
      }
      copies[stream] = event.seq
      world.count(.p5Event)
      if event.ops.count > 1 { world.count(.p8Parts) }
      if truth.isTalkKeptBack(event.seq, from: person.id) { world.count(.p9Talk) }
    }
    compare(stream)
  }

  private func replaced(_ state: StreamState, _ seq: Int64) {
    copies[state.stream] = seq
    world.count(.p6Snapshot)
    checkLines(state, seq)
    compare(state.stream)
  }

  /// Checks P9: a snapshot holds no line of talk from before its reader may read.
  private func checkLines(_ state: StreamState, _ seq: Int64) {
    guard let truth = world.truth.streams[state.stream], seq <= truth.head else { return }
    let isKeptBack = truth.states[Int(seq)].lines.count > state.lines.count
    if isKeptBack { world.count(looks ? .p9Talk : .p9EarlierTalk) }
    if truth.hasForbiddenLines(state, at: seq, for: person.id) {
      world.fail("P9 device \(index) gets lines of \(state.stream) that it may not read")
    }
  }

  private func compare(_ stream: StreamID) {
    guard let seq = copies[stream], let truth = world.truth.streams[stream], seq <= truth.head
    else { return world.fail("P6 device \(index) has a state of \(stream) that never was") }
    world.count(looks ? .p10Looked : .p10Compared)
    if !truth.isState(replica.state(of: stream), at: seq, shownTo: person.id) {
      world.fail("P10 device \(index) has another \(stream) at \(seq)")
    }
  }

  // MARK: The end

  var isLevel: Bool {
    if looks, token == nil { return world.truth.links(at: world.moment.wall).isEmpty }
    if isProgram, token == nil { return true }
    if isOver || isShutOut { return !isSigningIn && token == nil }
    guard isLive, link != nil, replica.pendingCount == 0, local?.isSettled ?? true, isLetIn else {
      return false
    }
    let mine = streamsToHave
    return streams == mine && mine.allSatisfy { copies[$0] == world.truth.streams[$0]?.head }
      && hasMoments(of: mine)
  }

  private func hasMoments(of streams: [StreamID]) -> Bool { otherMoments(of: streams).isEmpty }

  /// Returns the ephemeral values that it was told and that differ from the real ones.
  private func otherMoments(of streams: [StreamID]) -> [String] {
    streams.flatMap { stream in
      EphemeralKind.allCases.compactMap { kind in
        let topic = EphemeralTopic(stream: stream, kind: kind)
        let (told, held) = (moments[topic], world.server?.moments(of: topic))
        return told == held
          ? nil : "\(stream) \(kind): told \(told?.count ?? 0), held \(held?.count ?? 0)"
      }
    }
  }

  func compareAtEnd() {
    guard isLetIn else {
      return world.fail("P9 device \(index) goes on with a session that is not open")
    }
    guard isLevel else {
      let mine = world.truth.streams(of: person.id)
      let heads = mine.map { "\($0) \(world.truth.streams[$0]?.head ?? 0)" }
      let copies = streams.map { "\($0) \(self.copies[$0] ?? 0)" }
      return world.fail(
        "P5 device \(index) is never level: live \(isLive), pending \(replica.pendingCount), local state \(local?.isSettled ?? true), other moments \(otherMoments(of: mine)), has \(copies) of \(heads)"
      )
    }
    if looks || isProgram, token == nil { return }
    if isOver || isShutOut { return }
    world.count(.p10Level)
    world.count(.p10Moment, moments.count)
    local?.compareAtEnd()
    for stream in streams { compare(stream) }
  }
}
