import Sync

/// A handle for something that was asked for. Its result may be there already or may come. It belongs to the client's
/// thread.
package final class Handle<Value> {
  private let client: Client
  private let ticket: RequestTicket
  private let value: (ReplicaAnswer) -> Value?
  private var answer: Result<ReplicaAnswer, RequestFailure>?

  init(client: Client, ticket: RequestTicket, value: @escaping (ReplicaAnswer) -> Value?) {
    self.client = client
    self.ticket = ticket
    self.value = value
  }

  deinit { client.forget(ticket) }

  /// Discards a queued command that was refused, because the caller who waited for it has been told.
  func discardQueued() { client.told(ticket) }

  /// Waits for the result. `.timedOut` and `.unconnected` leave it open: wait again, or forget it. Half a minute is
  /// longer than a server's restart.
  @discardableResult
  package func wait(milliseconds: Int = 30_000) throws(ClientError) -> Value {
    if answer == nil { answer = try client.answer(ticket, milliseconds: milliseconds) }
    switch answer {
    case nil: throw .timedOut
    case .failure(let failure): throw ClientError(failure)
    case .success(let answer):
      guard let value = value(answer) else {
        preconditionFailure("the answer to this request is of another kind")
      }
      return value
    }
  }
}
