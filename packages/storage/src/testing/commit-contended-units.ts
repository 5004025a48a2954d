import { randomInt, randomUUID } from 'node:crypto'
import { openPostgres } from '../postgres/open.ts'
import { account, expectedVersion, idempotencyKey, transaction, uniqueKey } from './sample-rows.ts'

// Several processes run this program at the same time on one database. Each unit adds a transaction to up to five of a
// hundred trees, and contains an idempotency claim or two unique keys. Some units also write rows that the other
// processes write too. The program prints its CommittedUnits as JSON.

/** transactions: added transactions, each of which incremented a version. keys: claimed and unique keys. */
export interface CommittedUnits {
  readonly transactions: number
  readonly keys: number
  readonly faults: readonly string[]
}

const [url = '', units = '', clients = ''] = process.argv.slice(2)
const storage = await openPostgres({ url })
let committed = 0
let [transactions, keys] = [0, 0]
const faults: string[] = []
const randomName = (name: string, count: number) => `${name}${randomInt(count)}`
/** The versions of trees at their last commit or read. */
const versions = new Map<string, number>()
let lastAccount = account('a0')

async function commitRandomUnit(): Promise<void> {
  const rootIds = [...new Set(Array.from({ length: 5 }, () => randomName('p', 100)))]
  const key = randomName('k', 100_000)
  const hasClaim = randomInt(2) === 0
  const holder = randomUUID()
  const isContending = randomInt(5) === 0
  const result = await storage.commit({
    id: randomUUID(),
    // The trees are in random order; the storage must lock them in one order.
    expectedVersions: rootIds.map((id) => expectedVersion(id, versions.get(id) ?? 1)),
    claim: hasClaim ? idempotencyKey(key) : undefined,
    unique: hasClaim ? [] : [uniqueKey(key), uniqueKey(`other ${key}`)],
    compareAndSets:
      randomInt(10) === 0 ? [{ table: 'account', from: lastAccount, to: { ...lastAccount, holder } }] : [],
    rows: {
      payment_transaction: rootIds.map((root) => transaction(randomUUID(), root)),
      installation: isContending ? ['n', 'n', 'n'].map((name) => ({ name: randomName(name, 20), value: holder })) : [],
      account: isContending ? [account(randomName('a', 20), { holder })] : [],
    },
  })
  if (result.kind === 'committed') {
    for (const id of rootIds) versions.set(id, (versions.get(id) ?? 1) + 1)
    committed += 1
    transactions += rootIds.length
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
process.stdout.write(JSON.stringify({ transactions, keys, faults: faults.slice(0, 5) } satisfies CommittedUnits))
