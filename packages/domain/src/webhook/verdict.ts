/** delivered: 2xx. gone: the endpoint no longer exists. failed: the delivery is retried. */
export type DeliveryVerdict = 'delivered' | 'gone' | 'failed'

/**
 * The verdict on the HTTP status of an endpoint's answer. A redirect is a failure: events go to the registered URL
 * only.
 */
export function deliveryVerdictOf(httpStatus: number): DeliveryVerdict {
  if (httpStatus === 410) return 'gone'
  return httpStatus >= 200 && httpStatus < 300 ? 'delivered' : 'failed'
}
