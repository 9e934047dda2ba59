// One report by a hook (protocol §5.17) on its way: the reader says whose token it is and reads the report, the ledger
// takes the command, and then there is an answer. A report has the rights of its token and nothing else, as a
// connection by it would have.

package import Domain
package import Wire

/// A report as it came. It is read only when its token is good.
package struct HookMessage: Sendable {
  package let token: String
  let body: [UInt8]
  let form: HookForm
  /// The list of the address, `/hooks/LIST`. Nil when it names none.
  let list: CategoryID?
  let key: String?
  let fresh: String
  let digest: @Sendable ([String]) -> [UInt8]

  /// `key` is the text by which a repeat is known, and `fresh` one that no other report has (`HookNames`).
  package init(
    token: String, body: [UInt8], form: HookForm, list: CategoryID?, key: String?, fresh: String,
    digest: @escaping @Sendable ([String]) -> [UInt8]
  ) {
    (self.token, self.body, self.form, self.list) = (token, body, form, list)
    (self.key, self.fresh, self.digest) = (key, fresh, digest)
  }

  /// Reads the report. `subject` finds its post.
  func order(
    by identity: Identity,
    about subject: (HookReport, CategoryID, HookNames) throws(StoreError) -> HookSubject
  ) throws(StoreError) -> Result<HookOrder, Failure> {
    let report: HookReport
    let list: CategoryID
    do throws(Failure) {
      report = try HookReport(body, as: form)
      list = try place(of: report, identity)
    } catch {
      return .failure(error)
    }
    let names = HookNames(user: identity.user, key: key, fresh: fresh, digest: digest)
    let found = try subject(report, list, names)
    return Result { () throws(Failure) in
      do throws(Failure) {
        let requests = try report.requests(in: list, about: found, names)
        // The other way only finds a report that came before, by its key.
        for request in requests.ways.first ?? [] {
          guard let token = identity.token else { throw .refused(.unauthenticated) }
          if let failure = request.failure(by: token, of: identity.user) { throw failure }
        }
        return HookOrder(report: report, list: list, requests: requests, actor: identity.actor)
      } catch {
        throw report.told(error)
      }
    }
  }

  /// Returns the list that is meant: the one that is named, or the only one of the token.
  private func place(of report: HookReport, _ identity: Identity) throws(Failure) -> CategoryID {
    if let list, let named = report.list, list != named {
      throw .refused(.invalid(field: "list", reason: "must be that of the address"))
    }
    if let named = list ?? report.list { return named }
    if let lists = identity.token?.lists, lists.count == 1, let only = lists.first { return only }
    throw .refused(
      .invalid(
        field: "list",
        reason: "must be named, as in /hooks/LIST, because this token is not for one list alone"))
  }
}

/// A report that was read: the requests that carry it out.
package struct HookOrder: Equatable, Sendable {
  let report: HookReport
  let list: CategoryID
  let requests: HookRequests
  let actor: Actor
}

/// The state machine of one report that was read. Each method returns the next step.
package struct Hook: Sendable {
  /// The next step of a report.
  package enum Step: Equatable, Sendable {
    /// Gives a command to the ledger, whose outcome comes by `finished`.
    case submit(SessionCommand)
    /// The answer. Nothing comes after it.
    case answer(HookAnswer)
  }

  private let order: HookOrder
  /// The place of the request in hand: its way, and its number in that.
  private var place = (way: 0, number: 0)

  package init(_ order: HookOrder) { self.order = order }

  private var request: RequestEnvelope { order.requests.ways[place.way][place.number] }

  /// The method of the request in hand, to be counted.
  package var method: Method { request.method }

  package func begin() -> Step { submit(request) }

  /// Takes the outcome of the command. The second request of a way follows when the run is known already. Where the key
  /// is used, the report came before, and the next request may be the one that took effect then.
  package mutating func finished(_ outcome: RequestOutcome) -> Step {
    switch outcome {
    case .done(let result): return .answer(.taken(result, order.requests.post, in: order.list))
    case .failed(let failure):
      let isRepeat = failure == .refused(.keyReused)
      guard isRepeat || failure.meansKnownRun, goOn(alsoToOtherWay: isRepeat) else {
        return .answer(.refused(order.report.told(failure)))
      }
      return submit(request)
    case .registered, .signedIn, .recovered, .pairing, .loggedOut, .welcome, .unwelcome, .opened,
      .noted, .answer:
      return .answer(.refused(.internal))
    }
  }

  /// Goes on to the next request. Returns false when there is none.
  private mutating func goOn(alsoToOtherWay: Bool) -> Bool {
    let ways = order.requests.ways
    if place.number + 1 < ways[place.way].count {
      place.number += 1
    } else if alsoToOtherWay, place.way + 1 < ways.count {
      place = (place.way + 1, 0)
    } else {
      return false
    }
    return true
  }

  private func submit(_ request: RequestEnvelope) -> Step {
    guard case .command(let command, let key, let base) = request.request else {
      preconditionFailure("a report becomes a command")
    }
    return .submit(
      SessionCommand(
        actor: order.actor, command: command, key: key, base: base, canonical: request.canonical))
  }
}
