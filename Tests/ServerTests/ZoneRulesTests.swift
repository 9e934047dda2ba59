import Foundation
import Testing

@testable import Server

@Suite("a machine says which time zones it has")
struct ZoneRulesTests {
  @Test("by the version that it says, else by its table, else not at all")
  func versions() throws {
    let folder = NSTemporaryDirectory() + "whattodo-zones-" + newID()
    try FileManager.default.createDirectory(
      atPath: folder, withIntermediateDirectories: true)
    defer { try? FileManager.default.removeItem(atPath: folder) }
    #expect(ZoneRules.version(in: folder) == nil)
    try Data("x".utf8).write(to: URL(fileURLWithPath: folder + "/zone.tab"))
    let table = try #require(ZoneRules.version(in: folder))
    #expect(table.hasPrefix("zone.tab of "))
    let rows: [(String, String)] = [
      ("# version 2025b\nR d 1916 o - Jun 14 23s 1 S\n", "2025b"), ("", table), ("\n", table),
      ("# version \u{1b}[2J\n", table),
    ]
    for (text, version) in rows {
      try Data(text.utf8).write(to: URL(fileURLWithPath: folder + "/tzdata.zi"))
      #expect(ZoneRules.version(in: folder) == version, "\(text)")
    }
  }
}
