// A person says how much they want to be told: of a list, of a group, or of what one person or bot does (protocol
// §5.16). It is kept in their settings. Server and clients ask the same rule here, so both tell the same.

/// How much a person is told.
package enum NotificationLevel: String, CaseIterable, Sendable {
  /// Nothing but what nobody can mute (`Notification.Reason`).
  case none
  /// Only what is meant for them.
  case directed
  case all

  /// The number of members up to which a person is told all of a category or group about which nothing is chosen.
  package static let membersToldAll = 10

  /// The level of a place about which nothing is chosen, by the number of its members.
  package init(ofPlaceWith members: Int) {
    self = members > NotificationLevel.membersToldAll ? .directed : .all
  }
}

/// A level that a person has chosen.
package struct LevelChoice: Equatable, Sendable {
  /// A category, a group, or the `u:` of a person or bot.
  package let about: StreamID
  package let level: NotificationLevel
  /// From this moment on it does not hold any more. Nil: it holds until the person chooses again.
  package let until: Timestamp?

  package init(about: StreamID, level: NotificationLevel, until: Timestamp? = nil) {
    self.about = about
    self.level = level
    self.until = until
  }

  package func holds(at now: Timestamp) -> Bool { until.map { now < $0 } ?? true }
}

/// One change of the chosen levels.
package enum LevelChange: Equatable, Sendable {
  case choose(LevelChoice)
  /// Nothing is chosen about this any more.
  case clear(StreamID)

  package var about: StreamID {
    switch self {
    case .choose(let it): it.about
    case .clear(let about): about
    }
  }
}

extension [LevelChoice] {
  /// Keeps one choice about each thing, in the order of what they are about.
  package mutating func apply(_ change: LevelChange) {
    removeAll { $0.about == change.about }
    guard case .choose(let it) = change else { return }
    insert(it, at: firstIndex { it.about < $0.about } ?? endIndex)
  }

  /// Returns the changes that turn these choices into the others, in the order of what they are about.
  package func changes(to others: [LevelChoice]) -> [LevelChange] {
    let gone = filter { it in !others.contains { $0.about == it.about } }
      .map { LevelChange.clear($0.about) }
    let new = others.filter { !contains($0) }.map { LevelChange.choose($0) }
    return (gone + new).sorted { $0.about < $1.about }
  }
}

/// The levels of one person at one moment.
package struct NotificationLevels: Equatable, Sendable {
  private let levels: [StreamID: NotificationLevel]

  /// The levels of somebody who has chosen nothing.
  package static let standard = NotificationLevels(levels: [:])

  private init(levels: [StreamID: NotificationLevel]) { self.levels = levels }

  package init(_ settings: PersonalSettings, at now: Timestamp) {
    levels = Dictionary(
      uniqueKeysWithValues: settings.levels.filter { $0.holds(at: now) }.map {
        ($0.about, $0.level)
      })
  }

  /// Returns the levels as if the person had chosen to be told all of this place.
  package func withAll(of place: StreamID) -> NotificationLevels {
    NotificationLevels(levels: levels.merging([place: .all]) { $1 })
  }

  /// Whether the person has chosen nothing that holds now.
  package var isEmpty: Bool { levels.isEmpty }

  /// Returns the level that is chosen about a category or group; nil when none is. `group` is the group of the
  /// category. Its level holds for its categories unless they have their own.
  package func chosen(of place: StreamID, in group: StreamID?) -> NotificationLevel? {
    levels[place] ?? group.flatMap { levels[$0] }
  }

  /// Returns the level of a category or group with this number of members.
  package func level(
    of place: StreamID, in group: StreamID?, members: Int
  ) -> NotificationLevel {
    chosen(of: place, in: group) ?? NotificationLevel(ofPlaceWith: members)
  }

  /// Returns the level of what this person or bot does.
  package func level(ofUser user: UserID) -> NotificationLevel { levels[.user(user)] ?? .all }

  /// Answers whether the person is told of a notification. `group` is the group of the category that it is about, and
  /// `members` the number of members of its place. `concerns` answers whether its post concerns the person
  /// (`Notification.concerns`).
  package func tells<E: Error>(
    _ it: Notification, in group: StreamID?, members: Int,
    concerns: (Notification) throws(E) -> Bool
  ) throws(E) -> Bool {
    guard it.reason != .asked else { return true }
    let ofActor = it.actor.map { level(ofUser: $0) } ?? .all
    switch min(level(of: it.place, in: group, members: members), ofActor) {
    case .all: return true
    case .none: return false
    case .directed:
      guard it.kind.isMeantForConcerned else { return it.reason == .directed }
      return try concerns(it)
    }
  }
}

extension NotificationLevel: Comparable {
  package static func < (a: NotificationLevel, b: NotificationLevel) -> Bool {
    a.rank < b.rank
  }

  private var rank: Int {
    switch self {
    case .none: 0
    case .directed: 1
    case .all: 2
    }
  }
}

extension StreamState {
  /// The number of members that the category or group has now: everybody with a role.
  package var memberCount: Int {
    objects.values.count { if case .member(let it) = $0 { it.role != nil } else { false } }
  }
}

extension Notification {
  /// The category or group whose level counts. A group speaks of its new lists.
  package var place: StreamID { stream.isGroup ? stream : about }

  /// The reason why a person is told.
  package enum Reason: Sendable {
    /// They asked for it, or it is about what they may do. No level mutes it.
    case asked
    /// It is meant for them: their work.
    case directed
    /// Something went on.
    case progress
  }

  package var reason: Reason {
    switch kind {
    case .invited, .removedFrom, .roleChanged, .reminder, .planned, .snoozed, .digest,
      .webhookPaused:
      .asked
    case .assigned, .dueSoon, .overdue, .reacted, .mentioned, .answered: .directed
    case .added, .completed, .submitted, .reopened, .removed, .restored, .stepCompleted,
      .partCompleted, .reached, .claimed, .released, .runOk, .runFailed, .runCancelled, .runLost,
      .runRecovered, .commented, .said, .joined, .left, .categoryAdded:
      .progress
    }
  }

  /// Answers whether the post of the notification is the member's work, or watched by them. A comment also concerns
  /// the member who added the post. `personal` is all that they have said of it.
  package func concerns(_ member: Member, by post: Post, _ personal: Personal?) -> Bool {
    post.concerns(member, personal) || (kind == .commented && post.addedBy == member.id)
  }
}

extension Notification.Kind {
  /// Whether it is meant for those whom its post concerns, and is progress to all others.
  fileprivate var isMeantForConcerned: Bool { runNeedsALook || self == .commented }
}
