// The step that put a number beside every body by which it is known again (Checksum.swift). NULL in the rows that were
// there: nothing is known of them until they are written anew.

extension Schema {
  static let checksums =
    """
    ALTER TABLE stream ADD COLUMN own_sum INTEGER;
    ALTER TABLE event ADD COLUMN sum INTEGER;
    ALTER TABLE event ADD COLUMN was_sum INTEGER;
    ALTER TABLE object ADD COLUMN sum INTEGER;
    ALTER TABLE command_key ADD COLUMN sum INTEGER;
    """
}

// The step since which every page of the file has a sum of its own (CPages.h). It protects what no number beside a row
// does: columns, indexes, and tables whose rows have none. The step changes no table: its number keeps older programs
// away, which would write pages without sums. Connection.swift writes the pages of an older database anew before the
// step, in some seconds for each 100 MB.

extension Schema {
  static let versionWithPageSums: Int64 = 13

  static let pageSums = "-- Pages have sums."
}
