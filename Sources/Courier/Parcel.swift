// One letter with all that libcurl keeps of it. libcurl gets a pointer to the parcel, not a reference. It calls only
// from within curl_multi_perform, and only for an easy handle that is in the multi handle. The courier holds the parcel
// for all that time (`Courier.moving`), and the easy handle ends with the parcel. So no call comes after the parcel's
// end.

import CCurl
import Glibc

/// A letter on its way. It belongs to the courier's thread.
final class Parcel {
  /// The bytes of an answer, header and all, that are taken beyond those of the body that are kept. A host that goes on
  /// is cut off.
  static let answerBytesExtra = 64 * 1_024

  let id: UInt64
  let sentAt: Int
  /// The time at which it is over, by the clock of `sentAt`.
  let deadline: Int
  /// The scheme, the host and the port.
  var host: String { address.host }
  /// The easy handle.
  let raw: UnsafeMutableRawPointer

  private let address: LetterAddress
  private let options: CourierOptions
  /// The lines of the header (curl_slist), which libcurl does not copy.
  private var header: UnsafeMutablePointer<curl_slist>?
  /// The first bytes of the answer's body.
  private var answer: [UInt8] = []
  private var answerBytes = 0
  /// The answer was cut off because it is too long.
  private var isCut = false
  /// The first address that was refused.
  private var refused: String?
  /// An address was good enough to try.
  private var isTried = false

  /// Makes all ready. Throws `badAddress`, and `other` for a malformed header or without memory.
  init(_ letter: Letter, _ options: CourierOptions, sentAt: Int) throws(CourierFailure) {
    address = try LetterAddress(letter.address)
    guard let lines = letter.headerLines else { throw .init(CURLE_BAD_FUNCTION_ARGUMENT) }
    guard let raw = curl_easy_init() else { throw .other(code: Int(CURLE_OUT_OF_MEMORY.rawValue)) }
    self.raw = raw
    self.options = options
    self.sentAt = sentAt
    id = letter.id
    deadline = sentAt + options.totalMilliseconds
    try setRequest(letter, lines)
    try setRules()
    try setTrust()
    try setReceivers()
  }

  deinit {
    curl_easy_cleanup(raw)
    curl_slist_free_all(header)
  }

  /// Lets the time run, with what is left of it at `now`.
  func begin(at now: Int) throws(CourierFailure) {
    // Zero would be no limit.
    try set(CURLOPT_TIMEOUT_MS, max(1, deadline - now))
  }

  /// Says how the letter ended; libcurl has ended it with this code.
  func outcome(_ code: CURLcode) -> Outcome {
    if code == CURLE_OK || isCut, let status, status >= 200 {
      return .answered(Reply(status: status, retryAfterSeconds: retryAfterSeconds, body: answer))
    }
    if code == CURLE_OK || isCut { return .failed(.brokenAnswer) }
    if let refused, !isTried { return .failed(.forbiddenAddress(refused)) }
    return .failed(CourierFailure(code))
  }

  private var status: Int? {
    var status = 0
    let code = whattodo_curl_get_number(raw, CURLINFO_RESPONSE_CODE, &status)
    return code == CURLE_OK ? status : nil
  }

  /// The field of the answer itself: not of one before it (1xx), not of a trailer. CURLINFO_RETRY_AFTER would turn a
  /// date into seconds by this machine's clock.
  private var retryAfterSeconds: Int? {
    var field: UnsafeMutablePointer<curl_header>?
    guard
      curl_easy_header(raw, "Retry-After", 0, UInt32(CURLH_HEADER), -1, &field) == CURLHE_OK,
      let value = field?.pointee.value
    else { return nil }
    return Reply.retryAfterSeconds(String(cString: value))
  }
}

// The orders that libcurl gets.
extension Parcel {
  private func setRequest(_ letter: Letter, _ lines: [String]) throws(CourierFailure) {
    try need(whattodo_curl_set_pointer(raw, CURLOPT_CURLU, UnsafeRawPointer(address.raw)))
    try set(CURLOPT_POST, 1)
    try need(whattodo_curl_set_size(raw, CURLOPT_POSTFIELDSIZE_LARGE, letter.body.count))
    try need(
      letter.body.withUnsafeBytes { bytes in
        // An empty array has no address, which would be no body at all.
        bytes.isEmpty
          ? whattodo_curl_set_text(raw, CURLOPT_COPYPOSTFIELDS, "")
          : whattodo_curl_set_pointer(raw, CURLOPT_COPYPOSTFIELDS, bytes.baseAddress)
      })
    // Without the empty field, libcurl asks with "Expect: 100-continue" before it sends a long body, and waits.
    for line in lines + ["Expect:"] {
      guard let longer = curl_slist_append(header, line) else {
        throw .other(code: Int(CURLE_OUT_OF_MEMORY.rawValue))
      }
      header = longer
    }
    try need(whattodo_curl_set_pointer(raw, CURLOPT_HTTPHEADER, header))
  }

