extension ObjectChange.Effect {
  /// Joins this effect with an earlier one of the same batch. An object that was put and then dropped is outside the
  /// state, with the value that was put.
  func after(_ earlier: ObjectChange.Effect?) -> ObjectChange.Effect {
    guard self == .dropped, let object = earlier?.object else { return self }
    return .putOutside(object)
  }

  /// The rank of the object. Nil when it has none or is not in the state.
  fileprivate var rank: Rank? {
    switch self {
    case .put(let object): object.rank
    case .putOutside, .dropped, .deleted: nil
    }
  }
}

extension Loaded {
  /// Answers whether this is the case that answers such a need.
  func answers(_ need: Need) -> Bool {
    switch need {
    case .head: if case .head = self { true } else { false }
    case .object: if case .object = self { true } else { false }
    case .objects: if case .objects = self { true } else { false }
    case .ranks: if case .ranks = self { true } else { false }
    case .username: if case .user = self { true } else { false }
    case .account: if case .account = self { true } else { false }
    case .sessions: if case .sessions = self { true } else { false }
    case .bots: if case .users = self { true } else { false }
    case .webhooks: if case .webhooks = self { true } else { false }
    case .codeSpent: if case .flag = self { true } else { false }
    case .past: if case .past = self { true } else { false }
    case .commandEvents: if case .positions = self { true } else { false }
    case .trails: if case .trails = self { true } else { false }
    case .queue: if case .queue = self { true } else { false }
    case .imported: if case .post = self { true } else { false }
    }
  }

  /// Returns the answer in the one order that decisions may see.
  var inOrder: Loaded {
    switch self {
    case .objects(let objects): .objects(objects.sorted { $0.key < $1.key })
    case .ranks(let ranks): .ranks(ranks.sorted())
    case .sessions(let sessions): .sessions(sessions.sorted { $0.id < $1.id })
    case .users(let users): .users(users.sorted())
    case .webhooks(let webhooks): .webhooks(webhooks.sorted { $0.id < $1.id })
    case .head, .object, .user, .account, .flag, .past, .positions, .trails, .queue, .post:
      self
    }
  }

  /// Returns a list of objects or ranks with a batch's changes to objects of this kind. Other answers are returned as
  /// they are.
  func with(_ changes: [ObjectKey: ObjectChange.Effect], of kind: ObjectKind) -> Loaded {
    switch self {
    case .objects(let objects):
      let kept = objects.filter { changes[$0.key] == nil || changes[$0.key] == .dropped }
      let put = changes.values.compactMap(\.object).filter { $0.key.kind == kind }
      return Loaded.objects(kept + put).inOrder
    case .ranks(let ranks):
      let kept = ranks.filter { changes[$0.key] == nil }
      let put = changes.values.compactMap(\.rank).filter { $0.key.kind == kind }
      return .ranks((kept + put).sorted())
    case .head, .object, .user, .users, .account, .sessions, .webhooks, .flag, .past, .positions,
      .trails, .queue, .post:
      return self
    }
  }

  /// The memory that the answer takes with its place in a dictionary, in bytes and roughly: texts count by their
  /// length, everything else by a round number per object.
  var bytes: Int {
    switch self {
    case .head, .user, .account, .flag, .post: 400
    case .object(let object): 200 + (object?.bytes ?? 0)
    case .objects(let objects): objects.reduce(200) { $0 + $1.bytes }
    case .ranks(let ranks): 200 + ranks.count * MemoryLayout<Rank>.stride
    case .sessions(let sessions): 200 + sessions.count * 300
    case .users(let users): 200 + users.count * 16
    case .webhooks(let webhooks): webhooks.reduce(200) { $0 + $1.bytes }
    case .past(let past): 200 + (past?.bytes ?? 0)
    case .positions(let positions): 200 + positions.count * 40
    case .trails(let trails): trails.reduce(200) { $0 + 60 + $1.lists.count * 16 }
    case .queue(let posts): 200 + posts.count * MemoryLayout<QueuedPost>.stride
    }
  }
}

extension Webhook {
  /// The memory that the webhook takes, in bytes, counted as in `Loaded.bytes`.
  fileprivate var bytes: Int {
    1_000 + address.text.utf8.count + 60 * progress.cursors.count + 200 * progress.tries.count
  }
}

extension Object {
  /// The memory that the object takes, in bytes, counted as in `Loaded.bytes`.
  package var bytes: Int {
    switch self {
    case .post(let post):
      post.steps.reduce(600 + post.textBytes) { $0 + 120 + $1.content.utf8.count }
    case .category(let category): 400 + category.name.utf8.count + category.zone.utf8.count
    case .invitation(let invitation): 400 + invitation.streamName.utf8.count
    case .member(let member): 300 + member.name.utf8.count
    case .profile(let profile): 400 + profile.name.utf8.count + profile.location.utf8.count
    case .group(let group): 200 + group.name.utf8.count
    case .tag(let tag): 200 + tag.name.utf8.count
    case .groupCategory, .invitationCode, .membership, .readMark, .notice: 200
    case .declines, .block, .link: 200
    case .filter(let filter): 400 + 16 * (filter.categories?.count ?? 0)
    case .personal(let it): 400 + it.note.utf8.count + it.reminders.count * 16
    case .settings: 300
    case .reminder: 200
    case .line(let line): line.bytes
    case .comments: 200
    case .reactions(let it): it.given.reduce(200) { $0 + 120 + $1.sign.utf8.count }
    }
  }
}

extension TalkLine {
  fileprivate var bytes: Int {
    reactions.reduce(300 + text.utf8.count + mentions.count * 40) { $0 + 60 + $1.sign.utf8.count }
  }
}

extension Post {
  fileprivate var textBytes: Int {
    title.utf8.count + notes.utf8.count + (location?.text.utf8.count ?? 0)
  }
}
