import type { Storage } from '../port.ts'
import { StorageError } from '../storage-error.ts'
import { commitToMemory } from './commit.ts'
import { type MemoryDisk, memoryDisk } from './disk.ts'
import { memoryReader } from './read.ts'

/**
 * Storage in memory: the model that the other dialects are tested against, and the disk of simulations. Every call
 * takes effect at once and in the order of the calls.
 * @param disk what is stored; a disk that was used before is a database that is opened again.
 */
export function openMemory(disk: MemoryDisk = memoryDisk()): Storage {
  let isClosed = false
  let units = 0
  const whenOpen =
    <Arguments extends unknown[], Result>(call: (...args: Arguments) => Promise<Result>) =>
    async (...args: Arguments): Promise<Result> => {
      if (isClosed) throw new StorageError('unavailable', 'the storage is closed')
      return call(...args)
    }
  const reader = memoryReader(disk)
  return {
    commit: whenOpen(async (unit) => {
      const result = commitToMemory(disk, unit)
      units += 1
      return result
    }),
    treeOf: whenOpen(reader.treeOf),
    transactions: whenOpen(reader.transactions),
    account: whenOpen(reader.account),
    accountsAfter: whenOpen(reader.accountsAfter),
    accountKeysAfter: whenOpen(reader.accountKeysAfter),
    registration: whenOpen(reader.registration),
    lastUse: whenOpen(reader.lastUse),
    expiredRegistrations: whenOpen(reader.expiredRegistrations),
    byNetworkId: whenOpen(reader.byNetworkId),
    newestUnder: whenOpen(reader.newestUnder),
    transactionsBefore: whenOpen(reader.transactionsBefore),
    rowsBefore: whenOpen(reader.rowsBefore),
    transactionsOf: whenOpen(reader.transactionsOf),
    positionsOf: whenOpen(reader.positionsOf),
    idempotencyKey: whenOpen(reader.idempotencyKey),
    velocity: whenOpen(reader.velocity),
    job: whenOpen(reader.job),
    dueJobs: whenOpen(reader.dueJobs),
    takeJobs: whenOpen(reader.takeJobs),
    firstOfLine: whenOpen(reader.firstOfLine),
    dueLanes: whenOpen(reader.dueLanes),
    nextDue: whenOpen(reader.nextDue),
    countDue: whenOpen(reader.countDue),
    oldestWaiting: whenOpen(reader.oldestWaiting),
    countParked: whenOpen(reader.countParked),
    jobsBefore: whenOpen(reader.jobsBefore),
    parkedBefore: whenOpen(reader.parkedBefore),
    event: whenOpen(reader.event),
    eventsBetween: whenOpen(reader.eventsBetween),
    eventsBelow: whenOpen(reader.eventsBelow),
    doneJobsBelow: whenOpen(reader.doneJobsBelow),
    attemptsOf: whenOpen(reader.attemptsOf),
    webhooks: whenOpen(reader.webhooks),
    webhookKeys: whenOpen(reader.webhookKeys),
    schedule: whenOpen(reader.schedule),
    scheduleChain: whenOpen(reader.scheduleChain),
    schedulesOf: whenOpen(reader.schedulesOf),
    checkout: whenOpen(reader.checkout),
    checkoutsBefore: whenOpen(reader.checkoutsBefore),
    visit: whenOpen(reader.visit),
    visitsBefore: whenOpen(reader.visitsBefore),
    velocityBefore: whenOpen(reader.velocityBefore),
    entities: whenOpen(reader.entities),
    riskRules: whenOpen(reader.riskRules),
    accessTokens: whenOpen(reader.accessTokens),
    installation: whenOpen(reader.installation),
    isReachable: () => true,
    depth: () => 0,
    totals: () => ({ units, batches: units }),
    close: async () => {
      isClosed = true
    },
  }
}
