import Domain
import Foundation
import Testing

@testable import Wire

// The rows are in `protocol/vectors/levels.json`. `Tests/Protocol/levels.py` makes them by the text of the page, and
// this rule is the server's.

@Suite("protocol §5.16 levels")
struct LevelVectorTests {
  private struct Row {
    let name: String
    let levels: NotificationLevels
    let notification: Domain.Notification
    let group: StreamID?
    let members: Int
    let concerns: Bool
    let isTold: Bool
  }

  private static func rows() throws -> [Row] {
    let file = try Data(contentsOf: Vectors.protocolFolder.appending(path: "vectors/levels.json"))
    let rows = try #require(try JSONSerialization.jsonObject(with: file) as? [[String: Any]])
    return try rows.map(row)
  }

  private static func row(_ row: [String: Any]) throws -> Row {
    let owner = UserID(UUID(high: 1, low: 1))
    let settings = try decode(
      ["t": "settings", "id": "\(owner)", "levels": try #require(row["levels"])])
    guard case .settings(let chosen) = try ObjectCodec.decode(settings) else {
      throw WireError.malformed("levels")
    }
    let news = try decode([
      "lists": [], "directed": [try #require(row["notification"])],
      "today": ["done": 0, "of": 0],
    ])
    let result = try NotificationsResult(decoding: JSONDocument(news).root)
    let now = try #require(row["now"] as? Int64)
    return Row(
      name: try #require(row["name"] as? String),
      levels: NotificationLevels(chosen, at: Timestamp(milliseconds: now)),
      notification: try #require(result.directed.first),
      group: try (row["group"] as? String).map { try #require(StreamID($0)) },
      members: try #require(row["members"] as? Int),
      concerns: try #require(row["concerns"] as? Bool),
      isTold: try #require(row["told"] as? Bool))
  }

  private static func decode(_ object: [String: Any]) throws -> [UInt8] {
    [UInt8](try JSONSerialization.data(withJSONObject: object, options: .withoutEscapingSlashes))
  }

  @Test("Each row is told or not, as the file says")
  func rows() throws {
    let rows = try Self.rows()
    for row in rows {
      let isTold = row.levels.tells(row.notification, in: row.group, members: row.members) { _ in
        row.concerns
      }
      #expect(isTold == row.isTold, "\(row.name)")
    }
    #expect(Set(rows.map(\.name)).count == rows.count && rows.count > 200)
  }

  @Test("The rows tell all of a place with ten members, and only some of one with eleven")
  func sizes() throws {
    let rows = try Self.rows().filter { $0.levels.isEmpty && $0.notification.kind == .added }
    #expect(rows.contains { $0.members == NotificationLevel.membersToldAll && $0.isTold })
    #expect(rows.contains { $0.members == NotificationLevel.membersToldAll + 1 && !$0.isTold })
  }

  private static let asked: Set = [
    "invited", "removed_from", "role_changed", "reminder", "planned", "snoozed", "digest",
    "webhook_paused",
  ]

  @Test("Every kind of notification has a row that is told and one that is not, or is always told")
  func kinds() throws {
    let rows = try Self.rows()
    for kind in Domain.Notification.Kind.allCases {
      let told = Set(rows.filter { $0.notification.kind == kind }.map(\.isTold))
      let isAsked = Self.asked.contains(kind.rawValue)
      #expect(told == (isAsked ? [true] : [true, false]), "\(kind)")
    }
  }
}
