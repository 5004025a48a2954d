import { describe, expect, it } from 'vitest'
import { type Checkout, type CheckoutState, checkoutState, checkoutRefusal } from './checkout.ts'

const EXPIRES_AT_MS = 1000

type Row = [what: string, changes: Partial<Checkout>, atMs: number, state: CheckoutState, refused: string | undefined]

describe('a checkout', () => {
  it.each<Row>([
    ['without a payment', {}, 0, 'OPEN', undefined],
    ['with a declined payment', { status: 'NOK', declines: 1 }, 0, 'OPEN', undefined],
    ['with a pending payment', { status: 'PENDING' }, 0, 'IN_PROGRESS', '800.600.100'],
    ['with an approved payment', { status: 'ACK' }, 0, 'DONE', '700.400.100'],
    ['with an approved payment after declines', { status: 'ACK', declines: 3 }, 0, 'DONE', '700.400.100'],
    ['one decline below the maximum', { status: 'NOK', declines: 2 }, 0, 'OPEN', undefined],
    ['with the maximum of declines', { status: 'NOK', declines: 3 }, 0, 'EXHAUSTED', '800.120.100'],
    ['a millisecond before it expires', {}, EXPIRES_AT_MS - 1, 'OPEN', undefined],
    // The caller answers an expired checkout as an unknown one.
    ['after its expiry', { status: 'ACK' }, EXPIRES_AT_MS, 'EXPIRED', undefined],
  ])('%s', (_what, changes, atMs, state, refused) => {
    const checkout = { status: undefined, expiresAtMs: EXPIRES_AT_MS, declines: 0, declinesMax: 3, ...changes }
    expect([checkoutState(checkout, atMs), checkoutRefusal({ checkout, atMs })?.code]).toEqual([state, refused])
  })
})
