internal import Crypto
internal import Domain
internal import Sync

/// The headers by which a receiver knows who sends, and what it has had already (Standard Webhooks).
struct WebhookProof {
  let headers: [(name: String, value: String)]

  /// Signs a delivery that is sent at this second since 1970. Its id is the same at each try.
  init(_ delivery: Delivery, key: [UInt8], seconds: Int64, body: [UInt8]) {
    let range = delivery.range
    let name =
      "\(delivery.webhook.id) \(delivery.epoch) \(range.stream) \(range.from) \(range.through)"
    let id = "d_" + Hex.encode(Array(sha256(Array(name.utf8)).prefix(16)))
    let signed = Array("\(id).\(seconds).".utf8) + body
    headers = [
      (name: "webhook-id", value: id), (name: "webhook-timestamp", value: "\(seconds)"),
      (
        name: "webhook-signature",
        value: "v1," + Base64.encode(hmacSHA256(key: key, message: signed))
      ),
    ]
  }
}
