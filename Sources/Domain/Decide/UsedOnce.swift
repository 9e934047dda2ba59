// Ids of codes, links, tokens and webhooks are good once. The texts and secrets of all four are derived from their ids,
// so a text that has ended would be good again with another one of that id. A mark beside the log says for ever that an
// id was used. It is spent when one is made, and when a code or link ends that is older than the marks. The store takes
// the marks of those that had ended before from its log (Store/Schema+UsedOnce.swift).

enum UsedOnce {
  static func token(_ id: TokenID, _ bot: UserID) -> String { "token \(bot) \(id)" }

  static func webhook(_ id: WebhookID, _ bot: UserID) -> String { "webhook \(bot) \(id)" }

  static func code(_ id: InvitationID, _ stream: StreamID) -> String { "code \(stream) \(id)" }

  static func link(_ id: LinkID, _ category: CategoryID) -> String {
    "link \(StreamID.category(category)) \(id)"
  }
}

extension World {
  /// Returns the marks of the codes and links that these drafts end, as far as they are not spent.
  package mutating func unspentMarks(
    of drafts: [Draft], by user: UserID
  ) throws(Halt) -> [AccountChange] {
    let marks = Set(
      drafts.flatMap { draft in draft.ops.compactMap { $0.endedMark(in: draft.stream) } })
    guard !marks.isEmpty else { return [] }
    let sorted = marks.sorted()
    try require(sorted.map { .codeSpent($0) })
    var unspent: [AccountChange] = []
    for mark in sorted where try !isSpent(mark) { unspent.append(.codeSpent(mark, by: user)) }
    return unspent
  }
}

extension Op {
  /// Returns the mark of the code or link that the op makes or ends. Nil for every other op.
  package func mark(in stream: StreamID) -> String? {
    switch (self, stream) {
    case (.code(.made(let code)), _): UsedOnce.code(code.id, stream)
    case (.link(.made(let link)), .category(let category)): UsedOnce.link(link.id, category)
    default: endedMark(in: stream)
    }
  }

  fileprivate func endedMark(in stream: StreamID) -> String? {
    switch (self, stream) {
    case (.code(.ended(let id)), _): UsedOnce.code(id, stream)
    case (.link(.ended(let id)), .category(let category)): UsedOnce.link(id, category)
    default: nil
    }
  }
}
