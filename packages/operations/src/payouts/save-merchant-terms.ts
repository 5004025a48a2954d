import type { MerchantTermsRow } from '@tollgate/storage'
import type { Vault } from '@tollgate/vault'
import { audit } from '../audit.ts'
import { commitChange } from '../commit-change.ts'
import type { Context } from '../context.ts'
import { limits } from '../limits.ts'
import { storedReader } from '../records/stored-json.ts'
import { noAccountNumber, sealAccountNumber } from './account-number.ts'
import {
  MerchantTermsError,
  prepareTerms,
  type SentMerchantTerms,
  type StoredMerchantTerms,
  storedTerms,
} from './merchant-terms.ts'

type Dependencies = Pick<Context, 'storage' | 'clock' | 'ids' | 'log'> & { readonly vault: Vault }

/** The terms of an entity, and the time from which they apply. */
export interface DatedMerchantTerms {
  readonly startsAtMs: number
  readonly createdAtMs: number
  /** null: from this time on the terms of the entity above apply. */
  readonly terms: StoredMerchantTerms | null
}

const readTerms = storedReader(storedTerms)

/** The terms of an entity itself, in the order of their beginning. */
export async function merchantTermsOf(
  { storage }: Pick<Context, 'storage'>,
  entityId: string,
): Promise<DatedMerchantTerms[]> {
  const rows = (await storage.merchantTerms()).filter((row) => row.entity_id === entityId)
  return rows.map(({ starts_at_ms: startsAtMs, created_at_ms: createdAtMs, terms }) => ({
    startsAtMs,
    createdAtMs,
    terms: terms === null ? null : readTerms(terms),
  }))
}

/**
 * Stores the terms of an entity from a time on. The account number is sealed, and only its last four characters are
 * shown.
 *
 * @param terms null: from this time on the terms of the entity above apply
 * @param startsAtMs epoch milliseconds; by default now
 * @throws MerchantTermsError if the terms are invalid, begin in the past, or at the same time as others of the entity;
 * nothing was written
 */
export async function saveMerchantTerms(
  dependencies: Dependencies,
  entityId: string,
  terms: SentMerchantTerms | null,
  startsAtMs = dependencies.clock.now(),
): Promise<void> {
  const nowMs = dependencies.clock.now()
  if (terms) prepareTerms(terms)
  if (startsAtMs < nowMs) throw new MerchantTermsError('startsAt must not be in the past: value dates do not change')
  const stored = await merchantTermsOf(dependencies, entityId)
  if (stored.length >= limits.merchantTermsMax)
    throw new MerchantTermsError(`an entity has at most ${limits.merchantTermsMax} terms, including those of the past`)
  if (stored.some((each) => each.startsAtMs === startsAtMs))
    throw new MerchantTermsError('startsAt is the beginning of other terms of the entity: choose another time')
  const row = await rowOf(dependencies.vault, { entity_id: entityId, starts_at_ms: startsAtMs }, terms, nowMs)
  await commitChange(dependencies, { rows: { merchant_terms: [row] } })
  audit(dependencies.log, 'merchant terms changed', { entity: entityId, startsAtMs })
}

async function rowOf(
  vault: Vault,
  key: Pick<MerchantTermsRow, 'entity_id' | 'starts_at_ms'>,
  terms: SentMerchantTerms | null,
  nowMs: number,
): Promise<MerchantTermsRow> {
  const { account, ...payouts } = terms?.payouts ?? {}
  const iban = account?.iban.toUpperCase()
  const shown = {
    ...terms,
    ...(terms?.payouts && {
      payouts: { ...payouts, ...(account && { account: { holder: account.holder, last4: account.iban.slice(-4) } }) },
    }),
  }
  return {
    ...key,
    terms: terms && JSON.stringify(shown),
    ...(iban === undefined ? noAccountNumber : await sealAccountNumber(vault, key, iban)),
    created_at_ms: nowMs,
  }
}
