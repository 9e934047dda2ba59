import Foundation

/// The vectors of `protocol/vectors/websocket`, read from the checkout that this file is in.
struct Vectors<Case: Decodable & Sendable>: Decodable, Sendable {
  let about: String
  let cases: [Case]

  static func load(_ name: String) -> [Case] {
    let folder = URL(filePath: #filePath).deletingLastPathComponent()
    let file = folder.appending(path: "../../protocol/vectors/websocket/\(name)")
    do {
      return try JSONDecoder().decode(Vectors.self, from: Data(contentsOf: file)).cases
    } catch {
      fatalError("\(file.path): \(error)")
    }
  }
}

/// Bytes in a vector: hexadecimal, or an array of hexadecimal strings and `{hex, times}`.
struct VectorBytes: Decodable, Sendable, Hashable {
  let bytes: [UInt8]

  private struct Part: Decodable {
    let bytes: [UInt8]

    private enum Key: CodingKey { case hex, times }

    init(from decoder: any Decoder) throws {
      guard let repeated = try? decoder.container(keyedBy: Key.self) else {
        bytes = try hexadecimal(decoder.singleValueContainer().decode(String.self))
        return
      }
      let unit = try hexadecimal(repeated.decode(String.self, forKey: .hex))
      let times = try repeated.decode(Int.self, forKey: .times)
      bytes = Array(repeatElement(unit, count: times).joined())
    }
  }

  init(from decoder: any Decoder) throws {
    let value = try decoder.singleValueContainer()
    if let text = try? value.decode(String.self) {
      bytes = try hexadecimal(text)
    } else {
      bytes = try value.decode([Part].self).flatMap(\.bytes)
    }
  }
}

struct NotHexadecimal: Error { let text: String }

func hexadecimal(_ text: String) throws -> [UInt8] {
  let digits = try text.map { character in
    guard let digit = character.hexDigitValue else { throw NotHexadecimal(text: text) }
    return UInt8(digit)
  }
  guard digits.count.isMultiple(of: 2) else { throw NotHexadecimal(text: text) }
  return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
}
