import { currencies, isCurrency } from '@tollgate/contract'
import { type MerchantTerms, parseAmount, payoutSchedules, readIban, termDaysMax } from '@tollgate/domain'
import { type Static, Type } from 'typebox'
import { millionthsOf } from '../ledger/percentage.ts'
import { limits } from '../limits.ts'
import { narrow } from '../narrow.ts'

/** Invalid terms. The message contains the path of the error and a valid form, but no value. */
export class MerchantTermsError extends Error {}

const CLOSED = { additionalProperties: false }

const minimum = Type.Object(
  {
    currency: Type.String({ enum: Object.keys(currencies) }),
    amount: Type.String({ pattern: '^[0-9]{1,10}(\\.[0-9]{2})?$' }),
  },
  CLOSED,
)

const payouts = {
  schedule: Type.Enum([...payoutSchedules]),
  minimums: Type.Optional(Type.Array(minimum, { maxItems: limits.payoutMinimumsMax })),
}

const holder = Type.String({ minLength: 1, maxLength: limits.accountHolderCharsMax })

const sentAccount = Type.Object({ holder, iban: Type.String({ pattern: '^[A-Za-z0-9]{15,34}$' }) }, CLOSED)
const storedAccount = Type.Object({ holder, last4: Type.String() }, CLOSED)

const terms = {
  availableAfterDays: Type.Optional(Type.Integer({ minimum: 0, maximum: termDaysMax.availableAfterDays })),
  reserve: Type.Optional(
    Type.Object(
      {
        percent: Type.String({ pattern: '^[0-9]{1,2}(\\.[0-9]{1,4})?$' }),
        days: Type.Integer({ minimum: 1, maximum: termDaysMax.reserve }),
      },
      CLOSED,
    ),
  ),
}

/** The terms of an entity, as the management API accepts them. */
export const merchantTerms = Type.Object(
  { ...terms, payouts: Type.Optional(Type.Object({ ...payouts, account: Type.Optional(sentAccount) }, CLOSED)) },
  CLOSED,
)

/** The terms of an entity as they are stored and shown: without the account number. */
export const storedTerms = Type.Object(
  { ...terms, payouts: Type.Optional(Type.Object({ ...payouts, account: Type.Optional(storedAccount) }, CLOSED)) },
  CLOSED,
)

export type SentMerchantTerms = Static<typeof merchantTerms>
export type StoredMerchantTerms = Static<typeof storedTerms>

/** The days from a business day to its value date, unless terms state others. */
const AVAILABLE_AFTER_DAYS = 2

/**
 * Prepares terms for evaluation.
 *
 * @throws MerchantTermsError if an amount or the account number is invalid
 */
export function prepareTerms({
  availableAfterDays = AVAILABLE_AFTER_DAYS,
  reserve,
  payouts: sent,
}: SentMerchantTerms | StoredMerchantTerms): MerchantTerms {
  const { schedule = 'manual', minimums = [], account } = sent ?? {}
  if (schedule !== 'manual' && !account)
    throw new MerchantTermsError('payouts/account is required for scheduled payouts')
  if (account && 'iban' in account && readIban(Buffer.from(account.iban))?.isValid !== true)
    throw new MerchantTermsError('payouts/account/iban is no valid IBAN')
  return {
    availableAfterDays,
    reserve: reserve && { millionths: millionthsOf(reserve.percent), days: reserve.days },
    schedule,
    minimums: new Map(
      minimums.map(({ currency, amount }, index) => {
        const code = narrow(isCurrency, currency)
        const parsed = parseAmount(amount, code)
        if (parsed.kind === 'refused')
          throw new MerchantTermsError(`payouts/minimums/${index}/amount: ${parsed.reason}`)
        return [code, parsed.amountMinor]
      }),
    ),
  }
}
