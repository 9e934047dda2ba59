package import Domain
import Wire

extension StoredPast {
  /// Returns the event. An event that cannot be read is damaged, because we wrote it.
  package func decoded() throws(StoreError) -> PastEvent {
    do throws(WireError) {
      return PastEvent(
        event: try EventCodec.decode(body, seq: seq), before: try ObjectCodec.decode(before: was),
        bytes: body.count + was.count)
    } catch {
      throw .unreadable(StoreFault(.damaged, "a stored event: \(error)"))
    }
  }
}

extension EventStore {
  /// Returns one event with what was there before it; nil when there is none.
  package func past(at position: StreamPosition) throws(StoreError) -> PastEvent? {
    try past(
      in: position.stream, after: position.seq - 1, through: position.seq, bytesMax: 0
    ).first?.decoded()
  }

  /// Returns where the posts that one event brought or took away have been; none when there is no such event any more.
  package func trails(at position: StreamPosition) throws(StoreError) -> [PostTrail] {
    try past(at: position)?.before.trails ?? []
  }

  /// Returns the events that a command with this key wrote, if its answer lives in this stream.
  package func events(
    ofCommand key: CommandKey, by user: UserID, home: StreamID
  ) throws(StoreError) -> [StreamPosition] {
    try self.key(KeyAddress(stream: home, actor: user, key: key))?.result.events ?? []
  }
}
