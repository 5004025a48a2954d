import { randomBytes } from 'node:crypto'
import { createBank } from './bank/bank.ts'
import { plain } from './http/answers.ts'
import type { Clock, Handle } from './http/exchange.ts'
import { type Address, type Host, startHost } from './http/host.ts'
import { sendByHttp } from './http/send.ts'
import { limits } from './limits.ts'

/** Something that runs until it is closed. */
export type Running = Host

export interface SimulatorsOptions extends Address {
  /** Whose time decides what is due; embedded, that of the gateway, which can be put forward. The machine's otherwise. */
  readonly clock?: Clock
  /** Who else answers, by the first part of the path, such as `/ds`, given the address of all. */
  readonly further?: (url: string) => Readonly<Record<string, Handle>>
}

/**
 * Starts banks and wallets, and whatever else is mounted, on an address of their own: beside a gateway or alone.
 *
 * @returns once it listens
 * @throws what `listen` reports, such as EADDRINUSE
 */
export async function startSimulators(options: SimulatorsOptions): Promise<Running> {
  const { clock = { now: () => Date.now() }, further } = options
  let ticking: NodeJS.Timeout | undefined
  const host = await startHost(options, (url) => {
    const bank = createBank({ url, clock, random: randomBytes, send: sendByHttp })
    ticking = setInterval(() => void bank.advance(), limits.tickMs)
    return mount({ '/bank': bank.handle, ...further?.(url) })
  })
  return {
    url: host.url,
    async close() {
      clearInterval(ticking)
      await host.close()
    },
  }
}

/** Answers by the first part of the path. */
function mount(handlers: Readonly<Record<string, Handle>>): Handle {
  const lost = plain(404, `there is nothing here but ${Object.keys(handlers).join(', ')}\n`)
  return async (request) => {
    const [first = ''] = request.path.slice(1).split(/[/?]/, 1)
    return (await handlers[`/${first}`]?.(request)) ?? lost
  }
}
