// Reports of programs over HTTP (protocol §5.17). Each asks the reader of its bot whose token it has, and then goes to
// the ledger like any other command. The connection waits for the answer, and may be gone when it comes.

internal import Crypto
internal import Domain
internal import Net
internal import Sync
internal import WebSocket
internal import Wire

extension ServerLoop {
  func askedHook(_ connection: ConnectionID, _ request: RouteRequest) {
    let head: HookRequest
    do throws(HookFault) {
      head = try HookRequest(request.head)
    } catch {
      return loop.reply(connection, error.reply)
    }
    let report = Result { () throws(Failure) in try HookReport(request.body, as: head.form) }
    hooks[connection] = Hook(
      report, list: head.list, repeatedBy: head.repeatedBy ?? unrepeated(), digest: hookDigest)
    mailboxes.reader(of: connection).post(.hook(loop: index, connection, token: head.token))
  }

  /// Returns a text that no other report has.
  private func unrepeated() -> String {
    do throws(CryptoError) {
      return "once " + Hex.encode(try randomBytes(16))
    } catch {
      preconditionFailure("the generator of random bytes has none to give: \(error)")
    }
  }

  func recognized(_ connection: ConnectionID, _ standing: HookStanding) {
    step(connection) { $0.recognized(standing) }
  }

  /// Takes an outcome. Returns false when it is none of a report.
  func finishedHook(_ to: ReplyAddress, _ outcome: RequestOutcome) -> Bool {
    let connection = ConnectionID(number: to.connection)
    guard let hook = hooks[connection] else { return false }
    if let method = hook.method {
      counters.requests.add(RequestCount(Answered(method, outcome.error)))
    }
    step(connection) { $0.finished(outcome) }
    return true
  }

  private func step(_ connection: ConnectionID, _ happen: (inout Hook) -> Hook.Step) {
    guard var hook = hooks[connection] else { return }
    switch happen(&hook) {
    case .submit(let command):
      hooks[connection] = hook
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
