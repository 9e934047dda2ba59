package import Domain
package import Sync

// Accounts that end are found by a look at every stream.
extension MemoryStore {
  package func endingAccounts(
    through time: Timestamp, limit: Int
  ) throws(StoreError) -> [EndingAccount] {
    let come = content.accountEnds.values.filter { $0.endsAt <= time }
      .sorted { ($0.endsAt, $0.user) < ($1.endsAt, $1.user) }
    return Array(come.prefix(limit))
  }

  package func naming(_ user: UserID, from place: NamingPlace) throws(StoreError) -> NamingStep {
    let text = Array(user.description.utf8)
    let content = content
    for stream in content.streams.keys.sorted() {
      if let begun = place.stream, stream < begun || (stream == begun && place.seq == nil) {
        continue
      }
      if content.streams[stream]?.names(text) == true { return .found(stream) }
    }
    return .none
  }
}

extension MemoryStream {
  fileprivate func names(_ text: [UInt8]) -> Bool {
    events.contains { $0.body.contains(text) || $0.was.contains(text) }
      || objects.values.contains { $0.key.kind != .post && $0.body.contains(text) }
  }
}

// Names that are not shown everywhere yet.
extension MemoryStore {
  package func untoldNames(limit: Int) throws(StoreError) -> [UntoldName] {
    let rows = content.untoldNames.map { UntoldName(user: $0.key, through: $0.value) }
    return Array(rows.sorted { $0.user < $1.user }.prefix(limit))
  }
}
