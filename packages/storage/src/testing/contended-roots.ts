import { randomInt, randomUUID } from 'node:crypto'
import { openPostgres } from '../postgres/open.ts'
import { account, expectedVersion, idempotencyKey, transaction, uniqueKey } from './sample-rows.ts'

// One of several processes that write the same rows of one database: a hundred trees, five at a time, a few keys, and
// rows that concurrent processes replace and compare-and-set. Prints its CommittedUnits as JSON.

/** roots: added transactions, each of which incremented a version. keys: claimed and unique keys. */
export interface CommittedUnits {
  readonly roots: number
  readonly keys: number
  readonly faults: readonly string[]
}

const [url = '', units = '', clients = ''] = process.argv.slice(2)
const storage = await openPostgres({ url })
let committed = 0
let [roots, keys] = [0, 0]
const faults: string[] = []
const anyOf = (name: string, count: number) => `${name}${randomInt(count)}`
/** The last known versions of trees. */
const versions = new Map<string, number>()
let lastAccount = account('a0')

async function commitRandomUnit(): Promise<void> {
  const rootIds = [...new Set(Array.from({ length: 5 }, () => anyOf('p', 100)))]
  const key = anyOf('k', 100_000)
  const hasClaim = randomInt(2) === 0
  const holder = randomUUID()
  const contends = randomInt(5) === 0
  const result = await storage.commit({
    id: randomUUID(),
    // In random order: storage locks them in one order.
    expectedVersions: rootIds.map((id) => expectedVersion(id, versions.get(id) ?? 1)),
    claim: hasClaim ? idempotencyKey(key) : undefined,
    unique: hasClaim ? [] : [uniqueKey(key), uniqueKey(`other ${key}`)],
    compareAndSets:
      randomInt(10) === 0 ? [{ table: 'account', from: lastAccount, to: { ...lastAccount, holder } }] : [],
    rows: {
      payment_transaction: rootIds.map((root) => transaction(randomUUID(), root)),
      installation: contends ? ['n', 'n', 'n'].map((name) => ({ name: anyOf(name, 20), value: holder })) : [],
      account: contends ? [account(anyOf('a', 20), { holder })] : [],
    },
  })
  if (result.kind === 'committed') {
    for (const id of rootIds) versions.set(id, (versions.get(id) ?? 1) + 1)
    committed += 1
    roots += rootIds.length
    keys += hasClaim ? 1 : 2
  } else {
    lastAccount = (await storage.account('a0')) ?? lastAccount
    for (const id of rootIds) versions.set(id, (await storage.treeOf(id))?.version ?? 1)
  }
}

async function client(): Promise<void> {
  while (committed < Number(units) && faults.length === 0) {
    try {
      await commitRandomUnit()
    } catch (error) {
      faults.push(String(error))
    }
  }
}

await Promise.all(Array.from({ length: Number(clients) }, client))
await storage.close()
process.stdout.write(JSON.stringify({ roots, keys, faults: faults.slice(0, 5) } satisfies CommittedUnits))
