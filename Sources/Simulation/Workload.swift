// The commands that people send, and those that they should not. People look at their own copy and do something that is
// sensible there; when it arrives it may not be sensible any more. A new command is one more line in `sensible`.

import Domain
import Sync
import Wire

struct Workload {
  /// The number of notifications of a list that are asked for.
  static let newsMax = 5

  /// The false claim of the next hello of each device.
  var claims: [Int: Claim] = [:]
  /// The newest commands of each person, to be sent again.
  private var recent: [Int: [(Command, CommandKey, maker: Int, base: CommandBase?)]] = [:]
  /// The codes for second devices that no device has used.
  var codesInHand: Set<String> = []
  /// The recovery codes that each person was told; `codesSpent` has the commands that spent them.
  var recoveryCodes: [Int: [String]] = [:]
  var codesSpent: [String: CommandKey] = [:]
  var passwordsMade = 0
  private var removed: [CategoryID] = []
  private(set) var codes: [(InvitationID, StreamID)] = []
  private var namesMade = 0
  private var botsMade = 0
  /// The share of long texts. Some runs have few lists with long texts, so that states take several pages.
  private var longPerMille = 0
  private var listsMax = 0
  /// How long the operator keeps events; nil for ever. When it is set, every command names the copy on which it was
  /// made, because it might be done again when its key is forgotten.
  private(set) var keepMilliseconds: Int64?

  mutating func begin(_ random: inout SimRandom) {
    let isLong = random.happens(420)
    longPerMille = isLong ? 900 : 30
    listsMax = isLong ? 1 : 4
    keepMilliseconds = random.happens(400) ? random.between(100, 2_000) : nil
  }

  // MARK: A turn

  func pickDevice(_ world: Simulation) -> Device? {
    let device = world.random.pick(world.devices.filter(\.isPatient))
    // A device that looks by a link does little.
    guard device?.looks == true, world.random.happens(850) else { return device }
    return world.random.pick(world.devices.filter { $0.isPatient && !$0.looks })
  }

  static func act(_ world: Simulation) {
    // The answers change the workload, so this works on a copy.
    let copy = world.workload
    let looker = world.devices.first { $0.looks && $0.token == nil }
    if let looker, world.random.happens(80) { return looker.look() }
    let last = world.devices.last
    if world.endsAccounts, let last, last.isPatient, world.random.happens(100) {
      return last.leaveOrStay()
    }
    let program = world.devices.first { $0.isProgram && $0.token == nil }
    if let program, world.random.happens(90) { return program.beginAsProgram() }
    let shutOut = world.devices.first(where: \.isShutOut)
    if let shutOut, world.random.happens(350) { return shutOut.comeBackToLife() }
    if world.random.happens(5) { return giveBot(world) }
    guard let device = copy.pickDevice(world) else { return }
    if device.looks { return copy.look(device) }
    if world.random.happens(12), let webhook = copy.webhook(device) {
      return send(webhook, device)
    }
    switch world.random.below(41) {
    case 40: if world.random.happens(750), !device.isProgram { device.renewPassword() }
    case 0: copy.repeatKey(device, sameCommand: true)
    case 1: copy.repeatKey(device, sameCommand: false)
    case 2...5:
      if let query = copy.query(device) { device.ask(.query(query)) }
    case 6: device.ask(world.random.happens(800) ? .ping : .about)
    case 7: if let stream = world.random.pick(device.streams) { copy.reopen(device, stream) }
    case 8: copy.askWhatUndoWouldDo(device)
    case 9, 11, 12, 13: if let moment = copy.moment(device) { device.ask(.ephemeral(moment)) }
    case 10: if device.isGuest { device.upgrade() } else { device.local?.tidyUp() }
    default:
      guard let command = world.workload.wish(device) else { return }
      send(command, device)
    }
  }

  /// Sends a command once, or queues it until it is answered, whatever happens to the device.
  static func send(_ command: Command, _ device: Device) {
    let copy = device.world.workload
    let base = copy.base(of: command, device)
    if base == nil, copy.keepMilliseconds != nil { return }
    let key = device.newKey()
    device.world.workload.remember(command, key, device, base)
    if let local = device.local { return local.queue(command, key) }
    device.ask(.command(command, key: key, base: base))
  }

  /// Returns the base that the person saw, for some commands.
  private func base(of command: Command, _ device: Device) -> CommandBase? {
    let home = command.home(of: device.person.id)
    let says = keepMilliseconds != nil || device.world.random.happens(300)
    guard says, let cursor = device.cursor(of: home) else { return nil }
    return CommandBase(epoch: cursor.epoch, seq: cursor.seq)
  }

