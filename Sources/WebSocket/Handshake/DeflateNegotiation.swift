// permessage-deflate: the offers and the answers, RFC 7692 §7.1.
//
// Neither end keeps anything from one message to the next here: no connection owns a window, and a message that goes to
// many is compressed once.
//
//   parameter                    server, in an offer            client, in the answer
//   server_no_context_takeover   always answered                must be there: we offer it
//   client_no_context_takeover   always answered (§7.1.1.2)     may be there: we do so anyhow
//   server_max_window_bits=N     15: answered as 15             any: we take every window
//                                9–14: answered as 9
//                                8: the offer is declined
//   client_max_window_bits[=N]   any: not answered, for every   9–15: kept; 8: our messages are not
//                                window is taken                compressed, which §6.1 allows
//
// Every N of 9 to 14 is answered as 9. The answer may be lower than the offer (§7.1.2.1), it tells the client how small
// a window suffices, and a shared message has two compressed forms instead of seven. zlib cannot make 8 (it would use 9
// and lie).
//
// An offer is declined, and the next one looked at, for a parameter that is unknown, there twice, or has a value that
// it may not have (§7.1). When none is left there is no compression. A header that breaks the grammar fails the
// handshake (RFC 6455 §9.1). In the answer each of these faults fails it (§7.1), as does an extension that was not
// offered or is there twice.

package import Deflate

/// The agreement of both ends on compression. Without one no message is compressed.
package struct DeflateAgreement: Sendable, Hashable {
  /// The window that this end compresses with. Nil when it may not compress with the windows it has, and sends plain
  /// messages only. Compressed messages are taken in any case.
  package let sendWindow: DeflateWindow?

  package init(sendWindow: DeflateWindow?) { self.sendWindow = sendWindow }

  /// Chooses a window of at most so many bits. Nil means 15.
  fileprivate init(sendWindowBitsMax bits: Int?) {
    switch bits {
    case nil, 15: sendWindow = .bits15
    case 8: sendWindow = nil
    default: sendWindow = .bits9
    }
  }
}

/// One offer or answer with its parameters, each valid and there at most once.
struct DeflateParameters: Sendable, Hashable {
  static let extensionName = "permessage-deflate"

  var serverKeepsNoContext = false
  var clientKeepsNoContext = false
  var serverWindowBitsMax: Int?
  /// The bits of the parameter, or 15 if it has no value, which an offer may leave out. Nil if it is not there.
  var clientWindowBitsMax: Int?

  /// Reads the parameters. Nil for parameters that §7.1 does not allow there.
  init?(_ element: ExtensionElement, isOffer: Bool) {
    guard Set(element.parameters.map(\.name)).count == element.parameters.count else { return nil }
    for parameter in element.parameters {
      switch (parameter.name, parameter.value) {
      case ("server_no_context_takeover", nil): serverKeepsNoContext = true
      case ("client_no_context_takeover", nil): clientKeepsNoContext = true
      case ("client_max_window_bits", nil) where isOffer: clientWindowBitsMax = 15
      case ("server_max_window_bits", let value?):
        guard let bits = Self.windowBits(value) else { return nil }
        serverWindowBitsMax = bits
      case ("client_max_window_bits", let value?):
        guard let bits = Self.windowBits(value) else { return nil }
        clientWindowBitsMax = bits
      default: return nil
      }
    }
  }

  /// Reads the bits of a window: 8 to 15, without leading zeros (§7.1.2).
  private static func windowBits(_ value: String) -> Int? {
    switch value {
    case "8": 8
    case "9": 9
    case "10": 10
    case "11": 11
    case "12": 12
    case "13": 13
    case "14": 14
    case "15": 15
    default: nil
    }
  }
}

/// A server's answer to an offer.
struct DeflateAnswer: Sendable, Hashable {
  /// The bits that are answered. Nil if the client did not ask for them.
  private let serverWindowBits: Int?

  /// Answers the first offer that can be taken. Nil if there is none.
  init?(to offers: [ExtensionElement]) {
    for offer in offers where offer.name == DeflateParameters.extensionName {
      guard let asked = DeflateParameters(offer, isOffer: true), asked.serverWindowBitsMax != 8
      else { continue }
      serverWindowBits = asked.serverWindowBitsMax.map { $0 == 15 ? 15 : 9 }
      return
    }
    return nil
  }

  var agreement: DeflateAgreement { DeflateAgreement(sendWindowBitsMax: serverWindowBits) }

  /// The value of the field.
  var text: String {
    let bits = serverWindowBits.map { "; server_max_window_bits=\($0)" } ?? ""
    return "permessage-deflate; server_no_context_takeover; client_no_context_takeover" + bits
  }
}

/// A client's offer.
enum DeflateOffer {
  static let text =
    "permessage-deflate; server_no_context_takeover; client_no_context_takeover; "
    + "client_max_window_bits"

  /// Returns the agreement that a server's answer makes, to that offer or to none. Nil without compression.
  static func agreement(
    _ answer: HTTPFields, isOffered: Bool
  ) throws(HandshakeFault) -> DeflateAgreement? {
    guard let elements = ExtensionElement.all(in: answer) else { throw .malformed }
    guard let element = elements.first else { return nil }
    guard isOffered, elements.count == 1, element.name == DeflateParameters.extensionName else {
      throw .extensionNotOffered
    }
    guard let agreed = DeflateParameters(element, isOffer: false), agreed.serverKeepsNoContext
    else { throw .extensionParameterWrong }
    return DeflateAgreement(sendWindowBitsMax: agreed.clientWindowBitsMax)
  }
}
