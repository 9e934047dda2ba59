package import Domain

/// A message that a server sends, as a client reads it (protocol §8, §9, §11).
package enum ServerMessage: Sendable {
  /// An answer. The node is the `result`; its shape depends on the method that was asked, and the `init(decoding:)` of
  /// that method's answer reads it.
  case result(RequestID, JSONNode)
  case error(RequestID?, ServerError)
  case events(EventsPush)
  case snapshot(SnapshotPage)
  case objects(ObjectsPush)
  case live(stream: StreamID, epoch: Epoch, seq: Int64)
  case gone(StreamID)
  case ephemeral(EphemeralSet)
  case drain(afterMilliseconds: Int, withinMilliseconds: Int)
  /// A push of a method that this version does not know. It is to be ignored.
  case unknown(method: String)
}

/// An error answer as a client reads it.
package struct ServerError: Error, Equatable, Sendable {
  /// The kind. Nil for one that this version does not know: then `code` and `retry` tell.
  package let kind: ErrorKind?
  package let code: Int
  /// The advice. It is `no` when the server named one that this version does not know.
  package let retry: Retry
  /// A sentence for people.
  package let sentence: String
  package let field: String?
  /// The number of scalars in front of the place in a text, as it was sent, that is not accepted.
  package let place: Int?
  package let limit: String?
  package let max: Int?
  package let version: Int?
  /// The object of a conflict as it is now. Nil for one of a kind that this version does not know.
  package let object: Object?
  package let afterMilliseconds: Int?
  /// The number of the command of a batch that was refused, from 0.
  package let index: Int?

  package init(
    kind: ErrorKind?, code: Int, retry: Retry, sentence: String, field: String? = nil,
    limit: String? = nil, max: Int? = nil, version: Int? = nil, object: Object? = nil,
    afterMilliseconds: Int? = nil, index: Int? = nil, place: Int? = nil
  ) {
    self.kind = kind
    self.code = code
    self.retry = retry
    self.sentence = sentence
    self.field = field
    self.place = place
    self.limit = limit
    self.max = max
    self.version = version
    self.object = object
    self.afterMilliseconds = afterMilliseconds
    self.index = index
  }
}

/// Events of one stream without holes. The first has the number `from`.
package struct EventsPush: Equatable, Sendable {
  package let stream: StreamID
  package let epoch: Epoch
  package let from: Int64
  package let events: [Event]

  package init(stream: StreamID, epoch: Epoch, from: Int64, events: [Event]) {
    self.stream = stream
    self.epoch = epoch
    self.from = from
    self.events = events
  }
}

/// Objects of one stream that changed. They are to be applied with the next push that has a cursor, or with this one if
/// it has it.
package struct ObjectsPush: Equatable, Sendable {
  package let stream: StreamID
  /// The objects as they are now. Those of kinds that this version does not know are left out.
  package let objects: [Object]
  /// The objects that are no longer in the state. Those of kinds that this version does not know are left out.
  package let gone: [GoneObject]
  /// The event up to which the copy is now right; nil while more pushes follow.
  package let cursor: CursorPosition?

  package init(
    stream: StreamID, objects: [Object], gone: [GoneObject], cursor: CursorPosition?
  ) {
    self.stream = stream
    self.objects = objects
    self.gone = gone
    self.cursor = cursor
  }
}

/// A page of a snapshot. The copy is replaced when the last page is in.
package struct SnapshotPage: Equatable, Sendable {
  package let stream: StreamID
  package let epoch: Epoch
  package let seq: Int64
  package let transaction: TransactionID
  /// The number of the page: 1 … `pages`.
  package let page: Int
  package let pages: Int
  /// The objects. Those of kinds that this version does not know are left out.
  package let objects: [Object]

  package init(
    stream: StreamID, epoch: Epoch, seq: Int64, transaction: TransactionID, page: Int, pages: Int,
    objects: [Object]
  ) {
    self.stream = stream
    self.epoch = epoch
    self.seq = seq
    self.transaction = transaction
    self.page = page
    self.pages = pages
    self.objects = objects
  }
}
