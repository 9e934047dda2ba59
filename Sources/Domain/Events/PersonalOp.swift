/// One change of a person's own things, in their `u:`.
package enum PersonalOp: Equatable, Sendable {
  case edited(PostAddress, PersonalEdit)
  /// The person's own things about these posts ended, because they left the list or to make room.
  case ended(CategoryID, [PostID])
  /// The post is in another list now, and so is what the person has said of it.
  case moved(PostID, from: CategoryID, to: CategoryID)
  case settings(SettingsEdit)
  case fired(Reminded)
  /// There is something to tell of this day (`digest.get`).
  case digestReady(Day)
  /// The person was told what they had asked for. It stays until they have read it, whatever else they are told.
  case kept(Reminded)
  /// The person left the list, so no reminder that was told of these posts stays.
  case keptEnded(CategoryID, [PostID])
  /// A notice has nothing to tell any more: the invitation was taken back, or nobody answered it in time.
  case noticeEnded(seq: Int64, opIndex: Int)

  /// The objects that it changes, like `Op.touches`.
  func touches(in stream: StreamID) -> [ObjectKey] {
    switch self {
    case .edited(let address, _): [address.personalKey]
    case .ended(let category, let posts):
      posts.map { PostAddress(category: category, post: $0).personalKey }
    case .moved(let post, let from, let to):
      [from, to].map { PostAddress(category: $0, post: post).personalKey }
    case .settings: [ObjectKey(kind: .settings, id: stream.uuid)]
    case .fired(let it): [it.address.personalKey]
    case .digestReady: []
    case .kept(let it): [it.address.reminderKey]
    case .noticeEnded(let seq, let opIndex): [Notice.key(seq: seq, opIndex: opIndex)]
    case .keptEnded(let category, let posts):
      posts.map { PostAddress(category: category, post: $0).reminderKey }
    }
  }
}
