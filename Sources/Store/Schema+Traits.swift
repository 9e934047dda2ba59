// The step that writes beside each post which of the rare members it has. It also marks codes and links as used
// (Schema+UsedOnce.swift).
//
// object.traits  a bit for each of these members (Sync/Ledger/ObjectRow.swift). The partial indexes by these members
//                ask the bits. Before this step they looked for words in the body, which took half of the time of a
//                change to a long post.

import Sync

extension Schema {
  static let traits =
    """
    DROP INDEX post_claimed;
    DROP INDEX post_placed;
    DROP INDEX post_imported;
    ALTER TABLE object ADD COLUMN traits INTEGER NOT NULL DEFAULT 0;
    UPDATE object SET traits = \(traitsOfBody)
      WHERE kind = 6 AND (\(traitsOfBody)) > 0;
    \(WorkSQL.indexes)
    \(ImportSQL.index)
    """

  /// A quotation mark inside a text has a backslash in front of it, so no text has these words.
  private static let traitsOfBody =
    """
    (instr(body, CAST('"claim":{' AS BLOB)) > 0) * 1
      | (instr(body, CAST('"position":"' AS BLOB)) > 0) * 2
      | (instr(body, CAST('"source":{' AS BLOB)) > 0) * 4
    """
}

extension PostTraits {
  /// Whether a row has this trait, as a term of SQL. An index with the same term serves it.
  var sql: String { "traits & \(rawValue)" }
}
