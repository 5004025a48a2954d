import { randomInt, randomUUID } from 'node:crypto'
import { openPostgres } from '../postgres/open.ts'
import { account, guard, idempotencyKey, transaction, uniqueKey } from '../sample-rows.ts'

// One of several processes that want the same rows of one database: a hundred trees, five at a time, a few keys, and
// rows that others replace and swap. Prints what it won as JSON.

/** roots: transactions that were added, which is how often a tree was moved on. others: keys that were won. */
export interface Won {
  readonly roots: number
  readonly keys: number
  readonly faults: readonly string[]
}

const [url = '', durationMs = '', clients = ''] = process.argv.slice(2)
const storage = await openPostgres({ url })
let isOver = false
setTimeout(() => (isOver = true), Number(durationMs))
let [roots, keys] = [0, 0]
const faults: string[] = []
const anyOf = (name: string, count: number) => `${name}${randomInt(count)}`
/** As they were last heard of. */
const versions = new Map<string, number>()
let lastAccount = account('a0')

async function want(): Promise<void> {
  const wanted = [...new Set(Array.from({ length: 5 }, () => anyOf('p', 100)))]
  const key = anyOf('k', 100_000)
  const hasClaim = randomInt(2) === 0
  const holder = randomUUID()
  const meetsOthers = randomInt(5) === 0
  const result = await storage.commit({
    id: randomUUID(),
    // In no order: it is for storage to lock them in one.
    expectedVersions: wanted.map((id) => guard(id, versions.get(id) ?? 1)),
    claim: hasClaim ? idempotencyKey(key) : undefined,
    unique: hasClaim ? [] : [uniqueKey(key), uniqueKey(`other ${key}`)],
    compareAndSets:
      randomInt(10) === 0 ? [{ table: 'account', from: lastAccount, to: { ...lastAccount, holder } }] : [],
    rows: {
      payment_transaction: wanted.map((root) => transaction(randomUUID(), root)),
      installation: meetsOthers ? ['n', 'n', 'n'].map((name) => ({ name: anyOf(name, 20), value: holder })) : [],
      account: meetsOthers ? [account(anyOf('a', 20), { holder })] : [],
    },
  })
  if (result.kind === 'committed') {
    for (const id of wanted) versions.set(id, (versions.get(id) ?? 1) + 1)
    roots += wanted.length
    keys += hasClaim ? 1 : 2
  } else {
    lastAccount = (await storage.account('a0')) ?? lastAccount
    for (const id of wanted) versions.set(id, (await storage.treeOf(id))?.version ?? 1)
  }
}

async function client(): Promise<void> {
  while (!isOver) {
    try {
      await want()
    } catch (error) {
      faults.push(String(error))
    }
  }
}

await Promise.all(Array.from({ length: Number(clients) }, client))
await storage.close()
process.stdout.write(JSON.stringify({ roots, keys, faults: faults.slice(0, 5) } satisfies Won))
