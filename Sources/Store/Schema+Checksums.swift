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
