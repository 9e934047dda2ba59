import Client
import Domain
import QuickAdd
import Sync
import Wire

/// The copies and what is open, with which a command is looked at.
struct Situation {
  var streams: [StreamID: StreamState] = [:]
  /// The objects of the copies that the server has not confirmed yet.
  var pending: [StreamID: Set<ObjectKey>] = [:]
  /// Changes that wait to be sent, or for their answer.
  var waitingCount = 0
  /// The changes that the server refused: the first is `/unsent 1`.
  var unsent: [UnsentCommand] = []
  var conflicts: [Conflict] = []
  /// The things that numbers on the screen stand for, until they are shown anew.
  var shown = ShownNumbers()
  var me: UserID?
  /// Where it all comes from; nil where nothing is connected.
  var server: ServerAddress?
  /// The list that plain lines go to.
  var open: CategoryID?
  /// The order of one's own lists, where it is looked at as if some had been moved; nil: as the copies have it.
  var order: [CategoryID]?
  /// The last plain line that became a post.
  var understood: Understood?
  /// The news of each stream since its read mark.
  var unread: [StreamID: Unread] = [:]
  /// The events that took others back, of those that were seen.
  var undos: [StreamID: UndoDepths] = [:]
  /// Who is here, who is typing, how far bots have come.
  var ephemerals: [EphemeralTopic: EphemeralSet] = [:]
  /// Up to which event of one's own stream `/n` has told; then it is no news.
  var told: Int64 = 0
  var today = DayTotal(done: 0, of: 0)
  /// The clock by which the person reads times.
  var clock = Clock(zone: "UTC", now: Timestamp(milliseconds: 0))
  /// The zone that this device says it is in; nil where it does not say.
  var machineZone: String?
  /// The posts that come again and that the person has completed, here or on another device, with the time that
  /// came next.
  var endings: [PostAddress: RecentEnding] = [:]
  /// The names of places that one is no longer in, and of those who were there.
  private(set) var names: [StreamID: String] = [:]
  private var people: [UserID: String] = [:]

  var catalog: Catalog { Catalog(streams, own: ownStream, shown: shown) }

  /// The tables that words of days are read with, for the language of one's profile.
  var languages: [Language] { Language.tables(for: ownStream?.profile?.locale ?? "") }

  var ownStream: StreamState? { me.flatMap { streams[.user($0)] } }

  /// Pending invitations to oneself, the oldest first: `/accept 1` is the first.
  var invitations: [Invitation] { ownStream?.invitations ?? [] }

  var openList: Category? { open.flatMap { streams[.category($0)]?.category } }

  /// A list by reference, or the open one.
  func list(_ reference: Reference?) throws(Problem) -> Category {
    if let reference { return try catalog.list(reference) }
    if let openList { return openList }
    let catalog = catalog
    let isFirst = catalog.lists.isEmpty && catalog.archived.isEmpty
    throw Problem(
      isFirst
        ? "there is no list yet: /new NAME makes one"
        : "no list is open: /open one, or name it (#list)")
  }

  /// A list or group by reference, or the open list.
  func place(_ reference: Reference?) throws(Problem) -> Place {
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

  /// A post by its number, and a step of it if the number is that of one.
  func post(_ number: PostNumber, in list: Category) throws(Problem) -> (Post, Step?) {
    let post = try post(number.post, in: list)
    guard let place = number.step else { return (post, nil) }
    guard let step = shown.step(place, of: post) else {
      throw Problem("#\(post.number) has no step \(number)")
    }
    return (post, step)
  }

  /// A tag as it is called in a line.
  func tag(_ word: String, of list: Category) -> Tag? {
    streams[.category(list.id)]?.tags.first { $0.isCalled(word) }
  }

  /// The role that one has there; nil where one is no member.
  func role(in stream: StreamID) -> Role? { me.flatMap { streams[stream]?.member($0)?.role } }

  /// `@author`; people are known by the streams that we see them in.
  func name(of user: UserID?, in stream: StreamID) -> String {
    guard let user else { return "the server" }
    if user == me { return "you" }
    let known = streams[stream]?.member(user)
    return known.map(\.calledName) ?? anyName(of: user)
  }

  /// Whether a bot did what it tells.
  func isBots(_ notification: Notification) -> Bool {
    notification.by.flatMap { streams[notification.stream]?.member($0) }?.kind == .bot
  }

  /// Keeps the names of a stream that goes.
  mutating func remember(_ last: StreamState) {
    names[last.stream] = last.category?.tag ?? last.group?.name
    for member in last.members { people[member.id] = member.username }
  }

  /// Takes the time, and the zone of one's profile.
  mutating func readClock() {
    machineZone = Clock.statedZone()
    clock = Clock(zone: ownStream?.profile?.zone ?? machineZone ?? "UTC", now: Clock.now())
  }

  /// Takes what the client has.
  mutating func read(_ client: Client) {
    streams = client.view
    pending = client.overlay.pending
    waitingCount = client.waiting.count
    unsent = client.unsent
    conflicts = client.conflicts
    ephemerals = client.ephemerals
    me = client.user
    server = client.server
    readClock()
  }

  /// How much of a list is one's own to do.
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
