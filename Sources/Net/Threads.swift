import CLinux
import Glibc

/// A thread of plain synchronous code. SIGTERM and SIGINT never interrupt it: the kernel would
/// choose any thread that does not block them, and end the program there.
package struct Thread: Sendable {
  private let handle: pthread_t

  /// Starts a thread that owns everything the closure captured. The name (at most 15 bytes) is what
  /// `top -H` shows. Throws `.system(.threadCreate, …)`.
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

  /// On a busy machine the calling thread works when others of the process have nothing to do, and has a third of a
  /// processor that one of them would have. Where the kernel does not allow it nothing changes.
  package static func yieldToOthers() { _ = whattodo_yield_to_others(5) }

  /// Waits for the end; call once, from another thread.
  package func join() {
    let result = pthread_join(handle, nil)
    precondition(result == 0, "a thread is joined once, and not by itself")
  }

  /// Lets the thread end unobserved; call instead of `join`.
  package func detach() {
    let result = pthread_detach(handle)
    precondition(result == 0, "a thread is detached once")
  }
}

/// What the new thread takes over.
private final class Work {
  let name: String
  let body: () -> Void

  init(name: String, body: @escaping () -> Void) {
    self.name = name
    self.body = body
  }
}
