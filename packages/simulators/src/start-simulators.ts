import { randomBytes } from 'node:crypto'
import { createBank } from './bank/bank.ts'
import { plain } from './http/answers.ts'
import type { Clock, Handle } from './http/exchange.ts'
import { type Address, type Host, startHost } from './http/host.ts'
import { sendByHttp } from './http/send.ts'
import { limits } from './limits.ts'
import { createThreeDSecureSimulator, type ThreeDSecureSimulator } from './three-d-secure/simulator.ts'

/** Something that runs until it is closed. */
export type Running = Host

export interface SimulatorsOptions extends Address {
  /** Whose time decides what is due; embedded, that of the gateway, which can be put forward. The machine's otherwise. */
  readonly clock?: Clock
}

/**
 * Starts banks, wallets, directory server and ACS on an address of their own: beside a gateway or alone.
 *
 * @returns once it listens
 * @throws what `listen` reports, such as EADDRINUSE
 */
export async function startSimulators(options: SimulatorsOptions): Promise<Running> {
  const { clock = { now: () => Date.now() } } = options
  let ticking: NodeJS.Timeout | undefined
  const host = await startHost(options, (url) => {
    const bank = createBank({ url, clock, random: randomBytes, send: sendByHttp })
    const issuers = createThreeDSecureSimulator({ url, clock, random: randomBytes, post: postMessage })
    const answer = asHandle(issuers)
    ticking = setInterval(() => void Promise.all([bank.advance(), issuers.tick()]), limits.tickMs)
    return mount({ '/bank': bank.handle, '/ds': answer, '/acs': answer })
  })
  return {
    url: host.url,
    async close() {
      clearInterval(ticking)
      await host.close()
    },
  }
}

/** Messages of 3-D Secure are bytes, of pages and banks texts. */
function asHandle({ handle }: ThreeDSecureSimulator): Handle {
  return async ({ method, path, headers, body }) => {
    const [address = ''] = path.split('?', 1)
    const reply = await handle({ method, path: address, headers, body: Buffer.from(body) })
    return { ...reply, body: Buffer.from(reply.body).toString('utf8') }
  }
}

/** A message to a 3DS server. */
async function postMessage(url: string, body: Uint8Array): Promise<Uint8Array | undefined> {
  const headers = { 'content-type': 'application/json; charset=utf-8' }
  const signal = AbortSignal.timeout(limits.sendTimeoutMs)
  try {
    const answer = await fetch(url, { method: 'POST', headers, body: Buffer.from(body), signal, redirect: 'error' })
    return answer.ok ? new Uint8Array(await answer.arrayBuffer()) : undefined
  } catch {
    return undefined
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
