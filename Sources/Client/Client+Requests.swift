package import Domain
package import Sync
package import Wire

// Every request by name. Each call returns at once, and the handle's `wait` gives the result.
extension Client {
  // MARK: Account

  /// Makes an account. The same id, name and password again get the same answer.
  package func register(
    id: UserID = UserID(Identifiers.make()), username: String, password: String,
    name: String? = nil, zone: String = "UTC", code: String? = nil, kind: UserKind = .person
  ) -> Handle<RegisterResult> {
    let request = RegisterRequest(
      id: id, username: username, name: name ?? username, zone: zone, password: password,
      code: code, kind: kind)
    return ask(.register(request), \.registered)
  }

  /// Opens a session. Hand the token to `signIn`, and keep it where only its owner reads it.
  package func login(
    username: String, password: String, client: ClientName? = nil, device: String? = nil
  ) -> Handle<LoginResult> {
    let request = LoginRequest(
      username: username, password: password, client: client, device: device)
    return ask(.login(request), \.loggedIn)
  }

  /// Asks for a code by which another device of ours signs in. It takes the place of the code before.
  package func openPairing() -> Handle<PairingResult> { ask(.openPairing, \.pairing) }

  /// Opens a session by such a code.
  package func pair(
    code: String, client: ClientName? = nil, device: String? = nil
  ) -> Handle<LoginResult> {
    ask(.pair(PairRequest(code: code, client: client, device: device)), \.loggedIn)
  }

  /// Begins without a name and a password. The same id and device again open another session of the same guest.
  package func beginAsGuest(
    id: UserID = UserID(Identifiers.make()), name: String = GuestRequest.name, zone: String = "UTC",
    device: String, client: ClientName? = nil
  ) -> Handle<LoginResult> {
    ask(
      .guest(GuestRequest(id: id, name: name, zone: zone, device: device, client: client)),
      \.loggedIn)
  }

  /// Asks what the server says of itself. A client that is not signed in may ask too.
  package func about() -> Handle<ServerAbout> { ask(.about, \.about) }

  /// Gives a guest a name and a password; everything else stays. `code` is for a server whose registration needs one.
  package func upgrade(
    username: String, password: String, name: String? = nil, code: String? = nil
  ) -> Handle<RegisterResult> {
    let request = UpgradeRequest(
      username: username, name: name ?? username, password: password, code: code,
      key: Identifiers.key())
    return ask(.upgrade(request), \.registered)
  }

  /// Sets a new password by the recovery code; every session ends.
  package func recover(
    username: String, code: String, password: String
  ) -> Handle<RecoverResult> {
    let request = RecoverRequest(
      username: username, code: code, password: password, key: Identifiers.key())
    return ask(.recover(request), \.recovered)
  }

  /// Asks for the end of this account, which can be taken back for as many days as the operator allows. A guest has no
  /// password.
  package func deleteAccount(password: String?) -> Handle<CommandResult> {
    change(.deleteAccount(DeleteAccountRequest(password: password, key: Identifiers.key())))
  }

  /// Changes the password; the other sessions end.
  package func changePassword(old: String, new: String) -> Handle<CommandResult> {
    change(.changePassword(ChangePasswordRequest(old: old, new: new, key: Identifiers.key())))
  }

  /// Ends this session.
  package func logout() -> Handle<Void> {
    ask(.logout, \.done)
  }

  package func sessions() -> Handle<[SessionLine]> {
    ask(.query(.sessions), \.sessions)
  }

  package func profile() -> Handle<Profile> {
    ask(.query(.profile), \.profile)
  }

  // MARK: Changes

  /// Sends any command. The key makes a repetition harmless; the client repeats by itself.
  package func send(_ command: Command, key: CommandKey = Identifiers.key()) -> Handle<
    CommandResult
  > {
    change(.command(command, key: key))
  }

  package func addCategory(
    _ id: CategoryID = CategoryID(Identifiers.make()), name: String, group: GroupID? = nil
  ) -> Handle<CommandResult> {
    send(.category(.add(id, name: name, group: group)))
  }

  package func addGroup(
    _ id: GroupID = GroupID(Identifiers.make()), name: String
  ) -> Handle<CommandResult> {
    send(.group(.add(id, name: name)))
  }

  /// Adds a post. The result has its number.
  package func addPost(
    in category: CategoryID, _ id: PostID = PostID(Identifiers.make()), title: String,
    notes: String = ""
  ) -> Handle<CommandResult> {
    send(.post(.add(category, id, title: title, notes: notes)))
  }

