import { randomBytes } from 'node:crypto'
import { createBank } from './bank/bank.ts'
import { plain } from './http/answers.ts'
import type { Clock, Handle, Simulator, SimulatorWorld } from './http/exchange.ts'
import { type Address, type Host, startHost } from './http/host.ts'
import { postByHttp } from './http/post.ts'
import { sendByHttp } from './http/send.ts'
import { limits } from './limits.ts'
import { createThreeDSecureSimulator } from './three-d-secure/simulator.ts'

/** Something that runs until it is closed. */
export type Running = Host

export interface SimulatorsOptions extends Address {
  /** Whose time decides what is due: embedded, that of the gateway, which can be put forward; else the machine's. */
  readonly clock?: Clock
  /** Who else answers, by the first part of the path: a directory server and an ACS unless others are given. */
  readonly further?: (world: SimulatorWorld) => Readonly<Record<string, Simulator>>
}

/**
 * Starts banks, wallets, directory server and ACS on an address of their own: beside a gateway or alone.
 *
 * @returns once it listens
 * @throws what `listen` reports, such as EADDRINUSE
 */
export async function startSimulators(options: SimulatorsOptions): Promise<Running> {
  const { clock = { now: () => Date.now() }, further = issuers } = options
  let ticking: NodeJS.Timeout | undefined
  const host = await startHost(options, (url) => {
    const world = { url, clock, random: randomBytes }
    const simulators = { '/bank': createBank({ ...world, send: sendByHttp }), ...further(world) }
    ticking = setInterval(() => {
      for (const simulator of new Set(Object.values(simulators))) void simulator.advance()
    }, limits.tickMs)
    return mount(simulators)
  })
  return {
    url: host.url,
    async close() {
      clearInterval(ticking)
      await host.close()
    },
  }
}

/** The scheme's side of 3-D Secure, and the issuers'. */
function issuers(world: SimulatorWorld): Readonly<Record<string, Simulator>> {
  const both = createThreeDSecureSimulator({ ...world, post: postByHttp })
  return { '/ds': both, '/acs': both }
}

/** Answers by the first part of the path. */
function mount(simulators: Readonly<Record<string, Simulator>>): Handle {
  const lost = plain(404, `there is nothing here but ${Object.keys(simulators).join(', ')}\n`)
  return async (request) => {
    const [, first = ''] = request.path.split('/', 2)
    return (await simulators[`/${first}`]?.handle(request)) ?? lost
  }
}
