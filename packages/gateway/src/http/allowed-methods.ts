import type { FastifyInstance } from 'fastify'
import { withSingleSlashes } from '../single-slashes.ts'

/**
 * Takes note of the routes that a server is given from now on.
 *
 * @returns the methods that the path of an address takes, for what asks with another; none where nothing is there
 */
export function allowedMethods(server: Pick<FastifyInstance, 'addHook'>): (url: string) => readonly string[] {
  const routes: { readonly method: string; readonly path: RegExp }[] = []
  server.addHook('onRoute', ({ method, url }) => {
    const path = new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}/?$`)
    routes.push(...[method].flat().map((each) => ({ method: each, path })))
  })
  return (url) => {
    const [path = ''] = url.split('?', 1)
    const methods = routes.filter((route) => route.path.test(withSingleSlashes(path))).map(({ method }) => method)
    return [...new Set(methods)].toSorted()
  }
}
