// The address of a letter is parsed once, by libcurl's own parser (curl.se/libcurl/c/curl_url_set.html). The parsed
// form is the one that is used, so nothing can be read in one way here and in another way there.

import CCurl

/// A parsed http or https URL.
struct LetterAddress: ~Copyable {
  /// The parsed URL (CURLU). It lives as long as this.
  let raw: OpaquePointer
  /// The scheme, the host and the port: letters with the same ones share connections.
  let host: String

  /// Parses. Throws `badAddress` for everything but an http or https URL in ASCII without credentials.
  init(_ text: String) throws(CourierFailure) {
    // A zero byte would end the text early in C. libidn would read other letters by the locale of the process.
    guard text.utf8.allSatisfy({ $0 > 0x20 && $0 < 0x7F }) else { throw .badAddress }
    guard let raw = curl_url() else { throw .other(code: Int(CURLE_OUT_OF_MEMORY.rawValue)) }
    guard curl_url_set(raw, CURLUPART_URL, text, UInt32(CURLU_DISALLOW_USER)) == CURLUE_OK,
      let scheme = LetterAddress.part(CURLUPART_SCHEME, of: raw),
      scheme == "http" || scheme == "https",
      // libcurl would take one slash or three too, and see a host where others see none.
      text.utf8.dropFirst(scheme.utf8.count).starts(with: "://".utf8),
      !text.utf8.dropFirst(scheme.utf8.count).starts(with: ":///".utf8),
      let host = LetterAddress.part(CURLUPART_HOST, of: raw), !host.isEmpty,
      let port = LetterAddress.part(CURLUPART_PORT, of: raw)
    else {
      curl_url_cleanup(raw)
      throw .badAddress
    }
    self.raw = raw
    self.host = "\(scheme)://\(host.lowercased()):\(port)"
  }

  deinit {
    curl_url_cleanup(raw)
  }

  /// Returns a part of the URL, the scheme's port when it names none. Nil when it has no such part.
  private static func part(_ part: CURLUPart, of raw: OpaquePointer) -> String? {
    var text: UnsafeMutablePointer<CChar>?
    guard curl_url_get(raw, part, &text, UInt32(CURLU_DEFAULT_PORT)) == CURLUE_OK, let text else {
      return nil
    }
    defer { curl_free(text) }
    return String(cString: text)
  }
}
