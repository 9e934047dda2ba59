/// Something that a person should know, with the event that it comes from (DESIGN §8). It holds references; titles and
/// names are read where it is shown.
package struct Notification: Equatable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    // Directed, from `u:`.
    case invited
    /// Somebody took this person out of a category or group.
    case removedFrom = "removed_from"
    /// Somebody gave this person another role in a category or group.
    case roleChanged = "role_changed"
    /// Somebody made a post this person's work.
    case assigned
    // Reminders that the system tells by itself (`ReminderKind`).
    case reminder
    case planned
    case snoozed
    case dueSoon = "due_soon"
    case overdue
    /// The digest of a day, for people who have asked to be told at a time of the day (`digest.get`).
    case digest
    /// A webhook of the person's bot does not get through, and is paused.
    case webhookPaused = "webhook_paused"
    // Progress, from `c:` and `g:`.
    case added
    case completed
    /// Somebody says that the post is done, and an admin has to confirm it.
    case submitted
    case reopened
    case removed
    case restored
    /// Somebody completed steps of a post.
    case stepCompleted = "step_completed"
    /// Somebody completed their part of a post that is for each.
    case partCompleted = "part_completed"
    /// Somebody is farther in the contest of a post.
    case reached
    /// Somebody gave a sign to what this person completed, or said.
    case reacted
    // Talk, from `c:` and `g:`. A line is one of these for each person.
    /// Somebody names this person in a line.
    case mentioned
    /// Somebody answers what this person said.
    case answered
    /// Somebody comments on a post.
    case commented
    /// Somebody says something else.
    case said
    /// Somebody is on the post now.
    case claimed
    /// Somebody gave the post back that they, or another person, were on.
    case released
    // The ends of runs. `user` started the run.
    case runOk = "run_ok"
    case runFailed = "run_failed"
    case runCancelled = "run_cancelled"
    case runLost = "run_lost"
    /// A run ended well, and the one before had not.
    case runRecovered = "run_recovered"
    case joined
    /// Somebody is not in the group any more.
    case left
    /// The group has one more list.
    case categoryAdded = "category_added"
  }

  package let kind: Kind
  /// The stream, the number and the op's place (from 0) of the event that it comes from.
  package let stream: StreamID
  package let seq: Int64
  package let opIndex: Int
  package let at: Timestamp
  /// The person who did it. Nil for the system.
  package let by: UserID?
  /// The category or group that it is about. For progress and for a digest it is the same as `stream`, but for a new
  /// list of a group. For a webhook it is the `u:` of the bot.
  package let about: StreamID
  /// The post that something happened to, or that a reminder is about.
  package let post: PostID?
  /// The person who joined or left, whose part was completed, who is farther, or who started the run.
  package let user: UserID?
  /// The sign of a reaction.
  package let sign: String?
  /// The number of the line of talk that was said, or that the sign is given to.
  package let line: Int64?

  package init(
    kind: Kind, stream: StreamID, seq: Int64, opIndex: Int, at: Timestamp, by: UserID?,
    about: StreamID, post: PostID? = nil, user: UserID? = nil, sign: String? = nil,
    line: Int64? = nil
  ) {
    self.kind = kind
    self.stream = stream
    self.seq = seq
    self.opIndex = opIndex
    self.at = at
    self.by = by
    self.about = about
    self.post = post
    self.user = user
    self.sign = sign
    self.line = line
  }
}

extension Notification {
  /// The person or bot who did it. A run is of who started it, also when the server found it to be lost.
  package var actor: UserID? { kind.runOutcome == nil ? by : user }
}

extension Notification {
  /// Progress of one post that may come again and again. Only the newest is told and counted, so that a person who
  /// completes 40 steps, or makes a claim longer 40 times, pushes nothing else out of sight.
  package struct Progress: Hashable, Sendable {
    let kind: Kind
    let stream: StreamID
    let post: PostID?
    let person: UserID?
    var line: Int64? = nil
  }

  /// Nil for everything else, which is told each time.
  package var progress: Progress? {
    switch kind {
    case .stepCompleted, .claimed, .released, .reacted:
      Progress(kind: kind, stream: stream, post: post, person: by, line: line)
    case .partCompleted, .reached, .runOk, .runFailed, .runCancelled, .runLost, .runRecovered:
      Progress(kind: kind, stream: stream, post: post, person: user)
    case .invited, .removedFrom, .roleChanged, .assigned, .reminder, .planned, .snoozed, .dueSoon,
      .overdue, .digest, .webhookPaused, .added, .completed, .submitted, .reopened, .removed,
      .restored, .mentioned, .answered, .commented, .said, .joined, .left, .categoryAdded:
      nil
    }
  }
}

/// The person for whom an event is judged.
package struct Viewer: Hashable, Sendable {
  package let user: UserID
  /// `joinedSeq` of the viewer in that stream: events up to it are not told. 0 for their own `u:`.
  package let joinedSeq: Int64
  package init(user: UserID, joinedSeq: Int64) {
    self.user = user
    self.joinedSeq = joinedSeq
  }
}

extension Notification {
  /// Makes the notification from a notice that the `u:` of a person keeps.
  package init(_ notice: Notice, to user: UserID) {
    self.init(
      kind: notice.kind.notification, stream: .user(user), seq: notice.seq,
      opIndex: notice.opIndex, at: notice.at, by: notice.by, about: notice.stream,
      post: notice.post)
  }
}

extension Notice.Kind {
  fileprivate var notification: Notification.Kind {
    switch self {
    case .invited: .invited
    case .removed: .removedFrom
    case .roleChanged: .roleChanged
    case .assigned: .assigned
    case .reminder: .reminder
    case .planned: .planned
    case .snoozed: .snoozed
    case .dueSoon: .dueSoon
    case .overdue: .overdue
    case .digest: .digest
    case .webhookPaused: .webhookPaused
    }
  }
}
