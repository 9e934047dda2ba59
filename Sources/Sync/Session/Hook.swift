// One report by a hook (protocol §5.17) on its way: the reader says whose token it is, the ledger takes the command,
// and then there is an answer. A report has the rights of its token and nothing else, as a connection by it would have.

package import Domain
package import Wire

/// The owner of a token that came with a report.
package enum HookStanding: Equatable, Sendable {
  /// The token is no token of a bot, or not good any more. Nobody learns which.
  case unwelcome
  /// The bot asks too often.
  case limited(afterMilliseconds: Int)
  case known(Identity)
  /// The store cannot be read.
  case unavailable(afterMilliseconds: Int)
}

/// The state machine of one report. Each method returns the next step.
package struct Hook: Sendable {
  /// The next step of a report.
  package enum Step: Equatable, Sendable {
    /// Gives a command to the ledger, whose outcome comes by `finished`.
    case submit(SessionCommand)
    /// The answer. Nothing comes after it.
    case answer(HookAnswer)
  }

  private enum State {
    case asking
    case first(HookRequests, Identity, CategoryID)
    case second(HookRequests, CategoryID)
    case answered
  }

  private let report: Result<HookReport, Failure>
  /// The list of the address, `/hooks/LIST`. Nil when it names none.
  private let list: CategoryID?
  private let repeatedBy: String
  private let digest: @Sendable ([String]) -> [UInt8]
  private var state = State.asking

  /// Makes the machine of a report. `repeatedBy` is the text by which a repeat is known, or one that nobody else has.
  package init(
    _ report: Result<HookReport, Failure>, list: CategoryID?, repeatedBy: String,
    digest: @escaping @Sendable ([String]) -> [UInt8]
  ) {
    self.report = report
    self.list = list
    self.repeatedBy = repeatedBy
    self.digest = digest
  }

  /// The method of the request in hand, to be counted. Nil when there is none.
  package var method: Method? {
    switch state {
    case .first(let requests, _, _): requests.first.method
    case .second(let requests, _): requests.second?.method
    case .asking, .answered: nil
    }
  }

  /// Takes the answer of the reader.
  package mutating func recognized(_ standing: HookStanding) -> Step {
    switch standing {
    case .unwelcome: return end(.refused(.unauthenticated))
    case .limited(let milliseconds): return end(.rateLimited(afterMilliseconds: milliseconds))
    case .unavailable(let milliseconds): return end(.unavailable(afterMilliseconds: milliseconds))
    case .known(let identity):
      do throws(Failure) {
        return try begin(by: identity)
      } catch {
        return end(error)
      }
    }
  }

  /// Takes the outcome of the command.
  package mutating func finished(_ outcome: RequestOutcome) -> Step {
    switch (outcome, state) {
    case (.done(let result), .first(let requests, _, let list)),
      (.done(let result), .second(let requests, let list)):
      state = .answered
      return .answer(.taken(result, requests.post, in: list))
    case (.failed(let failure), .first(let requests, let identity, let list)):
      guard failure.meansKnownRun, let second = requests.second else { return end(failure) }
      state = .second(requests, list)
      return submit(second, by: identity)
    case (.failed(let failure), _): return end(failure)
    case (.unwelcome, _): return end(.refused(.unauthenticated))
    default: return end(.internal)
    }
  }

  private mutating func begin(by identity: Identity) throws(Failure) -> Step {
    let report = try report.get()
    let list = try place(of: report, identity)
    let names = HookNames(user: identity.user, repeatedBy: repeatedBy, digest: digest)
    let requests = try report.requests(in: list, names)
    if let token = identity.token {
      for request in [requests.first] + [requests.second].compactMap(\.self) {
        if let failure = request.failure(by: token, of: identity.user) { throw failure }
      }
    }
    state = .first(requests, identity, list)
    return submit(requests.first, by: identity)
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

  private func submit(_ request: RequestEnvelope, by identity: Identity) -> Step {
    guard case .command(let command, let key, let base) = request.request else {
      preconditionFailure("a report becomes a command")
    }
    return .submit(
      SessionCommand(
        actor: identity.actor, command: command, key: key, base: base,
        canonical: request.canonical))
  }

  private mutating func end(_ failure: Failure) -> Step {
    state = .answered
    guard case .success(let report) = report else { return .answer(.refused(failure)) }
    return .answer(.refused(report.told(failure)))
  }
}