  mutating func remember(
    _ command: Command, _ key: CommandKey, _ device: Device, _ base: CommandBase?
  ) {
    recent[device.person.index, default: []].append((command, key, device.index, base))
    if recent[device.person.index]?.count ?? 0 > 6 { recent[device.person.index]?.removeFirst() }
    if case .category(.remove(let id)) = command { removed.append(id) }
    if case .invitation(.makeCode(let id, let stream, _)) = command { codes.append((id, stream)) }
  }

  /// Sends a used key again: from another device of the person, or for another command of the same stream.
  private func repeatKey(_ device: Device, sameCommand: Bool) {
    let world = device.world
    guard let (command, key, maker, made) = world.random.pick(recent[device.person.index] ?? [])
    else { return }
    let base = keepMilliseconds == nil ? nil : made
    guard !sameCommand else {
      let twin = world.devices.first {
        $0.index != maker && $0.person.index == device.person.index && $0.isPatient
      }
      guard let twin else { return }
      world.count(.twin)
      return twin.ask(.command(command, key: key, base: base))
    }
    guard case .category(let category) = command.home(of: device.person.id) else { return }
    world.count(.keyReused)
    let other = Command.post(
      .add(
        category, PostID(world.random.uuid()), title: "another", notes: ""))
    device.ask(.command(other, key: key, base: base))
  }

  /// Makes an ephemeral value for a place where the person is.
  private func moment(_ device: Device) -> EphemeralRequest? {
    let world = device.world
    guard let stream = world.random.pick(device.streams.filter { !$0.isUser }) else { return nil }
    guard case .category(let category) = stream, world.random.happens(600) else {
      return .presence(stream, isHere: world.random.happens(950))
    }
    let posts = device.objects(of: stream).compactMap { object in
      if case .post(let post) = object { post } else { nil }
    }
    // The program of a run speaks of its post.
    let running = posts.filter { $0.run?.user == device.person.id }.map(\.id)
    if let post = world.random.pick(running), world.random.happens(250) {
      return .progress(category, post, Progress(done: world.random.below(100)))
    }
    guard let post = world.random.pick(posts.map(\.id)), world.random.happens(600) else {
      return .typing(
        category, world.random.pick(posts.map(\.id)), isTyping: world.random.happens(950))
    }
    let progress = Progress(done: world.random.below(100), of: 100, text: nil)
    return .progress(category, post, world.random.happens(950) ? progress : nil)
  }

  private func reopen(_ device: Device, _ stream: StreamID) {
    let has = device.world.random.happens(500)
    let cursor = has ? device.replica.cursor(of: stream) : nil
    device.ask(.open([Cursor(stream: stream, position: cursor)]))
  }

  private func query(_ device: Device) -> Query? {
    let world = device.world
    switch world.random.below(10) {
    case 8, 9: return view(device)
    case 4 where world.random.happens(300): return digest(device)
    case 4 where world.random.happens(300): return stats(device)
    case 6, 7: return world.random.happens(250) ? twins(device) : search(device)
    case 0: return .sessions
    case 1: return .profile
    case 2: return world.random.happens(500) ? .removedCategories : .badges(BadgesQuery())
    case 3: return .notifications(limit: Workload.newsMax)
    case 5 where world.random.happens(600): return .notifications(limit: Workload.newsMax)
    case 4: return history(device)
    default:
      guard let stream = world.random.pick(device.streams.filter { !$0.isUser }) else { return nil }
      guard case .category(let category) = stream, world.random.happens(700) else {
        return world.random.happens(700) ? .members(stream) : .codes(stream)
      }
      let show = world.random.pick(PostFilter.allCases) ?? .open
      return .posts(PostsQuery(category: category, show: show, before: nil, limit: 50))
    }
  }

  // MARK: Commands

  /// Makes one command, or several as one change.
  mutating func wish(_ device: Device) -> Command? {
    guard device.world.random.happens(60) else { return sensible(device) }
    var commands: [Command] = []
    for _ in 0..<(2 + device.world.random.below(4)) {
      if let command = sensible(device), command.method.row.standsInBatch {
        commands.append(command)
      }
    }
    return commands.isEmpty ? nil : .batch(commands)
  }

