import type { ExpectedVersion } from './port.ts'
import type { UniqueKeyRow } from './schema.ts'
import type { SqlValue } from './sql-value.ts'
import type { ChangeableTable, RemovableTable, WritableTable } from './tables.ts'

export interface FlatClaim {
  readonly id: string
  readonly atMs: number
  readonly values: readonly SqlValue[]
}

export interface FlatRow {
  readonly table: WritableTable
  readonly values: readonly SqlValue[]
}

interface FlatCompareAndSet {
  readonly table: ChangeableTable | RemovableTable
  readonly from: readonly SqlValue[]
  readonly to: readonly SqlValue[] | undefined
}

/** A unit whose rows are values: in the order of the columns or, in the writer thread, of the stored columns. */
export interface FlatUnit {
  readonly expectedVersions: readonly ExpectedVersion[]
  readonly claim: FlatClaim | undefined
  readonly unique: readonly UniqueKeyRow[]
  readonly compareAndSets: readonly FlatCompareAndSet[]
  readonly rows: readonly FlatRow[]
}
