// A lock for tests. It is a pthread mutex because ThreadSanitizer does not see the order that `Synchronization.Mutex`
// makes.

import Glibc

/// A value that several threads share.
///
/// `@unchecked Sendable`: the value is touched only by `locked`, which holds the lock.
final class Guarded<Value: Sendable>: @unchecked Sendable {
  private let lock = UnsafeMutablePointer<pthread_mutex_t>.allocate(capacity: 1)
  private var value: Value

  init(_ value: Value) {
    self.value = value
    lock.initialize(to: pthread_mutex_t())
    let result = pthread_mutex_init(lock, nil)
    precondition(result == 0, "a plain mutex needs nothing that could be missing")
  }

  deinit {
    pthread_mutex_destroy(lock)
    lock.deallocate()
  }

  func locked<Result>(_ body: (inout Value) -> Result) -> Result {
    let entered = pthread_mutex_lock(lock)
    precondition(entered == 0, "the lock is never taken twice")
    defer { pthread_mutex_unlock(lock) }
    return body(&value)
  }
}

/// A thread of a test, which somebody must join.
struct TestThread: Sendable {
  private let handle: pthread_t

  init(_ body: @escaping @Sendable () -> Void) {
    var handle = pthread_t()
    let work = Unmanaged.passRetained(Work(body))
    let result = pthread_create(
      &handle, nil,
      { data in
        guard let data else { return nil }
        Unmanaged<Work>.fromOpaque(data).takeRetainedValue().body()
        return nil
      }, work.toOpaque())
    precondition(result == 0, "a test may start threads")
    self.handle = handle
  }

  func join() {
    let result = pthread_join(handle, nil)
    precondition(result == 0, "a thread is joined once")
  }

  private final class Work {
    let body: @Sendable () -> Void
    init(_ body: @escaping @Sendable () -> Void) { self.body = body }
  }
}
