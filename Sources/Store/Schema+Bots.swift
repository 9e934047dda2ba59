// The step by which bots have owners and tokens (Domain/Decide/Bots.swift).
//
// account.owner   the person who owns the bot; NULL for people, and for bots that have no owner. `account_owned` finds
//                 the bots of a person.
// session.limits  the limits of a token as JSON (Wire/Codec/TokenCodec.swift); NULL for a sign-in.

extension Schema {
  static let bots =
    """
    ALTER TABLE account ADD COLUMN owner BLOB;
    CREATE INDEX account_owned ON account(owner, username) WHERE owner IS NOT NULL;
    ALTER TABLE session ADD COLUMN limits TEXT;
    """
}