  package func editPost(
    in category: CategoryID, _ id: PostID, _ edit: PostEdit, ifVersion: Int? = nil
  ) -> Handle<CommandResult> {
    send(.editPost(category, id, edit, ifVersion: ifVersion))
  }

  package func completePost(in category: CategoryID, _ id: PostID) -> Handle<CommandResult> {
    send(.completePost(category, id, ifVersion: nil))
  }

  package func reopenPost(in category: CategoryID, _ id: PostID) -> Handle<CommandResult> {
    send(.reopenPost(category, id, ifVersion: nil))
  }

  package func removePost(in category: CategoryID, _ id: PostID) -> Handle<CommandResult> {
    send(.removePost(category, id, ifVersion: nil))
  }

  package func restorePost(in category: CategoryID, _ id: PostID) -> Handle<CommandResult> {
    send(.restorePost(category, id, ifVersion: nil))
  }

  package func erasePost(in category: CategoryID, _ id: PostID) -> Handle<CommandResult> {
    send(.erasePost(category, id))
  }

  package func invite(
    _ username: String, to stream: StreamID, as role: Role = .editor
  ) -> Handle<CommandResult> {
    send(.invitation(.send(InvitationID(Identifiers.make()), stream, username: username, role)))
  }

  package func accept(_ invitation: InvitationID) -> Handle<CommandResult> {
    send(.invitation(.accept(invitation)))
  }

  package func leave(_ stream: StreamID) -> Handle<CommandResult> { send(.member(.leave(stream))) }

  // MARK: Things that hold for a moment (protocol §5.5); say it again before it is over

  /// Tells whether somebody has the category or group in front of them. Say it again every 30 s.
  package func setPresence(in stream: StreamID, isHere: Bool = true) -> Handle<Void> {
    ask(.ephemeral(.presence(stream, isHere: isHere)), \.done)
  }

  /// Tells whether somebody is typing. Say it again every 3 s.
  package func setTyping(
    in category: CategoryID, at post: PostID? = nil, isTyping: Bool = true
  ) -> Handle<Void> {
    ask(.ephemeral(.typing(category, post, isTyping: isTyping)), \.done)
  }

  /// Tells how far the work on a post has come. Nil takes it back.
  package func setProgress(
    in category: CategoryID, of post: PostID, _ progress: Progress?
  ) -> Handle<Void> {
    ask(.ephemeral(.progress(category, post, progress)), \.done)
  }

  // MARK: Questions

  /// Asks for a page of a category's posts, newest number first.
  package func posts(
    in category: CategoryID, show: PostFilter, before: Int? = nil, limit: Int = Limits.listPageMax
  ) -> Handle<PostsResult> {
    let query = PostsQuery(category: category, show: show, before: before, limit: limit)
    return ask(.query(.posts(query)), \.posts)
  }

  /// Asks for posts with words, in these lists or in all, newest first. `after` comes from the page before.
  package func search(_ query: SearchQuery) -> Handle<SearchResult> {
    ask(.query(.search(query)), \.found)
  }

  /// Asks for posts of the user's lists by what they are. `after` comes from the page before.
  package func view(_ query: ViewQuery) -> Handle<ViewResult> {
    ask(.query(.view(query)), \.viewed)
  }

  /// Asks for a page of everything of this person.
  package func export(after place: ExportPlace?) -> Handle<ExportPage> {
    ask(.query(.export(place)), \.export)
  }

  /// Asks on which days how many posts are due.
  package func agenda(_ query: AgendaQuery) -> Handle<AgendaResult> {
    ask(.query(.agenda(query)), \.agenda)
  }

  /// Asks which posts of a list have a title already. A copy knows all open ones (`TwinTitle`); the server also knows
  /// posts that were completed long ago.
  package func twins(_ query: TwinsQuery) -> Handle<[TwinLine]> {
    ask(.query(.twins(query)), \.twins)
  }

  /// Asks what happened on a day in the lists of the user.
  package func digest(_ query: DigestQuery) -> Handle<DigestResult> {
    ask(.query(.digest(query)), \.digest)
  }

  /// Asks for a page of what was done in a stream.
  package func events(_ query: HistoryEventsQuery) -> Handle<HistoryPage> {
    ask(.query(.history(.events(query))), \.historyPage)
  }

  /// Asks how much people have completed in a list or a group.
  package func stats(_ query: StatsQuery) -> Handle<StatsResult> {
    ask(.query(.stats(query)), \.stats)
  }

