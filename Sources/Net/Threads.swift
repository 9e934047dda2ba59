import CLinux
import Glibc

/// A thread of plain synchronous code. SIGTERM and SIGINT never interrupt it: the kernel would choose any thread that
/// does not block them, and end the program there.
package struct Thread: Sendable {
  private let handle: pthread_t

  /// Starts a thread that owns everything the closure captured. `top -H` shows the name (at most 15 bytes). Throws
  /// `.system(.threadCreate, …)`.
  package static func start(
    name: String, _ body: sending @escaping () -> Void
  ) throws(NetError) -> Thread {
    let work = Unmanaged.passRetained(Work(name: name, body: body))
    var handle = pthread_t()
    let result = whattodo_start_thread(
      &handle,
      { pointer in
        guard let pointer else { return nil }
        let work = Unmanaged<Work>.fromOpaque(pointer).takeRetainedValue()
        whattodo_name_thread(work.name)
        work.body()
        return nil
      }, work.toOpaque())
    guard result == 0 else {
      work.release()
      throw .system(.threadCreate, errno: -result)
    }
    return Thread(handle: handle)
  }

  /// Lets others of the process go first. On a busy machine the calling thread then works when they have nothing to do,
  /// and otherwise has a third of the processor time that one of them has. Where the kernel does not allow it nothing
  /// changes.
  package static func yieldToOthers() { _ = whattodo_yield_to_others(5) }

  /// Waits for the end. Call it once, from another thread.
  package func join() {
    let result = pthread_join(handle, nil)
    precondition(result == 0, "a thread is joined once, and not by itself")
  }

  /// Lets the thread end unobserved. Call it instead of `join`.
  package func detach() {
    let result = pthread_detach(handle)
    precondition(result == 0, "a thread is detached once")
  }
}

/// The name and the closure that the new thread takes over.
private final class Work {
  let name: String
  let body: () -> Void

  init(name: String, body: @escaping () -> Void) {
    self.name = name
    self.body = body
  }
}
