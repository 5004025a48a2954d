import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import {
  cardPayment,
  limits,
  type ManualWait,
  manualWait,
  type Parameters,
  type RemoteAcquirer,
  remoteAcquirer,
  testGateway,
  testStorage,
} from '@tollgate/gateway/testing'
import { timeoutReversals } from '../acquirer/timeout-reversal.job.ts'

/** Two gateways on the same storage, in the roles of two processes. Requests are sent to `local`. */
export async function twoProcesses() {
  const data = mkdtempSync(join(tmpdir(), 'tollgate-test-'))
  const storage = await testStorage()
  const local = await testGateway({ storage, data })
  const peer = await testGateway({ storage, data })
  const pay = (changes: Parameters = {}, headers: Parameters = {}) =>
    local.send('POST', '/v1/payments', cardPayment(changes), headers)

  return {
    storage,
    local,
    peer,
    pay,
    followUp: (id: string, paymentType: string, amount?: string) =>
      local.send('POST', `/v1/payments/${id}`, { paymentType, ...(amount && { amount, currency: 'EUR' }) }),
    codeOf: async (id: string): Promise<string> => (await local.send('GET', `/v1/payments/${id}`)).body.result.code,
    statusOf: async (id: string) => (await storage.transactions([id]))[0]?.status,
    reversalJobs: () => storage.dueJobs('end-attempt', '', Number.MAX_SAFE_INTEGER, 100),

    /** Connects both gateways to a new remote acquirer. `time` ends the waits for its responses. */
    connectAcquirer: (): { readonly acquirer: RemoteAcquirer; readonly time: ManualWait } => {
      const acquirer = remoteAcquirer()
      const time = manualWait()
      const { startTimer } = time
      for (const { gateway } of [local, peer])
        Object.assign(gateway.acquirers, { simulator: acquirer.connector, startTimer })
      return { acquirer, time }
    },

    /** Makes a payment that the acquirer approves. @returns its id */
    approvedPayment: async (acquirer: RemoteAcquirer, changes: Parameters = {}): Promise<string> => {
      acquirer.reply = 'answer'
      const { body } = await pay(changes)
      acquirer.reply = undefined
      return body.id
    },

    /** Advances both clocks by `afterMs`, and runs the due timeout reversals in `peer`. @returns their results */
    reverseTimeouts: async (afterMs: number) => {
      const atMs = local.clock.nowMs + afterMs
      for (const { clock } of [local, peer]) clock.nowMs = atMs
      const { gateway } = peer
      const jobs = await gateway.storage.leaseJobs('end-attempt', '', gateway.clock.now(), 100, limits.jobLeaseMs)
      return Promise.all(jobs.map((job) => timeoutReversals(gateway).run(job, new AbortController().signal)))
    },

    close: async () => {
      await local.close()
      await peer.close()
      rmSync(data, { recursive: true })
    },
  }
}
