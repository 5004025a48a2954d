import { brands, isBrand, type ReconciliationRecord, type RecordColumn } from '@tollgate/contract'
import { type RecordColumnName, recordColumns, recordFields } from '@tollgate/contract'
import { type Columns, reportOf } from '../ledger/report.ts'
import { type Field, nestedFields } from './nested-fields.ts'

/**
 * The JSON of a record in an answer, under the API names of the reconciliation record. Columns without a value and
 * without a name in the API are left out.
 */
export function recordJson(record: ReconciliationRecord): string {
  const account: AccountPrefix = isOfBankAccount(record) ? 'bankAccount.' : 'card.'
  return JSON.stringify(
    nestedFields(recordFields(record).flatMap(([column, value]) => fieldsOf(column, value, account))),
  )
}

type AccountPrefix = 'card.' | 'bankAccount.'

/** The field of a column: none if the API has no name for it. */
function fieldsOf(
  { name, apiName }: RecordColumn<RecordColumnName>,
  value: string,
  account: AccountPrefix,
): readonly Field[] {
  if (apiName === '') return []
  if (name === 'MatchedTransactions')
    return [['matchedTransactions.payment', value.split(',').map((id) => nestedFields([['id', id]]))]]
  // Two columns have the last digits and the holder of either kind of account.
  const names = apiName.split(' or ')
  return [[names.find((each) => each.startsWith(account)) ?? names[0] ?? '', value]]
}

const isOfBankAccount = ({ Brand: brand, BankCode: bankCode }: ReconciliationRecord): boolean =>
  brand !== undefined && isBrand(brand) ? brands[brand].kind === 'directDebit' : bankCode !== undefined

/**
 * The records of pages as CSV for spreadsheets: the columns of the reconciliation record, with the merchant's
 * references and memo, and the values of the JSON.
 */
export const recordsCsv = (pages: AsyncIterable<readonly ReconciliationRecord[]>): AsyncIterable<string> =>
  reportOf({}, 'records', csvColumns, cellPages(pages)).csv()

type Cells = ReadonlyMap<RecordColumnName, string>

const csvColumns: Columns<Cells> = Object.fromEntries(
  recordColumns.map(({ name }) => [name, (cells) => cells.get(name) ?? null]),
)

async function* cellPages(pages: AsyncIterable<readonly ReconciliationRecord[]>): AsyncGenerator<readonly Cells[]> {
  for await (const page of pages)
    yield page.map((record) => new Map(recordFields(record).map(([{ name }, value]) => [name, value])))
}
