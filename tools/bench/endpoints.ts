import { BenchError } from './bench-error.ts'
import { limits } from './limits.ts'
import { manage, textAt } from './merchants.ts'
import { serveReceiver } from './served.ts'

/** up: answers 200 at once. silent: accepts requests and never answers. dead: no server listens. */
export type Manner = 'up' | 'silent' | 'dead'

/** Deliveries to one endpoint since its last reset. */
export interface EndpointFigures {
  readonly url: string
  readonly count: number
  /** From the arrival of the first to that of the last. */
  readonly seconds: number
  /**
   * How many came so many milliseconds after their event was made. That is shortly before its commit, so the time from
   * the commit is less.
   */
  readonly lags: readonly (readonly [ms: number, times: number])[]
}

/** Endpoints in a process of their own, each with an active webhook. */
export interface Endpoints {
  figures(): Promise<readonly EndpointFigures[]>
  /** What had come until then. */
  reset(): Promise<readonly EndpointFigures[]>
  behave(index: number, manner: Manner): Promise<void>
  /** Waits until each of the first `endpoints` has had `count` events. @throws BenchError after `limits.tellMs` */
  untilDelivered(count: number, endpoints?: number): Promise<readonly EndpointFigures[]>
  stop(): Promise<void>
}

/** Starts endpoints and registers each of them for an entity and all that is below it. */
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
    behave: async (index, manner) => void (await request('POST', `/${index}/${manner}`)),
    async untilDelivered(wanted, endpoints = count) {
      const giveUpMs = performance.now() + limits.tellMs
      while (performance.now() < giveUpMs) {
        const now = await figures()
        if (now.slice(0, endpoints).every((each) => each.count >= wanted)) return now
        await new Promise((resolve) => setTimeout(resolve, limits.tellPollMs))
      }
      const counts = (await figures()).map((each) => each.count).join(', ')
      throw new BenchError(`endpoints got other numbers of events than ${wanted}: ${counts}`)
    },
    stop: () => receiver.stop(),
  }
}

/** The lag that so many of a hundred did not exceed, in milliseconds; NaN for none. */
export function lagAt(percent: number, figures: readonly EndpointFigures[]): number {
  const lags = figures.flatMap((each) => each.lags).toSorted(([one], [other]) => one - other)
  let left = (lags.reduce((sum, [, times]) => sum + times, 0) * percent) / 100
  for (const [ms, times] of lags) {
    left -= times
    if (left <= 0) return ms
  }
  return Number.NaN
}
