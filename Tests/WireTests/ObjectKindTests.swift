import Domain
import Testing

@testable import Wire

@Suite("each kind of object has a row, and objects behave as it says")
struct ObjectKindTests {
  /// The numbers as they are in databases, written down a second time.
  private static let numbers: [String: Int64] = [
    "category": 1, "group": 2, "profile": 3, "member": 4, "group_category": 5, "post": 6,
    "invitation": 7, "membership": 8, "read_mark": 9, "notification": 10, "invitation_code": 11,
    "tag": 12, "declines": 13, "block": 14, "personal": 15, "settings": 16, "reminder": 17,
    "filter": 20, "link": 30, "reactions": 31, "line": 32, "comments": 33,
  ]

  @Test("The number of a kind in the database never changes")
  func numbers() {
    let now = ObjectKind.allCases.map { ($0.rawValue, $0.row.number) }
    #expect(Dictionary(uniqueKeysWithValues: now) == Self.numbers)
    for kind in ObjectKind.allCases { #expect(ObjectKind(number: kind.row.number) == kind) }
    #expect(ObjectKind(number: 0) == nil)
  }

  @Test("the words of a post go when it is erased, and only those", arguments: ObjectKind.allCases)
  func posts(_ kind: ObjectKind) {
    let posts = samples(of: .post).map { PostID($0.key.id) }
    let erased = samples(of: kind).filter { object in
      posts.contains { object.without(.post($0)) != object }
    }
    #expect(erased.isEmpty != (kind.row.words == .ofPost))
  }

  @Test("the name of a person goes with the account, and only that", arguments: ObjectKind.allCases)
  func people(_ kind: ObjectKind) {
    let people = [ID.author, ID.editor]
    let forgotten = samples(of: kind).filter { object in
      people.contains { object.without(.person($0)) != object }
    }
    #expect(forgotten.isEmpty != (kind.row.words == .ofPerson))
  }

  @Test("a kind has a bound if its objects have ranks", arguments: ObjectKind.allCases)
  func bounds(_ kind: ObjectKind) {
    let isRanked = samples(of: kind).contains { $0.rank != nil }
    #expect(isRanked == (kind.row.bound != nil))
  }

  private func samples(of kind: ObjectKind) -> [Object] {
    Samples.objects.map(\.value).filter { $0.key.kind == kind }
  }
}
