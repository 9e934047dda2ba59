// The step that lets posts be found by when they were removed (Domain/Decide/Bin.swift). It is an index over the body
// itself, like those of Schema+Work.swift: nothing has to write it, and a row in it cannot say anything else than the
// post does. Only posts in the bin are in it; any other post costs a look at two columns.
//
// post_binned    the posts in the bins of all lists, in the order in which they came there. A rest of a post that went
//                to another list, or for good, has no number and is not in it.

extension Schema {
  static let bin =
    """
    CREATE INDEX post_binned ON object(\(BinSQL.since), stream, number) WHERE \(BinSQL.isThere);
    """
}

/// The statement that uses this index. Its words are those of the index, letter by letter.
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
