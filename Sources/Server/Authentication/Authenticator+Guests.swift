// Accounts without a name and a password, and their upgrade to accounts like others (protocol §8 `account.guest`,
// `account.upgrade`). `Domain/Decide/Guests` says what a guest is; this file says how many there may be.

internal import Calendar
internal import Crypto
internal import Domain
internal import Net
internal import Sync
internal import Wire

extension Authenticator {
  /// The time between two counts while there is no room. Guests who have become persons make room.
  private static let countEveryMilliseconds: Int64 = 60_000

  func guest(_ request: GuestRequest, _ visit: inout Visit) throws(StoreError) -> Next {
    guard guestsMax > 0 else {
      return .answer(.failed(.refused(.forbidden("this server takes no guests"))))
    }
    if let failure = refusal(request.id.description, visit) { return .answer(.failed(failure)) }
    guard Zones.isKnown(request.zone) else {
      return .answer(
        .failed(.refused(.invalid(field: "zone", reason: "names no time zone"))))
    }
    let known = try store.account(request.id)
    if known == nil, let failure = try refusalOfNew(visit) { return .answer(.failed(failure)) }
    let account =
      known
      ?? Account(
        id: request.id, username: codes.guestName(request.id), password: .none,
        recoveryGeneration: 0)
    visit.account = account
    do throws(CryptoError) {
      let lists = try newLists()
      guard let session = newSession(of: account, request.client, request.device, &visit) else {
        return .answer(.failed(unavailable))
      }
      let guest = NewGuest(
        id: request.id, username: account.username, name: request.name, zone: request.zone,
        lists: lists)
      return .ledger(.openGuest(guest, session))
    } catch {
      log.note("authenticator: \(error)")
      return .answer(.failed(unavailable))
    }
  }

  /// Refuses an account that was not here before, when there are too many. Nil to go on.
  private func refusalOfNew(_ visit: Visit) throws(StoreError) -> Failure? {
    let now = MachineClock.monotonic().milliseconds
    if let wait = limits.tryGuest(from: visit.address, at: now) {
      return .rateLimited(afterMilliseconds: Int(wait))
    }
    if try hasRoomForGuests() { return nil }
    return .refused(.quota(limit: "guests", max: guestsMax))
  }

  private func hasRoomForGuests() throws(StoreError) -> Bool {
    let now = MachineClock.monotonic().milliseconds
    if let known = guests, known.count < guestsMax { return true }
    if let known = guests, now - known.at < Authenticator.countEveryMilliseconds { return false }
    let oldest = wallNow.milliseconds - Int64(SessionAge.days) * 24 * 3_600_000
    let count = try store.guestCount(usedSince: Timestamp(milliseconds: oldest))
    guests = (count, now)
    return count < guestsMax
  }

  func prepare(
    _ request: UpgradeRequest, _ identity: Identity, _ visit: inout Visit
  ) throws(StoreError) -> Result<HashJob, Failure> {
    visit.account = try store.account(identity.user)
    if let failure = refusal(identity.user.description, visit) { return .failure(failure) }
    visit.code = request.code.flatMap {
      codes.registrationID($0, nowSeconds: wallNow.milliseconds / 1_000)
    }
    let address = KeyAddress(
      stream: .user(identity.user), actor: identity.user, key: request.key)
    // A repeat may come when the code has ended.
    let isRepeat = try store.key(address) != nil
    guard registrationIsOpen || visit.code != nil || isRepeat else {
      counters.add(.refusedCode)
      return .failure(
        .refused(.invalid(field: "code", reason: "must be one that is still good")))
    }
    return .success(HashJob(make: Array(request.password.utf8)))
  }

  func upgrade(
    _ request: UpgradeRequest, _ identity: Identity, _ visit: Visit, _ result: HashResult
  ) -> Result<LedgerWork, Failure> {
    guard let made = result.made else { return .failure(.internal) }
    let upgrade = Upgrade(
      username: request.username, name: request.name, password: made, code: visit.code)
    return .success(
      submission(identity.user, identity.session, .account(.upgrade(upgrade)), request.key, visit))
  }
}
