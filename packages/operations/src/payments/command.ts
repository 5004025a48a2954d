import { type BrandCode, type CurrencyCode, isCurrency } from '@tollgate/contract'
import { authorisationCase, type Command, parseAmount, type PaymentType, type Refused } from '@tollgate/domain'
import type { Channel } from '../directory/channel.ts'
import type { Call } from '../request.ts'
import { known } from '../narrow.ts'
import { isTestMode } from '../records/payment-record.ts'

/**
 * What a checked form asks of a payment, in the words of the rules.
 *
 * @param currency the payment's own, for a referencing operation that sends none
 * @returns refused where the amount does not fit its currency
 */
export function commandOf(
  call: Call,
  type: PaymentType,
  channel: Channel,
  about: {
    readonly brand?: BrandCode
    readonly redirected?: boolean
    readonly method?: string | undefined
    readonly currency?: CurrencyCode | undefined
    readonly accountAvailable?: boolean
  },
): Command | Refused {
  const { values } = call.parameters
  const sent = known(isCurrency, values.get('currency'))
  const currency = sent ?? about.currency
  const text = values.get('amount')
  const amount = text === undefined || currency === undefined ? undefined : parseAmount(text, currency)
  if (amount?.kind === 'refused') return amount
  const captures = values.get('numberOfCaptures')
  return {
    type,
    amountMinor: amount?.amountMinor,
    currency: sent,
    channel: channel.id,
    brand: about.brand,
    redirected: about.redirected,
    method: about.method,
    testMode: known(isTestMode, values.get('testMode')),
    final: values.get('sequence') === 'FINAL',
    numberOfCaptures: captures === undefined ? undefined : Number(captures),
    authorisationCase: authorisationCase({
      mcc: values.get('merchant.mcc'),
      source: values.get('standingInstruction.source'),
      cardPresent: values.has('pos.entryMode'),
    }),
    incremental: values.get('standingInstruction.industryPractice') === 'INCREMENTAL_AUTH',
    accountAvailable: about.accountAvailable,
    chargebackReason: values.get('chargebackResultCode'),
    rights: call.caller.rights,
    atMs: call.atMs,
  }
}
