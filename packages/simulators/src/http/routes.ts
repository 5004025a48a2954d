import { plain } from './answers.ts'
import type { Asset } from './asset.ts'
import type { SimulatorRequest, SimulatorResponse } from './exchange.ts'

/** A request whose address has been read. */
export interface Call {
  readonly method: string
  readonly path: string
  /** What stands in the place of `:id`; empty where the path of the route has none. */
  readonly id: string
  readonly query: URLSearchParams
  readonly headers: SimulatorRequest['headers']
  /** UTF-8. */
  readonly body: string
}

/** One address and what answers there. */
export interface Route {
  readonly method: 'GET' | 'POST'
  /** `/bank/payments/:id` */
  readonly path: string
  readonly answer: (call: Call) => SimulatorResponse | Promise<SimulatorResponse>
}

/** The route of a file. */
export const routeOf = ({ path, response }: Asset): Route => ({ method: 'GET', path, answer: () => response })

/**
 * Answers by a table of routes: the first one that fits. HEAD is answered as GET, whose body the host leaves out.
 *
 * @param lost what is answered where no route has the path
 */
export function router(routes: readonly Route[], lost: Route['answer']) {
  return async ({ method, path, query, headers, body }: SimulatorRequest): Promise<SimulatorResponse> => {
    const text = new TextDecoder().decode(body)
    const call = { method, path, query: new URLSearchParams(query), headers, body: text }
    const fitting = routes.flatMap((route) => {
      const id = idIn(route.path, path)
      return id === undefined ? [] : [{ route, id }]
    })
    const found = fitting.find(({ route }) => route.method === (method === 'HEAD' ? 'GET' : method))
    if (found) return found.route.answer({ ...call, id: found.id })
    if (fitting.length === 0) return lost({ ...call, id: '' })
    const allow = fitting.map(({ route }) => route.method).join(', ')
    return plain(405, `${method} is not for this address; ${allow} is\n`, { allow })
  }
}

/** The id in a path that fits a pattern, empty if the pattern has none; undefined: it does not fit. */
function idIn(pattern: string, path: string): string | undefined {
  const parts = path.split('/')
  const wanted = pattern.split('/')
  if (parts.length !== wanted.length) return undefined
  if (!wanted.every((part, index) => (part === ':id' ? parts[index] !== '' : part === parts[index]))) return undefined
  return parts[wanted.indexOf(':id')] ?? ''
}
