// Locks live here and nowhere else. These must stay true:
//
// - The thread that finds the inbox empty writes the eventfd, so a batch costs one write.
// - The taker clears the eventfd BEFORE it empties the inbox. The other way round, a message posted
//   in between would have its wake-up erased and would lie there until the next one.
// - `inbox` is touched only inside `locked`, which holds the lock. That is the whole proof behind
//   `@unchecked Sendable`: everything else here is immutable.
//
// The lock is a pthread mutex and not `Synchronization.Mutex`: ThreadSanitizer does not see the order that the latter
// makes when threads meet in it. It would report everything that one thread hands to another through a mailbox as a
// race.

import CLinux
import Glibc

/// The one way from thread to thread: any thread posts, one thread takes.
///
/// It is a locked inbox and an eventfd. A loop watches the eventfd (`Loop.attach`); a thread without a loop calls
/// `wait`. The eventfd is closed when the last reference goes.
package final class Mailbox<Message: Sendable>: @unchecked Sendable {
  /// Readable while there may be messages, for a thread that waits for other things besides.
  package let descriptor: Int32
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var inbox: [Message] = []

  /// Makes the eventfd; throws `.system(.eventfd, …)`.
  package init() throws(NetError) {
    descriptor = try checked(whattodo_eventfd(), .eventfd)
    lock.initialize(to: pthread_mutex_t())
    let result = pthread_mutex_init(lock, nil)
    precondition(result == 0, "a plain mutex needs nothing that could be missing")
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deinitialize(count: 1)
    lock.deallocate()
    whattodo_close(descriptor)
  }

  /// Adds a message; never blocks for longer than the lock is held.
  package func post(_ message: Message) {
    let wasEmpty = locked { inbox in
      inbox.append(message)
      return inbox.count == 1
    }
    if wasEmpty { whattodo_wake(descriptor) }
  }

  /// Adds a message, unless `max` wait already. Then `full` changes the newest of those instead, so that it can tell
  /// what was left out. `full` runs with the lock held: a few instructions, no other call.
  package func post(_ message: Message, max: Int, full: (inout Message) -> Void) {
    let wasEmpty = locked { inbox in
      guard inbox.count < max else {
        full(&inbox[inbox.count - 1])
        return false
      }
      inbox.append(message)
      return inbox.count == 1
    }
    if wasEmpty { whattodo_wake(descriptor) }
  }

  /// Adds messages in order, as one batch.
  package func post(contentsOf messages: [Message]) {
    guard !messages.isEmpty else { return }
    let wasEmpty = locked { inbox in
      inbox.append(contentsOf: messages)
      return inbox.count == messages.count
    }
    if wasEmpty { whattodo_wake(descriptor) }
  }

  /// Takes everything that has arrived, in order; empty when nothing has. Only one thread may call it.
  package func take() -> [Message] {
    whattodo_clear(descriptor)
    return locked { inbox in
      let messages = inbox
      inbox = []
      return messages
    }
  }

  /// The number of messages that have not been taken. Any thread may ask, for metrics.
  package var count: Int { locked { $0.count } }

  /// Blocks until something has arrived, or until the time is over; then it returns nothing. With nil it waits without
  /// end.
  package func wait(milliseconds: Int? = nil) -> [Message] {
    let deadline = milliseconds.map { MachineClock.monotonic() + Int64($0) }
    while true {
      let messages = take()
      if !messages.isEmpty { return messages }
      let left = deadline.map { $0 - MachineClock.monotonic() }
      if let left, left <= 0 { return [] }
      _ = whattodo_wait_readable(descriptor, left.map { Int32(clamping: $0) } ?? -1)
    }
  }

  private func locked<Result>(_ body: (inout [Message]) -> Result) -> Result {
    let entered = pthread_mutex_lock(lock)
    precondition(entered == 0, "the lock is held for a few instructions, never twice")
    defer { pthread_mutex_unlock(lock) }
    return body(&inbox)
  }
}
