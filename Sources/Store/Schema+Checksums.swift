// The step that put beside every body a number by which it is known again (Checksum.swift). The number is NULL in the
// rows that were there already: they are not compared until they are written anew.

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

// The step since which every page of the file has a sum of its own (CPages.h). Sums of pages protect what no number
// beside a row protects: columns, indexes, and tables whose rows have none. The step changes no table. Its number keeps
// older programs away, which would write pages without sums. Connection.swift writes the pages of an older database
// anew before the step, in some seconds for each 100 MB.

extension Schema {
  static let versionWithPageSums: Int64 = 13

  static let pageSums = "-- Pages have sums."
}
