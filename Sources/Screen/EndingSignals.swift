import CCurses
import Glibc

/// Holds back the signals that end a program while the terminal is in another mode than before. The signals are not
/// consumed: once released, they do what they would have done, or reach whoever watches for them.
struct EndingSignals {
  private var before = sigset_t()
  /// A descriptor that is readable when a signal is there. It is -1 when the system had none left; then signals take
  /// effect after the next key.
  private let descriptor: Int32

  init() {
    var set = sigset_t()
    sigemptyset(&set)
    for number in Terminal.endingSignals { sigaddset(&set, number) }
    let failed = pthread_sigmask(SIG_BLOCK, &set, &before)
    precondition(failed == 0, "the set is valid")
    descriptor = signalfd(-1, &set, Int32(SFD_NONBLOCK | SFD_CLOEXEC))
  }

  /// Waits for input. Returns true when standard input can be read, and false when a signal came.
  func waitForInput() -> Bool {
    var watched = [0, descriptor].map { pollfd(fd: $0, events: Int16(POLLIN), revents: 0) }
    while poll(&watched, nfds_t(watched.count), -1) < 0 {
      if errno != EINTR { return false }
    }
    return watched[1].revents == 0
  }

  func release() {
    if descriptor >= 0 { close(descriptor) }
    var set = before
    let failed = pthread_sigmask(SIG_SETMASK, &set, nil)
    precondition(failed == 0, "the set is valid")
  }
}
