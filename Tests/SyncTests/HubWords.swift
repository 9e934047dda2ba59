// The effects of a hub, as its tests write them down.

import Domain

@testable import Sync

/// A frame of the tests, which says what is in it.
enum Piece: Equatable, Sendable {
  case events(StreamID, ClosedRange<Int64>)
  case page(StreamID, seq: Int64, page: Int, of: Int)
  case objects(StreamID, Int64)
}

/// Returns effects as short words: `1<-5...6`, `read 1 after 4`.
func words(_ effects: [HubEffect<Piece>]) -> [String] {
  effects.map { effect in
    switch effect {
    case .send(.events(_, let range), let to):
      to.map { "\($0.value)" }.joined(separator: ",")
        + "<-\(range.lowerBound)...\(range.upperBound)"
    case .send(.page(_, let seq, let page, let pages), let to):
      "\(to[0].value)<-page \(page)/\(pages) at \(seq)"
    case .send(.objects(_, let seq), let to): "\(to[0].value)<-objects \(seq)"
    case .sendObjects(_, _, let objects, let to):
      to.map { "\($0.value)" }.joined(separator: ",") + "<-objects at \(objects.seq)"
    case .read(let read):
      switch read.want {
      case .tail(let after): "read \(read.connection.value) after \(after)"
      case .page(let page, let seq):
        "read \(read.connection.value) page \(page) of \(seq.map(String.init) ?? "newest")"
      }
    case .tellLive(let connection, _, _, let seq): "\(connection.value) live \(seq)"
    case .tellGone(let connection, _): "\(connection.value) gone"
    case .serveLater(let connection): "\(connection.value) later"
    }
  }
}
