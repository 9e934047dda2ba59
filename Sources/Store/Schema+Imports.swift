// The step that made posts be found by where they came from. As those of Schema+Work.swift it is an index over the body
// itself: a row in it cannot say anything else than the post does, and a post without a source costs a look for one
// short word.
//
// post_imported  what came from another program, by the name of that and its id there (Domain/Model/Source.swift)

extension Schema {
  static let imports =
    """
    CREATE INDEX post_imported ON object(stream, \(ImportSQL.source)) WHERE \(ImportSQL.isImported);
    """
}

/// The statement that looks into this index; the words are those of the index, letter by letter.
enum ImportSQL {
  /// Begins with its name and its id, which are first in it: 260 scalars, each written as two at most.
  fileprivate static let source =
    """
    substr(CAST(body AS TEXT), instr(CAST(body AS TEXT), '"source":{') + 10, 600)
    """
  fileprivate static let isImported = "kind = 6 AND instr(CAST(body AS TEXT), '\"source\":{') > 0"

  /// Of several (a post may come from a list that has it too) the one that is most here: an open one, a completed one
  /// of the state, a completed one beyond it, a removed one, what is left of one that went away. Between the
  /// beginning of a source and the same with the last of all characters behind it.
  static let importedPost =
    """
    SELECT id FROM object INDEXED BY post_imported
    WHERE stream = (SELECT number FROM stream WHERE name = ?1) AND \(isImported)
      AND \(source) >= ?2 AND \(source) < ?2 || char(1114111)
    ORDER BY in_state DESC, in_state = (rank IS NOT NULL), number IS NULL, number LIMIT 1
    """
}
