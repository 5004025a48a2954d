import { answer } from './acs/answer.ts'
import { appChallenge } from './acs/app-challenge.ts'
import { challenge } from './acs/challenge.ts'
import { method } from './acs/method.ts'
import { createSessions } from './acs/sessions.ts'
import { endDue } from './acs/timeouts.ts'
import { simulatorCavvKey } from './cavv.ts'
import { cardRanges } from './ds/card-ranges.ts'
import { directoryServer } from './ds/directory-server.ts'
import { asset, refusal, type SimulatorReply, type SimulatorRequest } from './http.ts'
import { limits } from './limits.ts'
import { forwardScript } from './pages/forward-page.ts'
import { style } from './pages/style.ts'
import type { World } from './world.ts'

/** What the simulator is made of. */
export interface ThreeDSecureSimulatorOptions {
  /** The address that it is reached at, by the 3DS server and by browsers, without a slash at the end. */
  readonly url: string
  readonly clock: { now(): number }
  readonly random: (bytes: number) => Uint8Array
  /** Sends a message to a 3DS server; undefined where no answer came, or none with a status of success. */
  readonly post: (url: string, body: Uint8Array) => Promise<Uint8Array | undefined>
  /** Key of the authentication values; that of `verifyCavv` where it is left out. */
  readonly cavvKey?: Uint8Array | undefined
}

/** The scheme's side of 3-D Secure: a directory server and an ACS for all issuers. */
export interface ThreeDSecureSimulator {
  /**
   * Answers a request. The promise never resolves for the one card that is never answered: whoever serves the
   * connection ends it in its own time.
   */
  handle(request: SimulatorRequest): Promise<SimulatorReply>
  /** Does what has fallen due by the clock; to be called every second or so. */
  tick(): Promise<void>
}

type Route = (world: World, request: SimulatorRequest) => SimulatorReply | Promise<SimulatorReply>

const routes: Readonly<Record<string, { readonly method: string; readonly route: Route }>> = {
  '/ds': { method: 'POST', route: directoryServer },
  '/acs/method': { method: 'POST', route: method },
  '/acs/challenge': { method: 'POST', route: challenge },
  '/acs/answer': { method: 'POST', route: answer },
  '/acs/app': { method: 'POST', route: appChallenge },
  '/acs/style.css': { method: 'GET', route: () => asset('text/css; charset=utf-8', style) },
  '/acs/forward.js': { method: 'GET', route: () => asset('text/javascript; charset=utf-8', forwardScript) },
}

/**
 * A directory server and an ACS, which know the cards of `threeDSecureCards` and `threeDSecureFaultCards`, and any
 * other card where the request's extension says so. What they keep is in memory, and bounded.
 */
export function createThreeDSecureSimulator(options: ThreeDSecureSimulatorOptions): ThreeDSecureSimulator {
  const { url, clock, random, post, cavvKey = simulatorCavvKey } = options
  const world: World = {
    url,
    now: () => clock.now(),
    random,
    post,
    cavvKey,
    ranges: cardRanges(url),
    sessions: createSessions(),
  }
  return {
    handle: async (request) => {
      const found = Object.hasOwn(routes, request.path) ? routes[request.path] : undefined
      if (!found) return refusal(404, 'There is nothing here.')
      if (found.method !== request.method) return refusal(405, `Use ${found.method}.`, { allow: found.method })
      if (request.body.length > limits.bodyBytesMax) return refusal(413, 'The body is too long.')
      return found.route(world, request)
    },
    tick: () => endDue(world),
  }
}
