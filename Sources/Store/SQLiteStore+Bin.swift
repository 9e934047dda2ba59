// The posts in the bin, and the time from which their days count (Schema+Bin.swift).

package import Domain
package import Sync

extension SQLiteStore {
  package func binnedPosts(
    through time: Timestamp, limit: Int
  ) throws(StoreError) -> [BinnedPost] {
    try query { (reads) throws(DatabaseError) in
      try reads.binnedPosts.postMoments(through: time, limit: limit)
        .map { BinnedPost(category: $0.category, post: $0.post, since: $0.moment) }
    }
  }

  package func countBin(from time: Timestamp) throws(StoreError) {
    try write { (database) throws(DatabaseError) in
      try Surroundings.keep("\(time.milliseconds)", as: Surroundings.bin, in: database)
    }
  }

  package func binCountsFrom() throws(StoreError) -> Timestamp? {
    let words = try words(of: Surroundings.bin)
    return words.flatMap { Int64($0) }.map { Timestamp(milliseconds: $0) }
  }
}
