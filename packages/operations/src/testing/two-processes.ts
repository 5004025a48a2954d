import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  cardPayment,
  limits,
  nodeEventLoop,
  type ManualWait,
  manualWait,
  type Parameters,
  type RemoteAcquirer,
  remoteAcquirer,
  testGateway,
  testStorage,
} from '@tollgate/gateway/testing'
import { timeoutReversals } from '../acquirer/timeout-reversal.job.ts'
import type { Wait } from '../wait.ts'

/** Two processes on one storage, and requests to the first of them. */
export async function twoProcesses() {
  const data = mkdtempSync(join(tmpdir(), 'tollgate-test-'))
  const storage = await testStorage()
  const one = await testGateway({ storage, data })
  const other = await testGateway({ storage, data })
  const pay = (changes: Parameters = {}, headers: Parameters = {}) =>
    one.send('POST', '/v1/payments', cardPayment(changes), headers)

  return {
    storage,
    one,
    other,
    pay,
    refer: (id: string, paymentType: string, amount?: string) =>
      one.send('POST', `/v1/payments/${id}`, { paymentType, ...(amount && { amount, currency: 'EUR' }) }),
    codeOf: async (id: string): Promise<string> => (await one.send('GET', `/v1/payments/${id}`)).body.result.code,
    statusOf: async (id: string) => (await storage.transactions([id]))[0]?.status,
    attempts: () => storage.dueJobs('end-attempt', '', Number.MAX_SAFE_INTEGER, 100),

    /** Connects both processes to a new remote acquirer, with waits for its responses that the test ends. */
    connect: (): { readonly acquirer: RemoteAcquirer; readonly time: ManualWait } => {
      const acquirer = remoteAcquirer()
      const time = manualWait()
      // A wait without a signal is not one for the acquirer.
      const wait: Wait = (ms, signal) => (signal ? time.wait(ms, signal) : nodeEventLoop.wait(ms))
      for (const { gateway } of [one, other]) Object.assign(gateway.acquirers, { direct: acquirer.connector, wait })
      return { acquirer, time }
    },

    /** The id of a payment that the acquirer approves. */
    approved: async (acquirer: RemoteAcquirer, changes: Parameters = {}): Promise<string> => {
      acquirer.reply = 'answer'
      const { body } = await pay(changes)
      acquirer.reply = undefined
      return body.id
    },

    /** Runs in the other process the timeout reversals that are due after this time, and returns their results. */
    reverseTimeouts: async (afterMs: number) => {
      const atMs = one.clock.nowMs + afterMs
      for (const { clock } of [one, other]) clock.nowMs = atMs
      const { gateway } = other
      const jobs = await gateway.storage.leaseJobs('end-attempt', '', gateway.clock.now(), 100, limits.jobLeaseMs)
      return Promise.all(jobs.map((job) => timeoutReversals(gateway).run(job, new AbortController().signal)))
    },

    close: async () => {
      await one.close()
      await other.close()
      rmSync(data, { recursive: true })
    },
  }
}
