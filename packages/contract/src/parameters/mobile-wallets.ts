import type { BrandCode } from '../brands.ts'
import { oneOf, text } from '../format.ts'
import { row, section } from '../section.ts'

/** The contract's three wallets and the names under which deployed clients send them. */
export const walletAliases = {
  applePay: 'walletA',
  googlePay: 'walletB',
  samsungPay: 'walletC',
} as const

/** The brands of each wallet. The first is the default, if a request has no `paymentBrand`. */
export const walletBrands = {
  walletA: ['APPLEPAY', 'APPLEPAYTKN'],
  walletB: ['GOOGLEPAY', 'GOOGLEPAYTKN'],
  walletC: ['SAMSUNGPAY'],
} as const satisfies Readonly<Record<string, readonly [BrandCode, ...(readonly BrandCode[])]>>

/**
 * The maximum is more than twice the length of the largest observed tokens (less than 6 kB), because no provider
 * documents a maximum.
 */
const paymentToken = text(1, 16_384)
const source = oneOf('web', 'app')

export const mobileWallets = section('Mobile wallets', 'payment', [
  row('walletA.paymentToken', paymentToken, 'R', 'Encrypted mode: the token as received.', { secret: 'token' }),
  row('walletB.paymentToken', paymentToken, 'R', 'Encrypted mode: the token as received.', { secret: 'token' }),
  row('walletC.paymentToken', paymentToken, 'R', 'Encrypted mode: the token as received.', { secret: 'token' }),
  row('walletA.cardNetwork', text(1, 255), 'O', 'Network from the wallet token.'),
  row('walletA.cardType', text(1, 255), 'O', 'Type from the wallet token.'),
  row('walletA.source', source, 'R', 'Decrypted mode.'),
  row('walletB.source', source, 'R', 'Decrypted mode.'),
  row('walletC.source', source, 'R', 'Decrypted mode.'),
])
