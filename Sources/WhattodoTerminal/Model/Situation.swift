import Client
import Domain
import QuickAdd
import Sync
import Wire

/// The copies and what is open, on which commands are planned.
struct Situation {
  var streams: [StreamID: StreamState] = [:]
  /// The objects of the copies that the server has not confirmed yet.
  var pending: [StreamID: Set<ObjectKey>] = [:]
  /// The newest event of each copy.
  var heads: [StreamID: Int64] = [:]
  /// The number of changes that wait to be sent, or for their answer.
  var waitingCount = 0
  /// The changes that the server refused: the first is `/unsent 1`.
  var unsent: [UnsentCommand] = []
  var conflicts: [Conflict] = []
  /// The things that numbers on the screen stand for, until they are shown again.
  var shown = ShownNumbers()
  var me: UserID?
  /// The server from which the copies come; nil where nothing is connected.
  var server: ServerAddress?
  /// The list to which plain lines go.
  var open: CategoryID?
  /// The view of talk in which plain lines are said; nil when none is open.
  var talking: TalkView?
  /// The order of one's own lists as if some had been moved; nil means the order of the copies.
  var order: [CategoryID]?
  /// The last plain line that became a post.
  var understood: UnderstoodLine?
  /// The news of each stream since its read mark.
  var unread: [StreamID: Unread] = [:]
  /// The progress that is counted in `unread` already, so that its repeats are not.
  var counted: [StreamID: Set<Notification.Progress>] = [:]
  /// The undos and redos among the events that were seen.
  var undos: [StreamID: UndoDepths] = [:]
  /// The entries that say who is here, who is typing, and how far bots have come.
  var ephemerals: [EphemeralTopic: EphemeralSet] = [:]
  /// The event of one's own stream up to which `/n` has shown everything; up to there nothing is new.
  var told: Int64 = 0
  var today = DayTotal(done: 0, of: 0)
  /// The clock by which the person reads times.
  var clock = Clock(zone: "UTC", now: Timestamp(milliseconds: 0))
  /// The zone that this device says it is in; nil where it does not say.
  var machineZone: String?
  /// The posts that come again and that the person has completed, here or on another device, with the next time of
  /// each.
  var endings: [PostAddress: RecentEnding] = [:]
  /// The names of places that one is no longer in.
  private(set) var names: [StreamID: String] = [:]
  private var people: [UserID: String] = [:]

  var catalog: Catalog { Catalog(streams, own: ownStream, shown: shown) }

  /// The tables by which words about days are read, for the language of one's profile.
  var languages: [Language] { Language.tables(for: ownStream?.profile?.locale ?? "") }

  var ownStream: StreamState? { me.flatMap { streams[.user($0)] } }

  /// The pending invitations to the person, the oldest first: `/accept 1` is the first.
  var invitations: [Invitation] { ownStream?.invitations ?? [] }

  var openList: Category? { open.flatMap { streams[.category($0)]?.category } }

  /// Finds a list by reference, or returns the open one.
  func list(_ reference: Reference?) throws(Problem) -> Category {
    if let reference { return try catalog.list(reference) }
    if let openList { return openList }
    let catalog = catalog
    let isFirst = catalog.lists.isEmpty && catalog.archived.isEmpty
    if isFirst { throw Problem("there is no list yet: /new NAME makes one") }
    throw Problem("no list is open: /open one, or name it (#list)", remedy: .list)
  }

  /// Finds a list or group by reference, or returns the open list.
  func place(_ reference: Reference?) throws(Problem) -> ListOrGroup {
    if let reference { return try catalog.place(reference) }
    return .list(try list(nil))
  }

  func post(_ number: Int, in list: Category) throws(Problem) -> Post {
    guard let post = streams[.category(list.id)]?.post(number: number) else {
      throw Problem(
        "there is no #\(number) in \(list.tag)", remedy: .whereabouts(of: number, list))
    }
    return post
  }

  /// Returns a post by its number, and one of its steps when the number names one.
  func post(_ number: PostNumber, in list: Category) throws(Problem) -> (Post, Step?) {
    let post = try post(number.post, in: list)
    guard let place = number.step else { return (post, nil) }
    guard let step = shown.step(place, of: post) else {
      throw Problem("#\(post.number) has no step \(number)")
    }
    return (post, step)
  }

  /// Returns the tag with this name as it is typed in a line.
  func tag(_ word: String, of list: Category) -> Tag? {
    streams[.category(list.id)]?.tags.first { $0.isCalled(word) }
  }

  /// Returns one's own role in a stream; nil where one is no member.
  func role(in stream: StreamID) -> Role? { me.flatMap { streams[stream]?.member($0)?.role } }

  /// Returns a name such as `@author`. People are known by the streams in which we see them.
  func name(of user: UserID?, in stream: StreamID) -> String {
    guard let user else { return "the server" }
    if user == me { return "you" }
    let known = streams[stream]?.member(user)
    return known.map(\.calledName) ?? anyName(of: user)
  }

  /// Returns somebody with this username, who shares a list or a group with oneself.
  func person(_ username: String) throws(Problem) -> Member {
    let member = streams.values.lazy.flatMap(\.members).first { $0.username == username }
    guard let member else {
      throw Problem("nobody in your lists is @\(username): /who shows who is there")
    }
    return member
  }

  /// Whether a bot did what the notification is about.
  func isBots(_ notification: Notification) -> Bool {
    notification.by.flatMap { streams[notification.stream]?.member($0) }?.kind == .bot
  }

  /// Keeps the names of a stream that goes away.
  mutating func remember(_ last: StreamState) {
    names[last.stream] = last.category?.tag ?? last.group?.name
    for member in last.members { people[member.id] = member.username }
  }

  /// Reads the time, and the zone of one's profile.
  mutating func readClock() {
    machineZone = Clock.statedZone()
    clock = Clock(zone: ownStream?.profile?.zone ?? machineZone ?? "UTC", now: Clock.now())
  }

  /// Takes over what the client has.
  mutating func read(_ client: Client) {
    streams = client.view
    pending = client.overlay.pending
    heads = client.heads
    waitingCount = client.waiting.count
    unsent = client.unsent
    conflicts = client.conflicts
    ephemerals = client.ephemerals
    me = client.user
    server = client.server
    readClock()
  }

  /// Returns the number of open posts of a list that are one's own work.
  func workCount(in list: CategoryID) -> Int {
    guard let state = streams[.category(list)], let me = me.flatMap({ state.member($0) }) else {
      return 0
    }
    return state.openPosts.count { $0.isWork(of: me, among: state.member) }
  }

  func isPending(_ post: Post, in stream: StreamID) -> Bool {
    pending[stream]?.contains(ObjectKey(kind: .post, id: post.id.uuid)) == true
  }

  func label(_ stream: StreamID) -> String {
    guard let state = streams[stream] else { return names[stream] ?? "a list" }
    return state.category?.tag ?? state.group?.name ?? "you"
  }

  private func anyName(of user: UserID) -> String {
    if user.uuid.isLinkGuest { return "a guest" }
    for stream in streams.keys.sorted() {
      if let member = streams[stream]?.member(user) { return member.calledName }
    }
    if let sender = invitations.first(where: { $0.sent.by == user }) {
      return "@" + sender.senderUsername
    }
    return people[user].map { "@" + $0 } ?? "somebody"
  }
}
