// A code for a person who is to own a group or a list that its owners have forsaken. Like the other codes it is
// derived, so that it can be made beside a running server. The person enters it as any code (`invitation.redeem`).

internal import Crypto
internal import Domain
internal import Store
internal import Sync
internal import Wire

extension OperatorCommands {
  /// Returns such a code. `group` is `g:` or `c:` and an id, an id alone, or the name of one that the person is in.
  package static func ownershipCode(
    dataFolder: String, group: String, username: String, days: Int
  ) throws(OperatorError) -> String {
    let store = try open(dataFolder)
    let endsAt = try end(of: days)
    let codes = try codes(of: dataFolder, store)
    do throws(StoreError) {
      guard let account = try store.account(username: username) else {
        throw OperatorError.no("nobody is called \(username)")
      }
      let places = try store.places(called: group, of: account.id)
      guard let place = places.first else {
        throw OperatorError.no("\(username) is in nothing called \(group), and it is no id")
      }
      guard places.count == 1 else {
        let ids = places.map(\.description).joined(separator: ", ")
        throw OperatorError.no("several are called \(group): \(ids)")
      }
      return try code(of: place, for: account.id, until: endsAt, codes)
    } catch {
      throw OperatorError(description: "\(dataFolder): \(error.fault.detail).")
    }
  }

  private static func code(
    of place: StreamID, for user: UserID, until endsAt: UInt32, _ codes: Codes
  ) throws(StoreError) -> String {
    do throws(CryptoError) {
      return codes.ownership(
        of: place, for: user, id: try randomBytes(8), endsAt: endsAt)
    } catch {
      throw OperatorError.no("\(ServerError.crypto(error))")
    }
  }
}

extension OperatorError {
  fileprivate static func no(_ sentence: String) -> StoreError {
    .unreadable(StoreFault(.other, sentence))
  }
}

extension SQLiteStore {
  fileprivate func places(called text: String, of user: UserID) throws(StoreError) -> [StreamID] {
    if let place = StreamID(text) { return try headBody(of: place) == nil ? [] : [place] }
    if let id = UUID(text) {
      var found: [StreamID] = []
      for place in [StreamID.group(GroupID(id)), .category(CategoryID(id))]
      where try headBody(of: place) != nil { found.append(place) }
      return found
    }
    var found: [StreamID] = []
    for body in try objects(.membership, in: .user(user)) {
      guard case .membership(let it) = try decoded(body), let head = try headBody(of: it.stream)
      else { continue }
      if try decoded(head).placeName == text { found.append(it.stream) }
    }
    return found
  }

  private func headBody(of place: StreamID) throws(StoreError) -> [UInt8]? {
    if case .user = place { return nil }
    return try object(place.headKey, in: place)
  }
}

extension Object {
  fileprivate var placeName: String? {
    switch self {
    case .category(let it): it.name
    case .group(let it): it.name
    default: nil
    }
  }
}
