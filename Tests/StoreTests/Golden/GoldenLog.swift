import Domain
import Glibc
import Testing
import Wire

@testable import Store

/// The events of several streams as they are stored, in the order of their commits.
struct GoldenLog: CustomTestStringConvertible {
  struct Line {
    let stream: StreamID
    let seq: Int64
    let body: [UInt8]
  }

  /// The name of the file in this folder, or of a frozen database.
  let name: String
  var testDescription: String { name }

  /// The databases whose events differ from those of the version before.
  static let databases = [1, 6, 9].map { GoldenLog(name: "version-\($0)") }
  /// The databases and every file in this folder.
  static let all = databases + files

  private static let folder =
    "/" + #filePath.split(separator: "/").dropLast().joined(separator: "/")

  /// The logs of this folder. Sums without a log count, too, so that a lost log is missed.
  private static var files: [GoldenLog] {
    let stems = names(in: folder).compactMap { name in
      [".log", ".sums"].first(where: name.hasSuffix).map { String(name.dropLast($0.count)) }
    }
    return Set(stems).subtracting(databases.map(\.name)).sorted().map { GoldenLog(name: $0) }
  }

  func lines() throws -> [Line] {
    guard name.hasPrefix("version-") else { return try fileLines() }
    return try databaseLines(try #require(Int64(name.dropFirst("version-".count))))
  }

  /// Returns the lines. Each is a stream, a space and the body of its next event.
  private func fileLines() throws -> [Line] {
    var counts: [StreamID: Int64] = [:]
    return try readFile("\(Self.folder)/\(name).log").split(separator: 10).map { line in
      let text = String(decoding: line.prefix { $0 != 32 }, as: UTF8.self)
      let stream = try #require(StreamID(text), "\(name): no stream at the beginning of a line")
      counts[stream, default: 0] += 1
      let body = Array(line.dropFirst(text.utf8.count + 1))
      return Line(stream: stream, seq: counts[stream, default: 0], body: body)
    }
  }

  private func databaseLines(_ version: Int64) throws -> [Line] {
    let frozen = try frozen(version)
    let database = try Database(
      path: frozen.data.databasePath, access: .readOnly,
      sumsPages: version >= Schema.versionWithPageSums)
    let names = try database.prepare("SELECT number, hex(name) FROM stream").rows {
      (row) throws(DatabaseError) in (row.int64(0), row.text(1))
    }
    let streams = try Dictionary(uniqueKeysWithValues: names.map { ($0, try stream($1)) })
    return try database.prepare("SELECT place, hex(body) FROM event ORDER BY tx, place").rows {
      (row) throws(DatabaseError) in (row.int64(0), row.text(1))
    }.map { place, body in
      Line(
        stream: try #require(streams[place >> 32]), seq: place & 0xFFFF_FFFF,
        body: try bytes(body))
    }
  }

  private func stream(_ hex: String) throws -> StreamID {
    let name = try bytes(hex)
    let uuid = try #require(UUID(bytes: Array(name.dropFirst())))
    return try #require(StreamID(letter: name[0], uuid: uuid))
  }

  private func bytes(_ hex: String) throws -> [UInt8] {
    let digits = try hex.map { UInt8(try #require($0.hexDigitValue)) }
    return stride(from: 0, to: digits.count, by: 2).map { digits[$0] << 4 | digits[$0 + 1] }
  }

  // MARK: The golden file

  private var sumsPath: String { "\(Self.folder)/\(name).sums" }

  /// Returns the sums; none when there is no such file yet.
  func sums() throws -> [String] {
    guard access(sumsPath, R_OK) == 0 else { return [] }
    return try readFile(sumsPath).split(separator: 10).map { String(decoding: $0, as: UTF8.self) }
  }

  func write(_ sums: [String]) throws {
    try writeFile(sumsPath, Array((sums.joined(separator: "\n") + "\n").utf8))
  }
}
