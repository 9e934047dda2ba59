package import Domain
package import Sync

extension MemoryStore {
  package func storage(of stream: StreamID) throws(StoreError) -> StoredBytes? {
    guard let held = content.streams[stream] else { return nil }
    let payer = try payer(of: stream)
    var total: Int64 = 0
    for (it, held) in content.streams where try answers(payer, for: it) {
      total += held.storedBytes
    }
    return StoredBytes(payer: payer, total: total, state: held.stateBytes)
  }

  private func payer(of stream: StreamID) throws(StoreError) -> StreamID {
    guard case .category = stream else { return stream }
    if let group = try group(of: stream) { return .group(group) }
    return owners(of: stream).first.map { .user($0) } ?? stream
  }

  /// Answers whether all of the stream is counted for the payer. A list with two owners counts for each of them.
  private func answers(_ payer: StreamID, for stream: StreamID) throws(StoreError) -> Bool {
    if payer == stream { return true }
    guard case .category = stream else { return false }
    let group = try group(of: stream)
    switch payer {
    case .group(let it): return group == it
    case .user(let it): return group == nil && owners(of: stream).contains(it)
    case .category: return false
    }
  }

  private func group(of list: StreamID) throws(StoreError) -> GroupID? {
    guard let body = content.streams[list]?.objects[list.ownKey]?.body,
      case .category(let category) = try decoded(body)
    else { return nil }
    return category.group
  }

  /// Returns the owners of a list, the one who came first in front.
  private func owners(of list: StreamID) -> [UserID] {
    var owners: [(seq: Int64, user: UserID)] = []
    for (user, grants) in content.access {
      if let grant = grants[list], grant.role == .owner { owners.append((grant.joinedSeq, user)) }
    }
    return owners.sorted { $0 < $1 }.map(\.user)
  }
}

extension MemoryStore {
  package func stateBytes(of stream: StreamID) -> Int64? { content.streams[stream]?.stateBytes }

  package func outline(of stream: StreamID) -> StoredOutline? {
    content.streams[stream].map { stream in
      StoredOutline(
        head: stream.head,
        objects: stream.rows { $0.inState }.map {
          .init(key: $0.key, number: $0.number, bytes: $0.body.count)
        })
    }
  }
}

extension MemoryStream {
  /// The bytes that the stream holds, counted as the other store counts them (Schema+Storage.swift).
  var storedBytes: Int64 {
    let log = events.reduce(Int64(0)) {
      $0 + Int64($1.body.count + $1.was.count) + StoredBytes.ofEvent
    }
    return log + objects.values.reduce(Int64(0)) { $0 + Int64($1.body.count) }
  }

  var stateBytes: Int64 {
    objects.values.reduce(Int64(0)) { $0 + ($1.inState ? Int64($1.body.count) : 0) }
  }
}
