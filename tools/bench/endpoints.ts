import { BenchError } from './bench-error.ts'
import { limits } from './limits.ts'
import { manage, textAt } from './merchants.ts'
import { serveReceiver } from './server-process.ts'

/** up: answers 200 at once. silent: accepts requests and never answers. dead: no server listens. */
export type EndpointBehaviour = 'up' | 'silent' | 'dead'

/** Deliveries to one endpoint since its last reset. */
export interface EndpointFigures {
  readonly url: string
  readonly count: number
  /** Time from the arrival of the first delivery to that of the last. */
  readonly seconds: number
  /**
   * Number of deliveries for each lag: milliseconds since the event was created, which is shortly before its commit.
   */
  readonly lags: readonly (readonly [ms: number, times: number])[]
}

/** Endpoints in a process of their own, each with an active webhook. */
export interface Endpoints {
  figures(): Promise<readonly EndpointFigures[]>
  /** Clears the figures. @returns the figures until then */
  reset(): Promise<readonly EndpointFigures[]>
  setBehaviour(index: number, behaviour: EndpointBehaviour): Promise<void>
  /**
   * Waits until each of the first `endpoints` has received `count` events.
   * @throws BenchError after `limits.deliveredMs`
   */
  untilDelivered(count: number, endpoints?: number): Promise<readonly EndpointFigures[]>
  stop(): Promise<void>
}

/** Starts endpoints and registers a webhook of an entity for each of them. */
export async function openEndpoints(manageUrl: string, entityId: string, count: number): Promise<Endpoints> {
  const receiver = await serveReceiver(count)
  const request = async (method: string, path: string): Promise<readonly EndpointFigures[]> => {
    const response = await fetch(`${receiver.url}${path}`, { method })
    const figures: readonly EndpointFigures[] = JSON.parse(await response.text())
    return figures
  }
  const figures = () => request('GET', '/')
  for (const { url } of await figures()) {
    const id = textAt(await manage(`${manageUrl}/webhooks`, { entityId, url, types: ['PAYMENT'] }), 'id')
    await manage(`${manageUrl}/webhooks/${id}/test`, {})
  }
  const reset = () => request('POST', '/reset')
  await reset()
  return {
    figures,
    reset,
    setBehaviour: async (index, behaviour) => void (await request('POST', `/${index}/${behaviour}`)),
    async untilDelivered(wanted, endpoints = count) {
      const deadlineMs = performance.now() + limits.deliveredMs
      while (performance.now() < deadlineMs) {
        const now = await figures()
        if (now.slice(0, endpoints).every((each) => each.count >= wanted)) return now
        await new Promise((resolve) => setTimeout(resolve, limits.deliveredPollMs))
      }
      const counts = (await figures()).map((each) => each.count).join(', ')
      throw new BenchError(`the endpoints did not receive ${wanted} events each, but ${counts}`)
    },
    stop: () => receiver.stop(),
  }
}

/** A percentile of the lags, in milliseconds; NaN without lags. */
export function lagAt(percent: number, figures: readonly EndpointFigures[]): number {
  const lags = figures.flatMap((each) => each.lags).toSorted(([one], [other]) => one - other)
  let left = (lags.reduce((sum, [, times]) => sum + times, 0) * percent) / 100
  for (const [ms, times] of lags) {
    left -= times
    if (left <= 0) return ms
  }
  return Number.NaN
}