  private mutating func sensible(_ device: Device) -> Command? {
    let world = device.world
    let streams = device.streams
    let categories = streams.compactMap(\.category)
    let shared = streams.filter { !$0.isUser }
    switch world.random.below(42) {
    case 40, 41: return talk(in: shared, device)
    case 38: return bot(shared, device)
    case 39: return world.random.pick(categories).flatMap { react(in: $0, device) }
    case 0 where world.random.happens(150): return signOut(device)
    case 0:
      return world.random.happens(400)
        ? (world.random.happens(400) ? filter(device) : reach(device))
        : .account(.editProfile(ProfileEdit(name: name("name", world))))
    case 1 where categories.count < listsMax, 2 where categories.count < listsMax:
      return .category(
        .add(
          CategoryID(world.random.uuid()), name: name("list", world),
          group: world.random.pick(streams.compactMap(\.group))))
    case 3:
      var edit = CategoryEdit(name: name("list", world))
      if world.random.happens(300) {
        edit.zone = world.random.pick(["UTC", "Etc/GMT-1", "Etc/GMT+1"])
      }
      return world.random.pick(categories).map { .category(.edit($0, edit)) }
    case 4 where streams.count < 6 || world.random.happens(100):
      return .group(.add(GroupID(world.random.uuid()), name: name("group", world)))
    case 5, 6, 7:
      return rejoin(shared, world)
    case 8, 9, 10: return answer(device)
    case 11: return revoke(device, shared) ?? link(categories, device)
    case 31, 32: return answer(device) ?? rejoin(shared, world)
    case 33 where world.random.happens(300): return archive(categories, device)
    case 33: return world.random.happens(500) ? regrade(device, shared) : group(device)
    case 34: return world.random.happens(850) ? link(categories, device) : makeCode(shared, world)
    case 35: return redeem(world)
    case 36, 37: return world.random.pick(categories).flatMap { tag(in: $0, device) }
    case 12:
      return world.random.pick(shared).map { place in
        let heir =
          world.random.happens(300) ? world.random.pick(others(in: place, of: device)) : nil
        return .member(.leave(place, successor: heir))
      }
    case 13, 14: return putOut(device, shared)
    case 15:
      guard world.random.happens(680) else { return markRead(device, shared) }
      return world.random.pick(categories).flatMap { personal(in: $0, device) }
    case 16 where world.random.happens(300):
      return world.random.pick(categories).map { .category(.remove($0)) }
    case 17: return world.random.pick(removed).map { .category(.restore($0)) }
    case 18: return undo(device)
    case 19...23: return world.random.pick(categories).map { add(to: $0, world) }
    default: return world.random.pick(categories).flatMap { change(in: $0, device) }
    }
  }

  /// Returns a username that no bot had.
  mutating func botName(_ world: Simulation) -> String {
    botsMade += 1
    return "bot\(botsMade)"
  }

  mutating func name(_ word: String, _ world: Simulation) -> String {
    namesMade += 1
    return "\(word) \(namesMade)"
  }

  private mutating func notes(_ world: Simulation) -> String {
    guard world.random.happens(longPerMille) else {
      return world.random.happens(800) ? name("notes", world) : ""
    }
    // The texts are taken unchanged, because there is nothing to trim.
    return String(repeating: "long notes ", count: 500 + world.random.below(900)) + "end"
  }

  private func invite(to stream: StreamID, _ world: Simulation) -> Command {
    let person = world.random.pick(strangers(to: stream, world))?.username ?? "nobody"
    let role = world.random.pick(Workload.roles) ?? .editor
    return .invitation(
      .send(
        InvitationID(world.random.uuid()), stream, username: person, role))
  }

  /// Invites somebody, mostly to a place from which somebody was put out.
  private func rejoin(_ shared: [StreamID], _ world: Simulation) -> Command? {
    let left = shared.filter { hasFormer($0, world) }
    let streams = left.isEmpty || world.random.happens(300) ? shared : left
    return world.random.pick(streams).map { invite(to: $0, world) }
  }

  private func hasFormer(_ stream: StreamID, _ world: Simulation) -> Bool {
    guard let truth = world.truth.streams[stream] else { return false }
    return world.people.contains { !truth.isMember($0.id) && truth.entries(of: $0.id) > 0 }
  }

  /// Returns people who are not in the stream; mostly former members, or people would rarely come in again.
  private func strangers(to stream: StreamID, _ world: Simulation) -> [Person] {
    let strangers = world.people.filter {
      world.truth.streams[stream]?.isMember($0.id) == false || world.random.happens(50)
    }
    let former = strangers.filter { world.truth.streams[stream]?.entries(of: $0.id) ?? 0 > 0 }
    return former.isEmpty ? strangers : former
  }

  private func answer(_ device: Device) -> Command? {
    let world = device.world
    let mine = device.objects(of: .user(device.person.id)).compactMap { object in
      if case .invitation(let it) = object { it.id } else { nil }
    }
    return world.random.pick(mine).map {
      world.random.happens(850) ? .invitation(.accept($0)) : .invitation(.decline($0))
    }
  }

  private func revoke(_ device: Device, _ shared: [StreamID]) -> Command? {
    guard let stream = device.world.random.pick(shared) else { return nil }
    let sent = device.objects(of: stream).compactMap { object in
      if case .invitation(let it) = object { it.id } else { nil }
    }
    return device.world.random.pick(sent).map { .invitation(.revoke($0, stream)) }
  }

