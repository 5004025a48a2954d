/** The bounds of the shop, which serves one developer or one test on one machine. */
export const limits = {
  /** Bytes of a body: far more than a form of the shop (1 kB) or a notification of a payment with all fields. */
  bodyBytesMax: 256 * 1024,
  /** Customers in memory. Beyond this number the oldest is dropped. */
  customersMax: 1_000,
  /** Orders in memory, of all customers. Beyond this number the oldest is dropped. */
  ordersMax: 5_000,
  /** Quantity of one product in a cart. */
  quantityMax: 99,
  /** Stored cards of one customer. Beyond this number the oldest is dropped. */
  storedCardsMax: 5,
  /** The longest wait for an answer of the gateway, which may wait for an acquirer. */
  gatewayTimeoutMs: 40_000,
  /** Interval of the status queries of one order: two per minute are allowed. */
  statusQueryIntervalMs: 31_000,
  /** The greatest difference between the timestamp of a notification and the clock: five minutes. */
  notificationAgeSecondsMax: 300,
} as const
