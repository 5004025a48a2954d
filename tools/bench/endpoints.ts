import { BenchError } from './bench-error.ts'
import { limits } from './limits.ts'
import { postToManagement, textAt } from './merchants.ts'
import { serveReceiver } from './server-process.ts'

/** up: the endpoint answers 200 immediately. silent: it accepts requests and never answers. dead: no server listens. */
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

/** Endpoints of merchants in a separate process, each with an active webhook. */
export interface Endpoints {
  figures(): Promise<readonly EndpointFigures[]>
  /** Clears the figures. @returns the previous figures */
  reset(): Promise<readonly EndpointFigures[]>
  setBehaviour(index: number, behaviour: EndpointBehaviour): Promise<void>
  /**
   * Waits until each of the first `endpoints` endpoints has received at least `count` deliveries.
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
    const id = textAt(await postToManagement(`${manageUrl}/webhooks`, { entityId, url, types: ['PAYMENT'] }), 'id')
    await postToManagement(`${manageUrl}/webhooks/${id}/test`, {})
  }
  const reset = () => request('POST', '/reset')
  await reset()
  return {
    figures,
    reset,
    setBehaviour: async (index, behaviour) => void (await request('POST', `/${index}/${behaviour}`)),
    async untilDelivered(events, endpoints = count) {
      const deadlineMs = performance.now() + limits.deliveredMs
      while (performance.now() < deadlineMs) {
        const current = await figures()
        if (current.slice(0, endpoints).every((endpoint) => endpoint.count >= events)) return current
        await new Promise((resolve) => setTimeout(resolve, limits.deliveredPollMs))
      }
      const counts = (await figures()).map((endpoint) => endpoint.count).join(', ')
      throw new BenchError(`the endpoints did not receive ${events} events each, but ${counts}`)
    },
    stop: () => receiver.stop(),
  }
}

/** A percentile of the lags, in milliseconds; NaN without lags. */
export function lagPercentile(percent: number, figures: readonly EndpointFigures[]): number {
  const lags = figures.flatMap((endpoint) => endpoint.lags).toSorted(([one], [other]) => one - other)
  let remaining = (lags.reduce((sum, [, times]) => sum + times, 0) * percent) / 100
  for (const [ms, times] of lags) {
    remaining -= times
    if (remaining <= 0) return ms
  }
  return Number.NaN
}
