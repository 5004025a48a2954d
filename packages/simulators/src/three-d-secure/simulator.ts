import { plain } from '../http/answers.ts'
import type { Simulator, SimulatorWorld } from '../http/exchange.ts'
import type { Post } from '../http/post.ts'
import { type Call, type Route, routeOf, router } from '../http/routes.ts'
import { answer } from './acs/answer.ts'
import { appChallenge } from './acs/app-challenge.ts'
import { challenge } from './acs/challenge.ts'
import { method } from './acs/method.ts'
import { createSessions } from './acs/sessions.ts'
import { endDue } from './acs/timeouts.ts'
import { simulatorCavvKey } from './cavv.ts'
import { cardRanges } from './ds/card-ranges.ts'
import { directoryServer } from './ds/directory-server.ts'
import { forwardScript } from './pages/forward-page.ts'
import { acsStyle } from './pages/style.ts'
import type { World } from './world.ts'

/** What the simulator is made of; `url` is where 3DS servers and browsers reach it. */
export interface ThreeDSecureSimulatorOptions extends SimulatorWorld {
  /** Sends a message to a 3DS server. */
  readonly post: Post
  /** Key of the authentication values; that of `verifyCavv` where it is left out. */
  readonly cavvKey?: Uint8Array | undefined
}

const routes: Readonly<Record<string, (world: World, call: Call) => ReturnType<Route['answer']>>> = {
  '/ds': directoryServer,
  '/acs/method': method,
  '/acs/challenge': challenge,
  '/acs/answer': answer,
  '/acs/app': appChallenge,
}

/**
 * A directory server and an ACS, which know the cards of `threeDSecureCards` and `threeDSecureFaultCards`, and any
 * other card where the request's extension says so. What they keep is in memory, and bounded.
 *
 * The one card that is never answered gets a promise that never resolves: whoever serves the connection ends it in its
 * own time.
 */
export function createThreeDSecureSimulator(options: ThreeDSecureSimulatorOptions): Simulator {
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
  const posts = Object.entries(routes).map(
    ([path, route]): Route => ({ method: 'POST', path, answer: (call) => route(world, call) }),
  )
  const handle = router([...posts, routeOf(acsStyle), routeOf(forwardScript)], () =>
    plain(404, 'there is nothing here\n'),
  )
  return { handle, advance: () => endDue(world) }
}
