import { createHash } from 'node:crypto'
import type { FastifyInstance } from 'fastify'

/** A file whose address contains the digest of the file, so that browsers may cache it without a time limit. */
export interface Asset {
  readonly path: string
  readonly type: string
  readonly body: string
}

const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', svg: 'image/svg+xml' } as const

/** Creates an asset. @param folder path under which it is served, such as `/bank/assets` */
export function asset(folder: string, name: string, kind: keyof typeof types, body: string): Asset {
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 12)
  return { path: `${folder}/${name}-${digest}.${kind}`, type: types[kind], body }
}

/** Adds a route for each asset. */
export function serveAssets(server: FastifyInstance, assets: readonly Asset[]): void {
  for (const { path, type, body } of assets) {
    server.get(path, async (_request, reply) =>
      reply.header('cache-control', 'public, max-age=31536000, immutable').type(type).send(body),
    )
  }
}
