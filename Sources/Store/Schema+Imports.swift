// The step that lets posts be found by where they came from. Like those of Schema+Work.swift it is an index over the
// body itself: a row in it cannot say anything else than the post does. Since Schema+Traits.swift a bit beside the body
// says which posts are in it.
//
// post_imported  posts from another program, by its name and their id there (Domain/Model/Source.swift)

import Sync

extension Schema {
  static let imports =
    """
    CREATE INDEX post_imported ON object(stream, \(ImportSQL.source))
      WHERE \(ImportSQL.wasImported);
    """
}

/// The statement that uses this index. Its words are those of the index, letter by letter.
enum ImportSQL {
  /// The beginning of a source: its name and its id, which are first in it. They have 260 scalars at most, each written
  /// as two at most.
  fileprivate static let source =
    """
    substr(CAST(body AS TEXT), instr(CAST(body AS TEXT), '"source":{') + 10, 600)
    """
  /// The condition before Schema+Traits.swift.
  fileprivate static let wasImported = "kind = 6 AND instr(CAST(body AS TEXT), '\"source\":{') > 0"
  private static let isImported = "kind = 6 AND \(PostTraits.source.sql)"
  static let index =
    "CREATE INDEX post_imported ON object(stream, \(source)) WHERE \(isImported);"

  /// Finds the post of a source, between the beginning of the source and the same with the last of all characters
  /// behind it. A list may have several such posts, because one may come from a list that has it too. They are taken in
  /// this order: an open post, a completed one of the state, a completed one beyond it, a removed one, the rest of one
  /// that went away.
  static let importedPost =
    """
    SELECT id FROM object INDEXED BY post_imported
    WHERE stream = (SELECT number FROM stream WHERE name = ?1) AND \(isImported)
      AND \(source) >= ?2 AND \(source) < ?2 || char(1114111)
    ORDER BY in_state DESC, in_state = (rank IS NOT NULL), number IS NULL, number LIMIT 1
    """
}
