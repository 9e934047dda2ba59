package import Domain
package import Wire

/// One kind in one stream: what a push is about.
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

/// The connection that said it, of all loops.
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

/// Who, and at which post.
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

/// What one connection says, or that it is over: from its loop to the others.
package struct EphemeralNote: Equatable, Sendable {
  package enum Value: Equatable, Sendable {
    /// `progress` is that of its kind; `at` in milliseconds of the monotonic clock, which the loops share.
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

/// How long it holds without being said again, and how often it is told.
package enum EphemeralTimes {
  /// Longer than one thinks between two words, and soon over when one has gone.
  static let typingMilliseconds: Int64 = 5_000
  /// Said again every half minute, with room for a slow line.
  static let presenceMilliseconds: Int64 = 45_000
  /// A step of a long piece of work.
  static let progressMilliseconds: Int64 = 600_000
  /// Between two pushes of one topic.
  package static let pushMilliseconds: Int64 = 1_000
  /// Between two looks for what is over.
  static let lookMilliseconds: Int64 = 250

  static func holds(_ kind: EphemeralKind) -> Int64 {
    switch kind {
    case .presence: presenceMilliseconds
    case .typing: typingMilliseconds
    case .progress: progressMilliseconds
    }
  }
}
