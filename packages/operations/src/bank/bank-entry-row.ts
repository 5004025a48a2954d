import type { BankEntryRow } from '@tollgate/storage'
import { type BankExplanation, type BankPosting, bankPostingsOf } from '@tollgate/domain'
import { Type } from 'typebox'
import { isOneOf } from '../narrow.ts'
import { storedReader } from '../records/stored-json.ts'

/** The states of a bank entry. explained: by other records, without an operator. */
export const bankEntryStates = ['unmatched', 'explained', 'assigned'] as const

export const isBankEntryState = isOneOf(bankEntryStates)

/** What explains a bank entry, as it is stored. */
export type StoredExplanation =
  | Exclude<BankExplanation, { readonly kind: 'none' | 'settlementFile' }>
  | (Extract<BankExplanation, { readonly kind: 'settlementFile' }> & { readonly fileIds: readonly string[] })

const readExplanation = storedReader(
  Type.Union([
    Type.Object({ kind: Type.Literal('charges') }),
    Type.Object({ kind: Type.Enum(['payout', 'merchant']), merchant: Type.String() }),
    Type.Object({ kind: Type.Literal('acquirer'), acquirer: Type.String() }),
    Type.Object({
      kind: Type.Literal('settlementFile'),
      fileIds: Type.Array(Type.String()),
      acquirer: Type.String(),
      netMinor: Type.Integer(),
    }),
  ]),
)

/** What explains a bank entry; undefined: nothing, or rows of its file. */
export const explanationOf = ({ explanation }: Pick<BankEntryRow, 'explanation'>): StoredExplanation | undefined =>
  explanation === null ? undefined : readExplanation(explanation)

/** The part of a bank entry that no row states, in minor units; negative: the balance became lower. */
export const openMinorOf = ({ direction, amount_minor: minor, rows_minor: rowsMinor }: BankEntryRow): number =>
  (direction === 'CREDIT' ? minor : -minor) - rowsMinor

/** The entries of the ledger of a bank entry as it is explained at present. */
export const postingsOfEntry = (row: BankEntryRow): readonly BankPosting[] =>
  bankPostingsOf({ signedMinor: openMinorOf(row) }, explanationOf(row) ?? { kind: 'none' })
