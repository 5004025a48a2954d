import { Agent, request } from 'node:http'
import { limits } from './limits.ts'
import type { MerchantAccess } from './workload.ts'

/** Sends a GET of a merchant over a connection that is kept alive. */
export type ReadAsMerchant = (
  address: URL,
  merchant: MerchantAccess,
) => Promise<{ readonly status: number | undefined; readonly text: string }>

/** Creates a client that takes little processor time, because it runs on the machine of the measured server. */
export function createMerchantReader(connections: number): ReadAsMerchant {
  const agent = new Agent({ keepAlive: true, maxSockets: connections })
  return (address, { token }) =>
    new Promise((resolve, reject) => {
      const signal = AbortSignal.timeout(limits.requestMs)
      const options = { agent, signal, headers: { authorization: `Bearer ${token}` } }
      request(address, options, (answer) => {
        const parts: Buffer[] = []
        answer.on('data', (part: Buffer) => parts.push(part))
        answer.on('end', () => resolve({ status: answer.statusCode, text: Buffer.concat(parts).toString() }))
        answer.on('error', reject)
      })
        .on('error', reject)
        .end()
    })
}
