/** Every bound of the shop. It serves one developer, or one test, on one machine. */
export const limits = {
  /** Bytes of a body: a form of the shop takes 1 kB, a notification of a payment with all fields some more. */
  bodyBytesMax: 256 * 1024,
  /** Customers, and orders of all of them, in memory; the oldest is dropped first. */
  customersMax: 1_000,
  ordersMax: 5_000,
  /** Quantity of one product in a cart. */
  quantityMax: 99,
  /** Stored cards of one customer. */
  storedCardsMax: 5,
  /** Time for the gateway's answer, which may wait for an acquirer. */
  gatewayTimeoutMs: 40_000,
  /** Interval of the status queries of one order: two a minute are allowed. */
  statusQueryEveryMs: 31_000,
  /** Age of a notification: "Refuse timestamps that are more than five minutes off." */
  notificationAgeSecondsMax: 300,
} as const
