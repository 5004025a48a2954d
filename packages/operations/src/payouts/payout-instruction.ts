import { InvariantError } from '@tollgate/contract'
import type { PayoutRow } from '@tollgate/storage'
import { audit } from '../audit.ts'
import type { Context } from '../context.ts'
import { openAccountNumber } from './account-number.ts'

/** What a bank needs for the transfer of a payout. */
export interface PayoutInstruction {
  readonly holder: string
  readonly iban: string
}

/**
 * Opens the number of the account to which an instructed payout goes, for the operator who orders the transfer. The
 * audit log has the payout, not the number.
 *
 * @returns undefined if the payout needs no transfer: it is confirmed, returned or cancelled
 * @throws VaultError if the keys do not open the number
 */
export async function payoutInstruction(
  { storage, vault, log }: Pick<Context, 'storage' | 'vault' | 'log'>,
  payout: PayoutRow,
): Promise<PayoutInstruction | undefined> {
  if (payout.state !== 'instructed') return undefined
  const terms = (await storage.merchantTerms()).find(
    (row) => row.entity_id === payout.terms_entity_id && row.starts_at_ms === payout.terms_starts_at_ms,
  )
  const number = terms && openAccountNumber(vault, terms)
  if (!number) throw new InvariantError('the account of a payout is stored', payout.id)
  const iban = number.use((bytes) => Buffer.from(bytes).toString('ascii'))
  number.wipe()
  audit(log, 'payout account shown', { payout: payout.id, merchant: payout.merchant })
  return { holder: payout.holder, iban }
}
