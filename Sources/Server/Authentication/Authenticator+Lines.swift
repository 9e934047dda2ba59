// The places of visits in the lines in front of the hash threads (HashQueue.swift).

internal import Crypto
internal import Domain
internal import Net
internal import Sync
internal import Wire

extension Authenticator.Visit {
  /// The place in a line. Strangers have one by network and address, known people by account and then device or
  /// address.
  var place: LinePlace {
    guard isKnown else {
      return LinePlace(
        group: address.map { "\($0.network)" } ?? "", member: address.map { "\($0)" } ?? "")
    }
    return LinePlace(
      group: account.map { "\($0.id)" } ?? "", member: device.map { $0 } ?? addressName)
  }

  /// The username at which a stranger's password is a guess. Nil for other visits.
  var guessedAt: String? {
    guard !isKnown, case .login(let request) = request.kind else { return nil }
    return request.username
  }

  /// Returns the places from which the account would be known if this visit came in.
  func places(of account: String) -> [KnownPlaces.Place] {
    [device, address == nil ? nil : addressName].compactMap(\.self).map {
      KnownPlaces.Place(account: account, from: $0)
    }
  }

  private var addressName: String { "address \(address.map { "\($0)" } ?? "")" }

  private var device: String? {
    let secret: String?
    switch request.kind {
    case .login(let request): secret = request.device
    case .pair(let request): secret = request.device
    case .guest(let request): secret = request.device
    case .register, .recover, .changePassword, .openPairing, .upgrade, .deleteAccount:
      secret = nil
    }
    return secret.map { "device " + Hex.encode(sha256(Array($0.utf8))) }
  }
}
