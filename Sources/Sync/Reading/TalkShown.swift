// The talk that a connection is shown (protocol §5.20). Members get the lines from the event on at which they may begin
// to read. Guests by a link get none: their events, snapshots and objects are another form, made when it is asked for.

import Domain
import Wire

/// How much of the talk of a stream somebody is shown.
package enum TalkShown: Hashable, Sendable {
  case all
  /// Only the lines from this event on.
  case since(Int64)
  case none

  /// Answers whether an object of the state is shown. The key of a line has the number of its event.
  func shows(_ key: ObjectKey) -> Bool {
    switch key.kind {
    case .line: shows(line: TalkLine.number(of: key))
    case .comments: self != .none
    default: true
    }
  }

  /// Answers whether an object of the state is shown, by its body.
  func shows(_ body: [UInt8]) throws(StoreError) -> Bool {
    guard self != .all, TalkShown.beginnings.contains(where: body.starts(with:)) else {
      return true
    }
    do throws(WireError) {
      return shows(try ObjectCodec.decode(body).key)
    } catch {
      throw .unreadable(StoreFault(.damaged, "a stored object: \(error)"))
    }
  }

  private func shows(line number: Int64) -> Bool {
    switch self {
    case .all: true
    case .since(let first): number >= first
    case .none: false
    }
  }

  /// The first bytes of the bodies of talk.
  private static let beginnings = [ObjectKind.line, .comments].map {
    Array(#"{"t":"\#($0.rawValue)","#.utf8)
  }

  /// Returns the body of an event as it is shown. Members get all events that they may read as everybody gets them.
  func body(_ event: StoredEvent) throws(StoreError) -> [UInt8] {
    guard self == .none else { return event.body }
    let decoded = try event.decoded()
    return decoded.hasTalk ? EventCodec.encode(decoded.withoutTalk) : event.body
  }
}

extension EventStore {
  /// Returns how much of a stream's talk a user is shown. Call it within a read.
  func talkShown(_ access: StreamAccess, to user: UserID) throws(StoreError) -> TalkShown {
    user.uuid.isLinkGuest ? .none : try talkShown(access)
  }

  /// Returns how much of a stream's talk a member is shown. It is all where no line is older than what they may read,
  /// so that members share their snapshots. Call it within a read.
  func talkShown(_ access: StreamAccess) throws(StoreError) -> TalkShown {
    guard access.joinedSeq > 1, let oldest = try oldestLine(in: access.stream) else { return .all }
    let first = try firstLine(access)
    return oldest < first ? .since(first) : .all
  }

  /// Returns the first event whose talk a member may read.
  private func firstLine(_ access: StreamAccess) throws(StoreError) -> Int64 {
    guard case .category = access.stream else { return access.joinedSeq }
    guard let body = try object(access.stream.headKey, in: access.stream),
      case .category(let category) = try decodedObject(body)
    else { return access.joinedSeq }
    return category.history.begins(joinedSeq: access.joinedSeq)
  }
}
