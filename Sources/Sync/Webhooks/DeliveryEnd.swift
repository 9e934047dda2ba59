package import Domain

/// The end of a try to deliver.
package struct DeliveryEnd: Equatable, Sendable {
  package let outcome: WebhookTry.Outcome
  /// The time that the receiver asks for before the next try. Nil when it asks for none.
  package let retryAfterMilliseconds: Int64?
  /// Whether it was tried at all. Where it was not, the receiver is not to blame.
  package let wasTried: Bool
  /// Whether no later try can get through, because the address leads where the server does not send.
  package let isHopeless: Bool
  package let milliseconds: Int

  package init(
    _ outcome: WebhookTry.Outcome, retryAfterMilliseconds: Int64? = nil, wasTried: Bool = true,
    isHopeless: Bool = false, milliseconds: Int
  ) {
    self.wasTried = wasTried
    self.outcome = outcome
    self.retryAfterMilliseconds = retryAfterMilliseconds
    self.isHopeless = isHopeless
    self.milliseconds = milliseconds
  }

  /// Whether the receiver has taken it.
  package var isTaken: Bool { outcome.isTaken }

  /// Whether nothing is to be sent any more: the receiver says that it is gone (RFC 9110 §15.5.11).
  var endsAll: Bool { isHopeless || outcome == .answered(410) }
}
