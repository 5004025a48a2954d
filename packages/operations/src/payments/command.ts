import type { BrandCode, CurrencyCode } from '@tollgate/contract'
import type { Command, PaymentType, Refused } from '@tollgate/domain'
import type { Channel } from '../directory/channel.ts'
import type { AccountRequest } from '../parameters/account-request.ts'
import { amountIn } from '../parameters/money.ts'

/**
 * The command of a request for the rules of payments.
 *
 * @param details `currency` is that of the payment, for a follow-up without a sent currency
 * @returns a refusal if the amount does not fit its currency
 */
export function commandOf(
  request: Pick<AccountRequest, 'money' | 'reference' | 'capture' | 'caller' | 'atMs'>,
  type: PaymentType,
  channel: Channel,
  details: {
    readonly brand?: BrandCode
    readonly redirected?: boolean
    readonly method?: string | undefined
    readonly currency?: CurrencyCode | undefined
    readonly isAccountAvailable?: boolean
  },
): Command | Refused {
  const { money, reference, capture, caller, atMs } = request
  const amount = amountIn(money, details.currency)
  if (amount?.kind === 'refused') return amount
  return {
    type,
    amountMinor: amount?.amountMinor,
    currency: money.currency,
    channel: channel.id,
    brand: details.brand,
    redirected: details.redirected,
    method: details.method,
    testMode: reference.testMode,
    final: capture.final,
    numberOfCaptures: capture.numberOfCaptures,
    authorisationCase: capture.authorisationCase,
    incremental: capture.incremental,
    isAccountAvailable: details.isAccountAvailable,
    chargebackReason: capture.chargebackReason,
    rights: caller.rights,
    atMs,
  }
}
