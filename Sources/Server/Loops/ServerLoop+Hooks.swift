// Reports of programs over HTTP (protocol §5.17). A reader finds whose token it has and reads it, and then it goes to
// the ledger like any other command. The connection waits for the answer, and may be gone when it comes.

internal import Crypto
internal import Domain
internal import Net
internal import Sync
internal import WebSocket
internal import Wire

extension ServerLoop {
  func askedHook(_ connection: ConnectionID, _ request: RouteRequest) {
    do throws(HookFault) {
      let head = try HookRequest(request.head)
      hooks[connection] = .some(nil)
      let message = HookMessage(
        token: head.token, body: request.body, form: head.form, list: head.list, key: head.key,
        fresh: freshText(), digest: hookDigest)
      mailboxes.reader(of: connection).post(.hook(loop: index, connection, message))
    } catch {
      loop.reply(connection, error.reply)
    }
  }

  /// Returns a text that no other report has.
  private func freshText() -> String {
    do throws(CryptoError) {
      return Hex.encode(try randomBytes(16))
    } catch {
      preconditionFailure("the generator of random bytes has none to give: \(error)")
    }
  }

  func beginHook(_ connection: ConnectionID, _ order: Result<HookOrder, Failure>) {
    switch order {
    case .failure(let failure): take(.answer(.refused(failure)), connection)
    case .success(let order):
      let hook = Hook(order)
      hooks[connection] = hook
      take(hook.begin(), connection)
    }
  }

  /// Takes an outcome. Returns false when it is none of a report.
  func finishedHook(_ to: ReplyAddress, _ outcome: RequestOutcome) -> Bool {
    let connection = ConnectionID(number: to.connection)
    guard case .some(var hook?) = hooks[connection] else { return false }
    counters.requests.add(RequestCount(Answered(hook.method, outcome.error)))
    let step = hook.finished(outcome)
    hooks[connection] = hook
    take(step, connection)
    return true
  }

  private func take(_ step: Hook.Step, _ connection: ConnectionID) {
    switch step {
    case .submit(let command):
      submit(
        command,
        ReplyAddress(loop: index, connection: connection.number, ticket: ServerLoop.hookTicket))
    case .answer(let answer):
      hooks[connection] = nil
      loop.reply(connection, HookReply.http(answer))
      endIfIdle()
    }
  }

  /// A report has one request at a time, so its tickets need not differ.
  private static let hookTicket = Ticket(0)
}

/// Returns the SHA-256 of texts, each behind its length, so that no two lists of texts give the same bytes.
@Sendable private func hookDigest(_ texts: [String]) -> [UInt8] {
  sha256(texts.flatMap { Array("\($0.utf8.count):".utf8) + Array($0.utf8) })
}
