import Domain

/// The numbers of kinds of objects, for SQL. They stand there as literals, because SQLite finds a partial index by a
/// literal only. A step of the schema that is released keeps the numbers that it was released with.
enum KindNumber {
  static let post = ObjectKind.post.row.number
  static let line = ObjectKind.line.row.number
  static let member = ObjectKind.member.row.number
  static let groupCategory = ObjectKind.groupCategory.row.number
}
