import type { AccountKeys, Storage, StoredTransaction, StoredTree } from '../port.ts'
import { queries } from '../queries.ts'
import type {
  AccessTokenRow,
  AccountRow,
  EntityRow,
  IdempotencyRow,
  RegistrationRow,
  RiskRulesRow,
  TransactionRow,
  VelocityRow,
} from '../schema.ts'
import { StorageError } from '../storage-error.ts'
import { compileOnly } from './compile-only.ts'
import { type Database, openReader } from './database.ts'

/** The reading half of the port. */
export type SqliteReader = Omit<Storage, 'commit' | 'depth' | 'close'> & { readonly close: () => void }

type TreeOfRow = TransactionRow & { readonly version: number }

/**
 * Reads `file` in the calling thread, beside its writer: a message to another thread costs more than most queries.
 * Every query is a `get` or an `all`, because an open iterator would pin the write-ahead log.
 * @throws StorageError `unavailable`, as every read does when it fails
 */
export function sqliteReader(file: string): Promise<SqliteReader> {
  return attempt(() => readerOn(openReader(file)))
}

function readerOn(database: Database): SqliteReader {
  const text = queries(compileOnly())
  const treeOfRoot = database.prepare(text.treeOfRoot)
  const treeOfChild = database.prepare(text.treeOfChild)
  const account = database.prepare(text.account)
  const accountsAfter = database.prepare(text.accountsAfter)
  const accountKeysAfter = database.prepare(text.accountKeysAfter)
  const registration = database.prepare(text.registration)
  const lastUse = database.prepare(text.lastUse)
  const expiredRegistrations = database.prepare(text.expiredRegistrations)
  const byNetworkId = database.prepare(text.byNetworkId)
  const newestUnder = database.prepare(text.newestUnder)
  const idempotencyKey = database.prepare(text.idempotencyKey)
  const velocity = database.prepare(text.velocity)
  const velocityBefore = database.prepare(text.velocityBefore)
  const installation = database.prepare(text.installation)
  const entities = database.prepare(text.entities)
  const riskRules = database.prepare(text.riskRules)
  const accessTokens = database.prepare(text.accessTokens)

  return {
    treeOf: (id) => attempt(() => treeOfRows(treeOfRoot.all(id)) ?? treeOfRows(treeOfChild.all(id))),
    account: (id) => attempt((): AccountRow | undefined => account.get(id)),
    accountsAfter: (id, count) => attempt((): AccountRow[] => accountsAfter.all(id, count)),
    accountKeysAfter: (id, count) => attempt((): AccountKeys[] => accountKeysAfter.all(id, count)),
    registration: (id) => attempt((): RegistrationRow | undefined => registration.get(id)),
    lastUse: (id) => attempt((): number | undefined => lastUse.get(id)?.created_at_ms),
    expiredRegistrations: (atMs, max) => attempt((): RegistrationRow[] => expiredRegistrations.all(atMs, max)),
    byNetworkId: (id, merchant) => attempt(() => inTree(byNetworkId.get(id, merchant))),
    newestUnder: (id, merchant, max) => attempt((): TransactionRow[] => newestUnder.all(id, merchant, max)),
    idempotencyKey: (id) => attempt((): IdempotencyRow | undefined => idempotencyKey.get(id)),
    velocity: (counter, merchant, sinceMs) => attempt((): VelocityRow[] => velocity.all(counter, merchant, sinceMs)),
    hasVelocityBefore: (atMs) => attempt(() => velocityBefore.get(atMs) !== undefined),
    installation: (name) => attempt((): string | undefined => installation.get(name)?.value),
    entities: () => attempt((): EntityRow[] => entities.all()),
    riskRules: () => attempt((): RiskRulesRow[] => riskRules.all()),
    accessTokens: () => attempt((): AccessTokenRow[] => accessTokens.all()),
    close: () => database.close(),
  }
}

/** Runs now, but answers as a promise. */
async function attempt<T>(read: () => T): Promise<T> {
  try {
    return read()
  } catch (error) {
    throw new StorageError('unavailable', error instanceof Error ? error.message : 'a read failed', { cause: error })
  }
}

function inTree(found: TreeOfRow | undefined): StoredTransaction | undefined {
  if (!found) return undefined
  const { version, ...row } = found
  return { row, version }
}

function treeOfRows(rows: readonly TreeOfRow[]): StoredTree | undefined {
  const [root] = rows
  if (!root) return undefined
  let version = 0
  const transactions = rows.map(({ version: ofTree, ...transaction }) => {
    version = ofTree
    return transaction
  })
  return { id: root.root_id, merchant: root.merchant, version, transactions }
}
