import { describe, expect, it } from 'vitest'
import { type Checkout, type CheckoutState, checkoutState, checkoutRefusal } from './checkout.ts'

const EXPIRES_AT_MS = 1000

type Row = [
  name: string,
  state: CheckoutState,
  changes: Partial<Checkout>,
  atMs: number,
  refusalCode: string | undefined,
]

describe('a checkout', () => {
  it.each<Row>([
    ['without a payment', 'OPEN', {}, 0, undefined],
    ['with a declined payment', 'OPEN', { status: 'NOK', declines: 1 }, 0, undefined],
    ['with a pending payment', 'IN_PROGRESS', { status: 'PENDING' }, 0, '800.600.100'],
    ['with an approved payment', 'DONE', { status: 'ACK' }, 0, '700.400.100'],
    ['with an approved payment after declines', 'DONE', { status: 'ACK', declines: 3 }, 0, '700.400.100'],
    ['with one decline less than the maximum', 'OPEN', { status: 'NOK', declines: 2 }, 0, undefined],
    ['with the maximum number of declines', 'EXHAUSTED', { status: 'NOK', declines: 3 }, 0, '800.120.100'],
    ['a millisecond before it expires', 'OPEN', {}, EXPIRES_AT_MS - 1, undefined],
    // The caller answers an expired checkout like an unknown checkout.
    ['at its expiry', 'EXPIRED', { status: 'ACK' }, EXPIRES_AT_MS, undefined],
  ])('%s is %s', (_name, state, changes, atMs, refusalCode) => {
    const checkout = { status: undefined, expiresAtMs: EXPIRES_AT_MS, declines: 0, declinesMax: 3, ...changes }
    expect([checkoutState(checkout, atMs), checkoutRefusal({ checkout, atMs })?.code]).toEqual([state, refusalCode])
  })
})