  /// Asks for the removed categories that the user may restore.
  package func removedCategories() -> Handle<[Category]> {
    ask(.query(.removedCategories), \.categories)
  }

  /// Asks for the badges of every list and group, or of those behind `after` when there were more.
  package func badges(after: StreamID? = nil) -> Handle<BadgesResult> {
    ask(.query(.badges(BadgesQuery(after: after))), \.badges)
  }

  /// Asks for the members of a category or a group, also past ones, and what each did.
  package func members(of stream: StreamID) -> Handle<[MemberLine]> {
    ask(.query(.members(stream)), \.members)
  }

  /// Asks for the codes by which others may join a category or a group.
  package func codes(of stream: StreamID) -> Handle<[CodeLine]> {
    ask(.query(.codes(stream)), \.codes)
  }

  /// Asks for the links by which others look at a category.
  package func links(of category: CategoryID) -> Handle<[LinkLine]> {
    ask(.query(.links(category)), \.links)
  }

  /// Asks for the unread notifications, per stream, and the day's total.
  package func notifications(limit: Int = 50) -> Handle<NotificationsResult> {
    ask(.query(.notifications(limit: limit)), \.notifications)
  }

  /// Returns the answer to any request, of whatever kind it is. Notes are changed at the version of the copy. Throws
  /// what `Handle.wait` throws.
  package func answer(
    to request: Request, milliseconds: Int
  ) throws(ClientError) -> ReplicaAnswer {
    var request = request
    if case .command(let command, let key, let base) = request {
      request = .command(local.seen(command), key: key, base: base)
    }
    return try ask(request) { $0 }.wait(milliseconds: milliseconds)
  }

  private func change(_ request: Request) -> Handle<CommandResult> {
    ask(request, \.command)
  }
}

// The one kind of answer that each request has.
extension ReplicaAnswer {
  fileprivate var registered: RegisterResult? {
    guard case .registered(let it) = self else { return nil }
    return it
  }

  fileprivate var about: ServerAbout? {
    guard case .about(let it) = self else { return nil }
    return it
  }

  fileprivate var loggedIn: LoginResult? {
    guard case .loggedIn(let it) = self else { return nil }
    return it
  }

  fileprivate var pairing: PairingResult? {
    guard case .pairing(let it) = self else { return nil }
    return it
  }

  fileprivate var recovered: RecoverResult? {
    guard case .recovered(let it) = self else { return nil }
    return it
  }

  fileprivate var sessions: [SessionLine]? {
    guard case .sessions(let it) = self else { return nil }
    return it
  }

  fileprivate var profile: Profile? {
    guard case .profile(let it) = self else { return nil }
    return it
  }

  fileprivate var posts: PostsResult? {
    guard case .posts(let it) = self else { return nil }
    return it
  }

  fileprivate var found: SearchResult? {
    guard case .search(let it) = self else { return nil }
    return it
  }

  fileprivate var viewed: ViewResult? {
    guard case .view(let it) = self else { return nil }
    return it
  }

  fileprivate var export: ExportPage? {
    guard case .export(let it) = self else { return nil }
    return it
  }

  fileprivate var agenda: AgendaResult? {
    guard case .agenda(let it) = self else { return nil }
    return it
  }

  fileprivate var digest: DigestResult? {
    guard case .digest(let it) = self else { return nil }
    return it
  }

  fileprivate var historyPage: HistoryPage? {
    guard case .history(.events(let it)) = self else { return nil }
    return it
  }

  fileprivate var stats: StatsResult? {
    guard case .stats(let it) = self else { return nil }
    return it
  }

  fileprivate var twins: [TwinLine]? {
    guard case .twins(let it) = self else { return nil }
    return it
  }

  fileprivate var categories: [Category]? {
    guard case .categories(let it) = self else { return nil }
    return it
  }

  fileprivate var badges: BadgesResult? {
    guard case .badges(let it) = self else { return nil }
    return it
  }

  fileprivate var members: [MemberLine]? {
    guard case .members(let it) = self else { return nil }
    return it
  }

  fileprivate var codes: [CodeLine]? {
    guard case .codes(let it) = self else { return nil }
    return it
  }

  fileprivate var links: [LinkLine]? {
    guard case .links(let it) = self else { return nil }
    return it
  }

  fileprivate var notifications: NotificationsResult? {
    guard case .notifications(let it) = self else { return nil }
    return it
  }

  var command: CommandResult? {
    guard case .command(let it) = self else { return nil }
    return it
  }

  fileprivate var done: Void? {
    guard case .done = self else { return nil }
    return ()
  }
}
