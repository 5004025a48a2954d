import {
  type DataSet,
  keyOf,
  rowsOf,
  type Schema,
  tableNames,
  type TransactionRow,
  type TreeRow,
} from '@tollgate/storage'
import type { Vault } from '@tollgate/vault'
import { limits } from '../../limits.ts'
import { faultsIn, references, treeChecks } from './checks.ts'

/** The fault in one line, which names the table and the row and contains no secret. */
export type Report = (finding: string) => void

/** Progress: rows of a table that were examined. */
export type ScanProgress = (table: keyof Schema, rows: number) => void

/**
 * Checks all rows of a storage against each other, page by page.
 *
 * @param vault undefined if the keys do not match the data
 * @returns how many rows were examined
 */
export async function examine(
  dataSet: DataSet,
  vault: Vault | undefined,
  report: Report,
  walked: ScanProgress = () => undefined,
): Promise<number> {
  for (const damage of await dataSet.damages()) report(`the file: ${damage}`)
  for (const reference of references) {
    const { table, column, names } = reference
    const keys = await dataSet.strays(reference, limits.straysMax)
    for (const key of keys) report(`${table} ${key}: ${column} names no ${names.replaceAll('_', ' ')}`)
    if (keys.length === limits.straysMax) report(`${table}: and more whose ${column} names none`)
  }
  let rows = 0
  for (const table of tableNames) rows += await walk(dataSet, table, vault, report, walked)
  return rows
}

/** Each row of a table; where it is that of transactions, each tree with them. */
async function walk(
  dataSet: DataSet,
  table: keyof Schema,
  vault: Vault | undefined,
  report: Report,
  walked: ScanProgress,
): Promise<number> {
  const trees = table === 'payment_transaction' ? treesOf(dataSet, report) : undefined
  let rows = 0
  for await (const row of rowsOf(dataSet, table)) {
    rows += 1
    const faults = faultsIn(table, row, vault)
    for (const fault of faults) report(`${table} ${keyOf(table, row).join(' ')}: ${fault}`)
    if (trees && 'root_id' in row && 'facts' in row) await trees.add(row, faults.length === 0)
    if (rows % limits.walkedRows === 0) walked(table, rows)
  }
  await trees?.end()
  return rows
}

/** Gathers the transactions of each tree, which follow one another, and checks it when it is whole. */
function treesOf(dataSet: DataSet, report: Report) {
  const trees = rowsOf(dataSet, 'tree')
  let next: TreeRow | undefined
  let gathered: TransactionRow[] = []
  let isReadable = true

  /** Both tables are in the order of the same ids. A row without its counterpart was reported already. */
  async function treeRowOf(rootId: string): Promise<TreeRow | undefined> {
    while (!next || next.id < rootId) {
      const { value, done } = await trees.next()
      if (done) return undefined
      next = value
    }
    return next.id === rootId ? next : undefined
  }

  async function end(): Promise<void> {
    const root = gathered.find(({ id, root_id }) => id === root_id)
    const tree = root && (await treeRowOf(root.root_id))
    if (root && tree && isReadable) {
      const inOrder = [root, ...gathered.filter((row) => row !== root)]
      const fault = firstFault(tree, inOrder)
      if (fault !== undefined) report(`tree ${tree.id}: ${fault}`)
    }
    gathered = []
    isReadable = true
  }

  return {
    async add(row: TransactionRow, isSound: boolean): Promise<void> {
      if (gathered[0] && gathered[0].root_id !== row.root_id) await end()
      gathered.push(row)
      isReadable &&= isSound
    },
    end,
  }
}

function firstFault(tree: TreeRow, transactions: readonly TransactionRow[]): string | undefined {
  for (const check of treeChecks) {
    const fault = check(tree, transactions)
    if (fault !== undefined) return fault
  }
  return undefined
}
