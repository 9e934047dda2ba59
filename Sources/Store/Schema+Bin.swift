// The step that made posts be found by when they were removed (Domain/Decide/Bin.swift). An index over the body itself,
// as those of Schema+Work.swift: nothing has to write it, and a row in it cannot say anything else than the post does.
// Only what is in the bin is in it, and of any other post it costs a look at two columns.
//
// post_binned    what is in the bins of all lists, in the order in which it came there. What is left of a post that
//                went to another list, or for good, has no number.

extension Schema {
  static let bin =
    """
    CREATE INDEX post_binned ON object(\(BinSQL.since), stream, number) WHERE \(BinSQL.isThere);
    """
}

/// The statement that looks into it; the words are those of the index, letter by letter.
enum BinSQL {
  fileprivate static let since =
    """
    CAST(substr(CAST(body AS TEXT), instr(CAST(body AS TEXT), '"updatedAt":') + 12, 16) AS INTEGER)
    """
  fileprivate static let isThere =
    "kind = 6 AND in_state = 0 AND rank IS NULL AND number IS NOT NULL"
  static let binnedPosts =
    """
    SELECT (SELECT name FROM stream WHERE stream.number = object.stream), id, \(since)
    FROM object INDEXED BY post_binned WHERE \(isThere) AND \(since) <= ?1
    ORDER BY \(since), stream, number LIMIT ?2
    """
}
