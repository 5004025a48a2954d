/** The path of status requests, by resource. */
const paths = { payment: '/v1/payments', registration: '/v1/registrations', threeDSecure: '/v1/threeDSecure' } as const

/** `id` and `resourcePath` of a notification, and of the address that a shopper returns to. */
export interface Resource {
  readonly id: string
  readonly resourcePath: string
}

/** "Of a checkout always resourcePath=/v1/checkouts/{id}/payment, of a payment /v1/payments/{id}" (interop). */
export const resourceOf = (kind: keyof typeof paths, id: string, checkoutId?: string | null): Resource =>
  typeof checkoutId === 'string'
    ? { id: checkoutId, resourcePath: `/v1/checkouts/${checkoutId}/${kind}` }
    : { id, resourcePath: `${paths[kind]}/${id}` }
