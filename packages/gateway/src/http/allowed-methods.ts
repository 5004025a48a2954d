import type { FastifyInstance } from 'fastify'
import { withSingleSlashes } from '../single-slashes.ts'

/**
 * Records the routes that are added to a server after this call.
 *
 * @returns a function that returns the methods of a path; none for an unknown path
 */
export function recordAllowedMethods(server: Pick<FastifyInstance, 'addHook'>): (url: string) => readonly string[] {
  const routes: { readonly method: string; readonly path: RegExp }[] = []
  server.addHook('onRoute', ({ method, url }) => {
    const path = new RegExp(`^${url.replaceAll('.', '\\.').replaceAll(/:\w+/g, '[^/]+')}/?$`)
    routes.push(...[method].flat().map((routeMethod) => ({ method: routeMethod, path })))
  })
  return (url) => {
    const [path = ''] = url.split('?', 1)
    const methods = routes.filter((route) => route.path.test(withSingleSlashes(path))).map(({ method }) => method)
    return [...new Set(methods)].toSorted()
  }
}
