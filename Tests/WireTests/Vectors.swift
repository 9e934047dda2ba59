import Domain
import Foundation
import Testing

@testable import Wire

/// One row of a table in `protocol/vectors/messages`, which other implementations read too.
struct Vector: CustomTestStringConvertible, Sendable {
  let name: String
  let row: JSONNode

  var testDescription: String { name }

  /// The bytes of a member as they stand in the file: vectors are written without spaces.
  func bytes(_ member: String) throws -> [UInt8] { Array(try #require(row[member]).rawBytes) }

  func text(_ member: String) throws -> String { try #require(row[member]?.string) }
}

enum Vectors {
  static let protocolFolder = URL(filePath: #filePath).deletingLastPathComponent()
    .deletingLastPathComponent().deletingLastPathComponent().appending(path: "protocol")

  static let requests = table("requests")
  static let invalid = table("invalid")
  static let errors = table("errors")
  static let results = table("results")
  static let ops = table("ops")
  static let objects = table("objects")
  static let pushes = table("pushes")
  static let newer = table("newer")

  static func document(_ path: String) throws -> JSONDocument {
    let data = try Data(contentsOf: protocolFolder.appending(path: path))
    return try JSONDocument(Array(data), limits: JSONLimits(bytesMax: 1 << 24, depthMax: 64))
  }

  private static func table(_ name: String) -> [Vector] {
    do {
      let rows = try #require(try document("vectors/messages/\(name).json").root.elements)
      return try rows.map { Vector(name: try #require($0["name"]?.string), row: $0) }
    } catch {
      fatalError("protocol/vectors/messages/\(name).json cannot be read: \(error)")
    }
  }
}

/// The same value whatever the order of its members.
func sorted(_ node: JSONNode) -> String {
  if let members = node.members {
    let parts = members.map { "\($0.name.debugDescription):\(sorted($0.value))" }
    return "{" + parts.sorted().joined(separator: ",") + "}"
  }
  if let elements = node.elements {
    return "[" + elements.map(sorted).joined(separator: ",") + "]"
  }
  return node.string?.debugDescription ?? text(Array(node.rawBytes))
}

func sorted(_ bytes: [UInt8]) throws -> String { sorted(try JSONDocument(bytes).root) }

func text(_ bytes: [UInt8]) -> String { String(decoding: bytes, as: UTF8.self) }
