// Requests for the end of an account (protocol §5.9). They need the password, so that nobody can make one who passes by
// an open device. A guest has no password: whoever holds the device is the guest.

internal import Crypto
internal import Domain
internal import Sync
internal import Wire

extension Authenticator {
  func prepare(
    _ request: DeleteAccountRequest, _ identity: Identity, _ visit: inout Visit
  ) throws(StoreError) -> Next {
    visit.account = try store.account(identity.user)
    if let failure = refusal(identity.user.description, visit) { return .answer(.failed(failure)) }
    if visit.account?.password.isNone == true { return .ledger(deletion(request, identity, visit)) }
    guard let password = request.password else {
      return .answer(.failed(.refused(.invalid(field: "password", reason: "is missing"))))
    }
    visit.isKnown = true
    return .hash(comparison(password, visit.account))
  }

  func deletion(
    _ request: DeleteAccountRequest, _ identity: Identity, _ visit: Visit
  ) -> LedgerWork {
    submission(
      identity.user, identity.session, .account(.delete(days: graceDays)), request.key, visit)
  }
}
