package import Domain
package import Wire

/// One kind of values in one stream; a push is about a topic.
package struct EphemeralTopic: Hashable, Comparable, Sendable {
  package let stream: StreamID
  package let kind: EphemeralKind

  package init(stream: StreamID, kind: EphemeralKind) {
    self.stream = stream
    self.kind = kind
  }

  package static func < (left: EphemeralTopic, right: EphemeralTopic) -> Bool {
    (left.stream, left.kind) < (right.stream, right.kind)
  }
}

/// The connection that said a value, unique among all loops.
package struct EphemeralOrigin: Hashable, Comparable, Sendable {
  package let loop: Int
  package let connection: HubConnection

  package init(loop: Int, connection: HubConnection) {
    self.loop = loop
    self.connection = connection
  }

  package static func < (left: EphemeralOrigin, right: EphemeralOrigin) -> Bool {
    (left.loop, left.connection.value) < (right.loop, right.connection.value)
  }
}

/// A user, and the post at which they are.
struct EphemeralSubject: Hashable, Comparable, Sendable {
  let user: UserID
  let post: PostID?

  static func < (left: EphemeralSubject, right: EphemeralSubject) -> Bool {
    if left.user != right.user { return left.user < right.user }
    switch (left.post, right.post) {
    case (nil, nil), (.some, nil): return false
    case (nil, .some): return true
    case (let left?, let right?): return left < right
    }
  }
}

/// A note from one loop to the others: a connection says a value, or its value is over.
package struct EphemeralNote: Equatable, Sendable {
  package enum Value: Equatable, Sendable {
    /// A value. `progress` belongs to the kind of that name; `at` is in milliseconds of the monotonic clock, which the
    /// loops share.
    case set(Progress?, at: Int64)
    case ended
  }

  package let origin: EphemeralOrigin
  package let topic: EphemeralTopic
  package let user: UserID
  package let post: PostID?
  package let value: Value

  var subject: EphemeralSubject { EphemeralSubject(user: user, post: post) }
}

/// The times for which values hold without being repeated, and how often topics are told.
package enum EphemeralTimes {
  /// How long "typing" holds: longer than a person thinks between two words, and over soon when they have gone.
  static let typingMilliseconds: Int64 = 5_000
  /// How long "here" holds. It is repeated every half minute; the rest is for slow connections.
  static let presenceMilliseconds: Int64 = 45_000
  /// How long progress holds: the time of a step of a long piece of work.
  static let progressMilliseconds: Int64 = 600_000
  /// The least time between two pushes of one topic.
  package static let pushMilliseconds: Int64 = 1_000
  /// The moments at which topics are pushed again are multiples of this. So those of many streams are told together, in
  /// one write to each follower, and a device that sleeps wakes up seldom.
  static let pushGridMilliseconds: Int64 = 250
  /// The time between two looks for values that are over.
  static let lookMilliseconds: Int64 = 250

  /// Returns the moment from which a topic that is pushed now may be pushed again.
  static func nextPush(after now: Int64) -> Int64 {
    let earliest = now + pushMilliseconds + pushGridMilliseconds - 1
    return earliest - earliest % pushGridMilliseconds
  }

  static func holds(_ kind: EphemeralKind) -> Int64 {
    switch kind {
    case .presence: presenceMilliseconds
    case .typing: typingMilliseconds
    case .progress: progressMilliseconds
    }
  }
}
