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

/** Receives a finding: one line without secrets that names the row, table, file, database or keys that it concerns. */
export type Report = (finding: string) => void

/** Receives the number of rows of a table that have been examined so far. */
export type ScanProgress = (table: keyof Schema, rows: number) => void

/**
 * Checks all rows of a data set, each by itself and against each other, page by page.
 *
 * @param vault undefined if the keys do not fit the data
 * @returns the number of examined rows
 */
export async function scanIntegrity(
  dataSet: DataSet,
  vault: Vault | undefined,
  report: Report,
  progress: ScanProgress = () => undefined,
): Promise<number> {
  for (const error of await dataSet.integrityErrors()) report(`the file: ${error}`)
  for (const missing of await dataSet.missingPartitions()) report(missing)
  for (const reference of references) {
    const { table, column, target } = reference
    const keys = await dataSet.danglingReferences(reference, limits.danglingReferencesMax)
    for (const key of keys) report(`${table} ${key}: ${column} names no ${target.replaceAll('_', ' ')}`)
    if (keys.length === limits.danglingReferencesMax) report(`${table}: there may be more rows with such a ${column}`)
  }
  let rows = 0
  for (const table of tableNames) rows += await scanTable(dataSet, table, vault, report, progress)
  return rows
}

/** Checks each row of a table, and each tree if the rows are transactions. */
async function scanTable(
  dataSet: DataSet,
  table: keyof Schema,
  vault: Vault | undefined,
  report: Report,
  progress: ScanProgress,
): Promise<number> {
  const treeScan = table === 'payment_transaction' ? createTreeScan(dataSet, report) : undefined
  let rows = 0
  for await (const row of rowsOf(dataSet, table)) {
    rows += 1
    const faults = faultsIn(table, row, vault)
    for (const fault of faults) report(`${table} ${keyOf(table, row).join(' ')}: ${fault}`)
    if (treeScan && 'root_id' in row && 'facts' in row) await treeScan.add(row, faults.length === 0)
    if (rows % limits.progressRows === 0) progress(table, rows)
  }
  await treeScan?.end()
  return rows
}

/** Collects the transactions of each tree, which are adjacent, and checks the tree when it is complete. */
function createTreeScan(dataSet: DataSet, report: Report) {
  const trees = rowsOf(dataSet, 'tree')
  let currentTree: TreeRow | undefined
  let isLastRead = false
  let collected: TransactionRow[] = []
  let isEveryRowValid = true

  /**
   * Reads trees until it finds the one of this root, because trees and transactions are both sorted by the id of the
   * tree. A tree without a row is at version 1.
   */
  async function treeRowOf({ root_id: id, merchant }: TransactionRow): Promise<TreeRow> {
    while (!isLastRead && (!currentTree || currentTree.id < id)) {
      const { value, done } = await trees.next()
      currentTree = value ?? undefined
      isLastRead = done === true
    }
    return currentTree?.id === id ? currentTree : { id, merchant, version: 1 }
  }

  async function checkTree(): Promise<void> {
    const root = collected.find(({ id, root_id }) => id === root_id)
    if (root && isEveryRowValid) {
      const tree = await treeRowOf(root)
      const inOrder = [root, ...collected.filter((row) => row !== root)]
      const fault = firstFault(tree, inOrder)
      if (fault !== undefined) report(`tree ${tree.id}: ${fault}`)
    }
    collected = []
    isEveryRowValid = true
  }

  return {
    async add(row: TransactionRow, isValid: boolean): Promise<void> {
      if (collected[0] && collected[0].root_id !== row.root_id) await checkTree()
      collected.push(row)
      isEveryRowValid &&= isValid
    },
    end: checkTree,
  }
}

function firstFault(tree: TreeRow, transactions: readonly TransactionRow[]): string | undefined {
  for (const check of treeChecks) {
    const fault = check(tree, transactions)
    if (fault !== undefined) return fault
  }
  return undefined
}
