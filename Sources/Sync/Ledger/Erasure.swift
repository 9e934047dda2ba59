// Erasing (protocol §5.6): the log is append-only but for this. The event `post.erased` is written like any
// other; with its transaction the store takes the post's text out of what was written before it: bodies,
// what was before them, and the hashes of the commands that brought it (a short text could be guessed
// from one). Everybody obeys the event in their own copy.
//
// Of an event that a later version of the program wrote, ops that this version does not know are kept whole
// (`Op.unknown`), whatever they say; members that it does not know are left out when such an event is rewritten.

package import Domain
package import Wire

/// What goes from every event of the stream before `seq`.
package struct Erasure: Equatable, Sendable {
  package let stream: StreamID
  package let subject: ErasedSubject
  /// The number of the event that says so.
  package let seq: Int64

  package init(stream: StreamID, subject: ErasedSubject, seq: Int64) {
    self.stream = stream
    self.subject = subject
    self.seq = seq
  }
}

/// Rewrites what is stored about one post, or of one person's name.
package struct TextEraser: Sendable {
  private let subject: ErasedSubject

  package init(_ post: PostID) { self.init(.post(post)) }

  package init(_ subject: ErasedSubject) { self.subject = subject }

  /// The same event without what is erased.
  package func event(_ event: Event) -> Event {
    Event(
      seq: event.seq, transaction: event.transaction, at: event.at, by: event.by, key: event.key,
      undoes: event.undoes, ops: event.ops.map { $0.without(subject) })
  }

  /// The same event with what was before it, without the post's text.
  package func past(_ past: PastEvent) -> PastEvent {
    PastEvent(event: event(past.event), before: before(past.before), bytes: past.bytes)
  }

  /// The bytes of an event without the post's text.
  package func body(_ body: [UInt8]) throws(WireError) -> [UInt8] {
    EventCodec.encode(event(try EventCodec.decode(body, seq: 0)))
  }

  /// The same of what was before an event.
  package func before(_ before: Before) -> Before {
    Before(
      objects: before.objects.map(object), crossing: before.crossing, trails: before.trails,
      leftOut: before.leftOut)
  }

  package func before(_ bytes: [UInt8]) throws(WireError) -> [UInt8] {
    ObjectCodec.encode(before(try ObjectCodec.decode(before: bytes)))
  }

  /// The same of one stored object.
  package func object(_ body: [UInt8]) throws(WireError) -> [UInt8] {
    object(try ObjectCodec.decode(body)).map { ObjectCodec.encode($0) } ?? body
  }

  private func object(_ object: Object?) -> Object? {
    object?.without(subject)
  }
}

extension CommandResult {
  /// Whether it may be the answer to a command that said what one of these posts of a list had already: no event
  /// names such a command, so its hash goes by this when the text goes.
  package func mayHaveSaidInVain(_ numbers: Set<Int>) -> Bool {
    func isOne(_ changed: Bool, _ number: Int?) -> Bool {
      !changed && number.map(numbers.contains) ?? false
    }
    return isOne(changed, number) || parts.contains { isOne($0.changed, $0.number) }
  }

  /// Whether it is the answer to a command of which all or a part was so already.
  package var hasSaidInVain: Bool { !changed || parts.contains { !$0.changed } }
}
