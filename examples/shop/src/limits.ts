/** Every bound of the shop. It serves one developer, or one test, on one machine. */
export const limits = {
  /** A form of the shop takes 1 kB, a notification with all that a payment may hold some more. */
  bodyBytesMax: 256 * 1024,
  /** Customers, and orders of all of them, in memory; the oldest is dropped first. */
  customersMax: 1_000,
  ordersMax: 5_000,
  /** Of one product in a cart. */
  quantityMax: 99,
  /** Stored cards of one customer. */
  storedCardsMax: 5,
  /** For the gateway's answer: it may wait for an acquirer. */
  gatewayTimeoutMs: 40_000,
  /** Between two status queries of one order: two a minute are allowed. */
  statusQueryEveryMs: 31_000,
  /** Age of a notification: "Refuse timestamps that are more than five minutes off." */
  notificationAgeSecondsMax: 300,
} as const
