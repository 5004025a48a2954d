import { serveAssets } from '../http/asset.ts'
import type { Post } from '../http/post.ts'
import type { TextRequest } from '../http/server.ts'
import type { Simulator, SimulatorEnvironment } from '../simulator.ts'
import { answer } from './acs/answer.ts'
import { appChallenge } from './acs/app-challenge.ts'
import { challenge } from './acs/challenge.ts'
import { method } from './acs/method.ts'
import { createSessions } from './acs/sessions.ts'
import { endDueSessions } from './acs/timeouts.ts'
import { directoryServer } from './ds/directory-server.ts'
import type { ThreeDSecureEnvironment } from './environment.ts'
import { forwardScript } from './pages/forward-page.ts'
import { acsStyle } from './pages/style.ts'
import { sendMessage } from './replies.ts'

/** The handlers of paths that answer with a message of the protocol. */
const messages = { '/ds': directoryServer, '/acs/app': appChallenge } as const

/** The handlers of paths that answer with a page. */
const pages = { '/acs/method': method, '/acs/challenge': challenge, '/acs/answer': answer } as const

/**
 * Creates a directory server and an ACS. They authenticate the cards of `threeDSecureCards` and
 * `threeDSecureFaultCards`, and any other card if the extension of the request declares it enrolled. Their state is in
 * memory and bounded.
 *
 * A request for the card with the fault `silence` is never answered, and ends with its connection.
 *
 * @param post sends a message to a 3DS server
 */
export function createThreeDSecureSimulator(base: SimulatorEnvironment, post: Post): Simulator {
  const environment: ThreeDSecureEnvironment = {
    get url() {
      return base.url
    },
    clock: base.clock,
    random: base.random,
    post,
    sessions: createSessions(),
  }
  return {
    register(server) {
      serveAssets(server, [acsStyle, forwardScript])
      for (const [path, respond] of Object.entries(messages))
        server.post(path, async ({ body }: TextRequest, reply) => sendMessage(reply, await respond(environment, body)))
      for (const [path, show] of Object.entries(pages))
        server.post(path, async (request: TextRequest, reply) => show(environment, request, reply))
    },
    advance: () => endDueSessions(environment),
  }
}