  private func setRules() throws(CourierFailure) {
    try need(whattodo_curl_set_text(raw, CURLOPT_PROTOCOLS_STR, "http,https"))
    try set(CURLOPT_HTTP_VERSION, CURL_HTTP_VERSION_1_1)
    try set(CURLOPT_FOLLOWLOCATION, 0)
    // The empty text keeps libcurl from those that the environment names.
    try need(whattodo_curl_set_text(raw, CURLOPT_PROXY, ""))
    try set(CURLOPT_NETRC, Int(CURL_NETRC_IGNORED.rawValue))
    // Signals belong to the whole process, and this is one thread of it.
    try set(CURLOPT_NOSIGNAL, 1)
    // A thread of libcurl's own asks for the host's name. When the time is over, it is left to end by itself: without
    // this the courier would stand still until then.
    try set(CURLOPT_QUICK_EXIT, 1)
    try set(CURLOPT_CONNECTTIMEOUT_MS, options.connectMilliseconds)
  }

  private func setTrust() throws(CourierFailure) {
    try set(CURLOPT_SSL_VERIFYPEER, 1)
    try set(CURLOPT_SSL_VERIFYHOST, 2)
    try set(CURLOPT_SSLVERSION, CURL_SSLVERSION_TLSv1_2)
    // Debian's libcurl trusts a file and a folder with the same authorities. Without the folder, it keeps what it has
    // read of the file for a day (CURLOPT_CA_CACHE_TIMEOUT); with it, it reads all for each connection.
    try need(whattodo_curl_set_text(raw, CURLOPT_CAPATH, nil))
    guard let authorities = options.authorities else { return }
    try need(whattodo_curl_set_text(raw, CURLOPT_CAINFO, authorities))
  }

  private func setReceivers() throws(CourierFailure) {
    let parcel = UnsafeRawPointer(Unmanaged.passUnretained(self).toOpaque())
    try need(whattodo_curl_set_receiver(raw, CURLOPT_WRITEFUNCTION, takeBody))
    try need(whattodo_curl_set_pointer(raw, CURLOPT_WRITEDATA, parcel))
    try need(whattodo_curl_set_receiver(raw, CURLOPT_HEADERFUNCTION, takeHeader))
    try need(whattodo_curl_set_pointer(raw, CURLOPT_HEADERDATA, parcel))
    try need(whattodo_curl_set_socket_opener(raw, openSocket))
    try need(whattodo_curl_set_pointer(raw, CURLOPT_OPENSOCKETDATA, parcel))
  }

  private func set(_ option: CURLoption, _ value: Int) throws(CourierFailure) {
    try need(whattodo_curl_set_number(raw, option, value))
  }

  private func need(_ code: CURLcode) throws(CourierFailure) {
    guard code == CURLE_OK else { throw .other(code: Int(code.rawValue)) }
  }
}

// The calls that libcurl makes.
extension Parcel {
  /// Counts bytes of the answer. False when they are too many: then the transfer ends.
  fileprivate func count(_ bytes: Int) -> Bool {
    answerBytes += bytes
    isCut = answerBytes > options.answerBytesMax + Parcel.answerBytesExtra
    return !isCut
  }

  fileprivate func keep(_ bytes: UnsafeRawBufferPointer) {
    answer += bytes.prefix(max(0, options.answerBytesMax - answer.count))
  }

  /// Answers whether the address is public and not one of this machine's own. Otherwise it notes why there is no
  /// socket.
  private func isOutside(_ address: SocketAddress) -> Bool {
    guard address.isPublic else {
      refused = refused ?? address.text
      return false
    }
    // Without an answer of the kernel no address is safe. It counts as one that accepts no connection.
    guard let own = OwnAddresses.current() else { return false }
    guard !own.holds(address) else {
      refused = refused ?? address.text
      return false
    }
    return true
  }

  /// Opens a socket for this address. CURL_SOCKET_BAD when the address is refused, or the kernel has no socket to give.
  fileprivate func open(_ raw: UnsafeMutablePointer<curl_sockaddr>) -> curl_socket_t {
    let address = SocketAddress(raw)
    guard address.isInternet else {
      refused = refused ?? address.text
      return CURL_SOCKET_BAD
    }
    guard options.reachesPrivateAddresses || isOutside(address) else { return CURL_SOCKET_BAD }
    isTried = true
    // No program that the server starts inherits the connection.
    let type = raw.pointee.socktype | Int32(SOCK_CLOEXEC.rawValue)
    return socket(raw.pointee.family, type, raw.pointee.protocol)
  }
}

/// Takes a part of the body. Anything but the whole size ends the transfer.
private let takeBody: curl_write_callback = { bytes, size, count, data in
  guard let parcel = parcel(data) else { return 0 }
  guard parcel.count(size * count) else { return Int(CURL_WRITEFUNC_ERROR) }
  parcel.keep(UnsafeRawBufferPointer(start: bytes, count: size * count))
  return size * count
}

/// Takes one line of the header.
private let takeHeader: curl_write_callback = { _, size, count, data in
  guard let parcel = parcel(data), parcel.count(size * count) else {
    return Int(CURL_WRITEFUNC_ERROR)
  }
  return size * count
}

/// Opens the socket of a new connection, or refuses its address.
private let openSocket: curl_opensocket_callback = { data, _, address in
  guard let parcel = parcel(data), let address else { return CURL_SOCKET_BAD }
  return parcel.open(address)
}

private func parcel(_ data: UnsafeMutableRawPointer?) -> Parcel? {
  data.map { Unmanaged<Parcel>.fromOpaque($0).takeUnretainedValue() }
}
