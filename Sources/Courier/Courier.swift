// Sends requests to addresses that strangers chose. libcurl's multi interface moves all of them on one thread
// (curl.se/libcurl/c/libcurl-multi.html), and only the names of hosts are looked up on threads of its own.
//
// These must stay true:
//
// - Every letter that is sent comes back from `wait` exactly once. It is in one place: in `line` until its turn, in
//   `moving` while libcurl has it, in `ended` until the next `wait`.
// - `moving` holds a parcel for as long as its easy handle is in the multi handle (`Parcel` says why).
// - A new connection's address is judged when its socket is opened. A connection that is used again was judged then.
//
// No limit bounds the letters in flight: the caller knows how many there may be. A letter on its way has up to four
// descriptors (a socket for each IP version, two for the name) and 26 KB, with TLS more. One in line has 6 KB. Its body
// is held besides.

import CCurl
import Glibc

/// Sends letters. It belongs to one thread.
package final class Courier {
  /// The connections that stay open for the next letter, those in use among them.
  private static let connectionsMax = 32
  /// libcurl's code for its setup, which happens once in a process.
  private static let setup = curl_global_init(Int(CURL_GLOBAL_DEFAULT)).rawValue

  private let options: CourierOptions
  private let multi: UnsafeMutableRawPointer
  private var line = WaitingLine()
  /// The letters that libcurl has, by their easy handle.
  private var moving: [UnsafeMutableRawPointer: Parcel] = [:]
  private var ended: [Delivered] = []

  /// Makes a courier without connections. The limits in `options` must be positive.
  package init(_ options: CourierOptions) throws(CourierError) {
    precondition(
      options.connectMilliseconds > 0 && options.totalMilliseconds > 0
        && options.answerBytesMax >= 0, "a letter has some time")
    guard Courier.setup == CURLE_OK.rawValue else { throw .library(code: Int(Courier.setup)) }
    if let file = options.authorities ?? Courier.systemAuthorities, access(file, R_OK) != 0 {
      throw .unreadableAuthorities(file, errno: errno)
    }
    guard let multi = curl_multi_init() else { throw .noMemory }
    let code = whattodo_curl_multi_set_number(multi, CURLMOPT_MAXCONNECTS, Courier.connectionsMax)
    guard code == CURLM_OK else {
      curl_multi_cleanup(multi)
      throw .setting(code: Int(code.rawValue))
    }
    self.options = options
    self.multi = multi
  }

  deinit {
    for parcel in moving.values { remove(parcel) }
    moving = [:]
    let code = curl_multi_cleanup(multi)
    precondition(code == CURLM_OK, "a multi handle is cleaned up once, without easy handles")
  }

  /// The number of letters that were sent and have not come back.
  package var inFlight: Int { line.count + moving.count + ended.count }

  /// Takes a letter. It moves in `wait`, and comes back from there. It may arrive twice: a host that takes it on a
  /// connection which an earlier letter used, and closes without an answer, gets it again at once.
  package func send(_ letter: Letter) {
    let now = Courier.now()
    do throws(CourierFailure) {
      let parcel = try Parcel(letter, options, sentAt: now)
      if line.enter(parcel) { begin(parcel, at: now) }
    } catch {
      ended.append(Delivered(id: letter.id, outcome: .failed(error), milliseconds: 0))
    }
  }

  /// Moves everything on, and returns what has ended. Blocks until something ended, `descriptor` is readable (or has
  /// lost its other end), or the time is over. A negative descriptor is none.
  package func wait(milliseconds: Int, orReadable descriptor: Int32) -> [Delivered] {
    let end = Courier.now() + milliseconds
    var isReadable = false
    while true {
      move()
      let now = Courier.now()
      if !ended.isEmpty || now >= end || isReadable {
        defer { ended = [] }
        return ended
      }
      isReadable = pause(
        milliseconds: min(end, line.deadline ?? end) - now, orReadable: descriptor)
    }
  }

  /// The file with the authorities that the system trusts. Debian's libcurl was built to use it.
  private static var systemAuthorities: String? {
    curl_version_info(CURLVERSION_SEVENTH)?.pointee.cainfo.map { String(cString: $0) }
  }

  /// Lets libcurl do what can be done at once, and takes what has ended.
  private func move() {
    var count: Int32 = 0
    let code = curl_multi_perform(multi, &count)
    guard code == CURLM_OK else { return endAll(CourierFailure(code)) }
    var done: [Parcel] = []
    while let message = curl_multi_info_read(multi, &count) {
      guard message.pointee.msg == CURLMSG_DONE, let raw = message.pointee.easy_handle,
        let parcel = moving.removeValue(forKey: raw)
      else { preconditionFailure("libcurl tells once of each letter that it has") }
      // The message goes with the removal.
      let result = message.pointee.data.result
      remove(parcel)
      end(parcel, parcel.outcome(result))
      done.append(parcel)
    }
    let now = Courier.now()
    for parcel in line.takeOverdue(at: now) { end(parcel, .failed(.notTried)) }
    if !done.isEmpty { leave(done, at: now) }
  }

  /// Waits for libcurl's sockets and times, and for the descriptor. Returns whether the descriptor is readable, or has
  /// lost its other end. When libcurl cannot wait, it is looked at as if it were.
  private func pause(milliseconds: Int, orReadable descriptor: Int32) -> Bool {
    var other = curl_waitfd(fd: descriptor, events: Int16(CURL_WAIT_POLLIN), revents: 0)
    let code = curl_multi_poll(multi, &other, 1, Int32(clamping: max(0, milliseconds)), nil)
    guard code == CURLM_OK else {
      endAll(CourierFailure(code))
      return true
    }
    return other.revents != 0
  }

  /// Hands a letter whose turn has come to libcurl.
  private func begin(_ parcel: Parcel, at now: Int) {
    do throws(CourierFailure) {
      try parcel.begin(at: now)
      let code = curl_multi_add_handle(multi, parcel.raw)
      guard code == CURLM_OK else { throw CourierFailure(code) }
      moving[parcel.raw] = parcel
    } catch {
      end(parcel, .failed(error))
      leave([parcel], at: now)
    }
  }

  private func leave(_ parcels: [Parcel], at now: Int) {
    for parcel in line.leave(parcels) { begin(parcel, at: now) }
  }

  private func end(_ parcel: Parcel, _ outcome: Outcome) {
    ended.append(
      Delivered(
        id: parcel.id, outcome: outcome, milliseconds: max(0, Courier.now() - parcel.sentAt)))
  }

  /// Ends the letters on their way when the multi handle itself fails, as it does without memory.
  private func endAll(_ failure: CourierFailure) {
    let parcels = moving.values.sorted { ($0.sentAt, $0.id) < ($1.sentAt, $1.id) }
    moving = [:]
    for parcel in parcels {
      remove(parcel)
      end(parcel, .failed(failure))
    }
    leave(parcels, at: Courier.now())
  }

  private func remove(_ parcel: Parcel) {
    let code = curl_multi_remove_handle(multi, parcel.raw)
    precondition(code == CURLM_OK, "a letter on its way is in the multi handle")
  }

  /// The milliseconds of a clock that nobody sets.
  private static func now() -> Int {
    var time = timespec()
    let result = clock_gettime(CLOCK_MONOTONIC, &time)
    precondition(result == 0, "Linux has this clock")
    return 1_000 * time.tv_sec + time.tv_nsec / 1_000_000
  }
}