  private func putOut(_ device: Device, _ shared: [StreamID]) -> Command? {
    guard let stream = device.world.random.pick(shared) else { return nil }
    return device.world.random.pick(others(in: stream, of: device)).map {
      .member(.remove(stream, $0))
    }
  }

  private func markRead(_ device: Device, _ streams: [StreamID]) -> Command? {
    // It is seldom one's own stream, because what it holds shall be shown for a while.
    let own = StreamID.user(device.person.id)
    let marked =
      device.world.random.happens(100) ? own : device.world.random.pick(streams)
    guard let stream = marked, let seq = device.copies[stream] else {
      return nil
    }
    return .markRead(stream, seq: max(1, seq - Int64(device.world.random.below(3))))
  }

  /// Gives a sign to a completion that the device sees, or takes it back; seldom to any event.
  private func react(in category: CategoryID, _ device: Device) -> Command? {
    let world = device.world
    let completions = device.objects(of: .category(category)).compactMap {
      object -> (event: Int64, post: PostID?)? in
      guard case .post(let post) = object, let completed = post.completed else { return nil }
      return (completed.seq, world.random.happens(500) ? post.id : nil)
    }
    let found =
      world.random.happens(900)
      ? world.random.pick(completions) : (Int64(1 + world.random.below(20)), nil)
    return found.map {
      let sign = world.random.pick(["👏", "🎉", nil]) ?? nil
      return .react(category, event: $0.event, post: $0.post, sign: sign)
    }
  }

  private mutating func add(to category: CategoryID, _ world: Simulation) -> Command {
    .post(
      .add(
        PostAddress(category: category, post: PostID(world.random.uuid())),
        NewPost(title: name("post", world), notes: notes(world), fields: Workload.due(world))))
  }

  private mutating func change(in category: CategoryID, _ device: Device) -> Command? {
    let world = device.world
    let posts = device.objects(of: .category(category)).compactMap { object -> Post? in
      if case .post(let post) = object { post } else { nil }
    }
    guard let post = world.random.pick(posts) else { return add(to: category, world) }
    if world.random.happens(35) { return .erasePost(category, post.id) }
    // A device with a local state leaves the version to the local state.
    let version = device.local == nil && world.random.happens(200) ? post.version : nil
    if let command = Workload.change(occurrenceOf: post, in: category, ifVersion: version, world) {
      return command
    }
    let lasting =
      Workload.lease(post, in: category, world)
      ?? Workload.run(post, among: posts, in: category, device)
      ?? Workload.contest(post, among: posts, in: category, device)
    if let command = lasting ?? bring(to: category, posts, world) {
      return command
    }
    switch world.random.below(15) {
    case 10 where world.random.happens(150):
      let there = world.random.pick(device.streams.compactMap(\.category)) ?? category
      return .post(
        .change(
          category, post.id, .copy(as: PostID(world.random.uuid()), to: there, days: 1),
          ifVersion: version))
    case 10, 14:
      let others = device.streams.compactMap(\.category).filter { $0 != category }
      if let other = world.random.pick(others), world.random.happens(830) {
        return .movePost(category, post.id, to: other, ifVersion: version)
      }
      return move(post, among: posts, in: category, ifVersion: version, world)
    case 7, 8, 9:
      // Otherwise nearly all posts would have one step at most.
      let begun = posts.filter { !$0.steps.isEmpty && $0.completed == nil }
      let one = world.random.happens(700) ? world.random.pick(begun) ?? post : post
      return change(stepOf: one, in: category, ifVersion: nil, world)
    case 0, 1, 6, 11...13:
      var edit = Workload.fields(world)
      if edit == PostEdit() || world.random.happens(700) { edit.title = name("post", world) }
      if world.random.happens(960) { edit.notes = notes(world) }
      // Otherwise hardly two people would write notes of the same post at once.
      let one = version == nil && world.random.happens(950) ? posts.first ?? post : post
      return .editPost(category, one.id, edit, ifVersion: version)
    case 2, 3:
      let isForAll = post.mode == .each && world.random.happens(300)
      return .post(
        .change(
          category, post.id, isForAll ? .completeForAll : .complete, ifVersion: version))
    case 4: return .reopenPost(category, post.id, ifVersion: version)
    default:
      return world.random.happens(500)
        ? .removePost(category, post.id, ifVersion: version)
        : .restorePost(category, post.id, ifVersion: nil)
    }
  }
}

extension StreamID {
  var isUser: Bool {
    if case .user = self { true } else { false }
  }

  var group: GroupID? {
    if case .group(let id) = self { id } else { nil }
  }
}

extension Device {
  /// Returns the objects of a stream, in the order of their keys.
  func objects(of stream: StreamID) -> [Object] {
    guard let state = state(stream) else { return [] }
    return state.objects.keys.sorted().compactMap { state.objects[$0] }
  }
}
