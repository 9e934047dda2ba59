extension StreamState {
  /// Applies one op, as its family says. An op that this version does not know changes nothing.
  mutating func apply(
    _ op: Op, at index: Int, of event: Event, into changes: inout [ObjectChange]
  ) {
    op.family?.apply(to: &self, at: index, of: event, into: &changes)
  }

  mutating func tell(
    _ kind: Notice.Kind, about place: StreamID, post: PostID? = nil, at index: Int,
    of event: Event, into changes: inout [ObjectChange]
  ) {
    let notice = Notice(
      kind: kind, seq: event.seq, opIndex: index, at: event.at, by: event.by, stream: place,
      post: post)
    put(.notice(notice), into: &changes)
  }
}
