// Erasing (protocol §5.6) is the one exception to an append-only log. The event `post.erased` is written like any
// other. In its transaction the store takes the post's text out of everything that was written before it: event bodies,
// objects before events, and the hashes of the commands that brought the text (a short text could be guessed from one).
// Everybody obeys the event in their own copy.
//
// An event of a later version of the program may hold ops that this version does not know. They are kept whole
// (`Op.unknown`), whatever they say. Members that this version does not know are left out when such an event is
// rewritten.

package import Domain
package import Wire

/// An order to take a subject out of every event of the stream before `seq`.
package struct Erasure: Equatable, Sendable {
  package let stream: StreamID
  package let subject: ErasedSubject
  /// The number of the event that orders the erasing.
  package let seq: Int64

  package init(stream: StreamID, subject: ErasedSubject, seq: Int64) {
    self.stream = stream
    self.subject = subject
    self.seq = seq
  }
}

/// Takes the text of one post, or one person's name, out of stored forms.
package struct TextEraser: Sendable {
  private let subject: ErasedSubject

  package init(_ post: PostID) { self.init(.post(post)) }

  package init(_ subject: ErasedSubject) { self.subject = subject }

  /// Returns the event without the erased texts.
  package func event(_ event: Event) -> Event {
    Event(
      seq: event.seq, transaction: event.transaction, at: event.at, by: event.by, key: event.key,
      undoes: event.undoes, ops: event.ops.map { $0.without(subject) })
  }

  /// Returns the past event without the erased texts, in its ops and in the objects before it.
  package func past(_ past: PastEvent) -> PastEvent {
    PastEvent(event: event(past.event), before: before(past.before), bytes: past.bytes)
  }

  /// Returns the bytes of an event without the erased texts. Throws when they cannot be decoded.
  package func body(_ body: [UInt8]) throws(WireError) -> [UInt8] {
    EventCodec.encode(event(try EventCodec.decode(body, seq: 0)))
  }

  /// Returns the objects before an event without the erased texts.
  package func before(_ before: Before) -> Before {
    Before(
      objects: before.objects.map(object), crossing: before.crossing,
      droppedLines: before.droppedLines, droppedComments: before.droppedComments,
      trails: before.trails,
      leftOut: before.leftOut)
  }

  package func before(_ bytes: [UInt8]) throws(WireError) -> [UInt8] {
    ObjectCodec.encode(before(try ObjectCodec.decode(before: bytes)))
  }

  /// Returns the bytes of one stored object without the erased texts. Throws when they cannot be decoded.
  package func object(_ body: [UInt8]) throws(WireError) -> [UInt8] {
    object(try ObjectCodec.decode(body)).map { ObjectCodec.encode($0) } ?? body
  }

  private func object(_ object: Object?) -> Object? {
    object?.without(subject)
  }
}

extension CommandResult {
  /// Answers whether this may be the result of a command that changed nothing, because one of these posts of a list had
  /// that text already. No event names such a command, so its hash is found by this when the text goes.
  package func mayHaveSaidInVain(_ numbers: Set<Int>) -> Bool {
    func isOne(_ changed: Bool, _ number: Int?) -> Bool {
      !changed && number.map(numbers.contains) ?? false
    }
    return isOne(changed, number) || parts.contains { isOne($0.changed, $0.number) }
  }

  /// Whether a command or a part of a batch changed nothing, because everything was so already.
  package var hasSaidInVain: Bool { !changed || parts.contains { !$0.changed } }
}
