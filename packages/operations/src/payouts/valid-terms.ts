import { defaultTerms, type MerchantTerms } from '@tollgate/domain'
import { DAY_MS } from '@tollgate/contract'
import type { Context } from '../context.ts'
import { planFinder } from '../ledger/dated-plans.ts'
import { storedReader } from '../records/stored-json.ts'
import { prepareTerms, storedTerms } from './merchant-terms.ts'

/** The account of a merchant to which payouts go, and the row of the terms with its sealed number. */
export interface PayoutAccount {
  readonly entityId: string
  readonly startsAtMs: number
  readonly holder: string
  readonly last4: string
}

/** The terms that apply to a merchant. */
export interface ValidTerms extends MerchantTerms {
  readonly account?: PayoutAccount | undefined
}

/** The terms of all merchants as of one moment. */
export interface TermsFinder {
  /** @param atMs epoch milliseconds */
  at(merchant: string, atMs: number): ValidTerms
  /** The terms of a day: those that apply at its beginning (UTC), so that no day has two. In days since 1970. */
  ofDay(merchant: string, day: number): ValidTerms
}

const readTerms = storedReader(storedTerms)

export async function readMerchantTerms({
  storage,
  directory,
}: Pick<Context, 'storage' | 'directory'>): Promise<TermsFinder> {
  const plans = (await storage.merchantTerms()).map(({ entity_id: entityId, starts_at_ms: startsAtMs, terms }) => ({
    entityId,
    startsAtMs,
    plan: terms === null ? null : readValid(terms, entityId, startsAtMs),
  }))
  const find = planFinder(directory, plans)
  const at = (merchant: string, atMs: number): ValidTerms => find(merchant, atMs)?.plan ?? defaultTerms
  return { at, ofDay: (merchant, day) => at(merchant, day * DAY_MS) }
}

function readValid(text: string, entityId: string, startsAtMs: number): ValidTerms {
  const stored = readTerms(text)
  const account = stored.payouts?.account
  return { ...prepareTerms(stored), account: account && { entityId, startsAtMs, ...account } }
}
