import { Agent, request } from 'node:http'
import { BenchError } from './bench-error.ts'
import { limits } from './limits.ts'
import { bodyOf, firstNumbers, type PreparedRequest } from './workload.ts'

/** The number of payments sent by this process, which determines the number of each payment. */
let sentCount = 0

/**
 * Pays at a fixed rate, independent of the latency of answers, as customers do. Load tools wait for answers instead.
 *
 * @returns the number of accepted payments; the remaining payments were refused with 429
 * @throws BenchError if a request fails, if an answer is neither 200 nor 429, or if the share of 429 is greater than
 *   `rateRefusedShareMax`
 */
export async function loadAtRate(
  url: string,
  requests: readonly PreparedRequest[],
  { perSecond, seconds }: { readonly perSecond: number; readonly seconds: number },
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: limits.rateSockets })
  const { hostname, port } = new URL(url)
  const total = perSecond * seconds
  const failures = new Map<string, number>()
  const answers: Promise<void>[] = []
  let refused = 0
  const countFailure = (reason: string) => void failures.set(reason, (failures.get(reason) ?? 0) + 1)

  const send = (prepared: PreparedRequest) =>
    new Promise<void>((resolve) => {
      sentCount += 1
      const body = bodyOf(prepared, firstNumbers.atRate + sentCount)
      const headers = {
        authorization: prepared.authorization,
        'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
        'content-length': Buffer.byteLength(body),
      }
      const clientRequest = request(
        { agent, hostname, port, method: 'POST', path: '/v1/payments', headers },
        (answer) => {
          if (answer.statusCode === 429) refused += 1
          else if (answer.statusCode !== 200) countFailure(String(answer.statusCode))
          answer.resume().once('close', resolve)
        },
      )
      clientRequest.once('error', (error) => {
        countFailure(error.message)
        resolve()
      })
      clientRequest.end(body)
    })

  const startedMs = performance.now()
  while (answers.length < total) {
    const dueCount = Math.min(total, Math.ceil(((performance.now() - startedMs) * perSecond) / 1000))
    while (answers.length < dueCount) {
      const prepared = requests[answers.length % requests.length]
      if (prepared) answers.push(send(prepared))
    }
    await new Promise((resolve) => setTimeout(resolve, limits.rateTickMs))
  }
  await Promise.all(answers)
  agent.destroy()
  if (refused > total * limits.rateRefusedShareMax) failures.set('429', refused)
  if (failures.size > 0) {
    const kinds = [...failures].map(([reason, times]) => `${times} ${reason}`).join(', ')
    throw new BenchError(`payments failed: ${kinds}`)
  }
  return total - refused
}
