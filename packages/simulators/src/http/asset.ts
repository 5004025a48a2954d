import { createHash } from 'node:crypto'
import type { SimulatorResponse } from './exchange.ts'

/** A file that never changes under its address, which holds its digest. */
export interface Asset {
  readonly path: string
  readonly response: SimulatorResponse
}

const types = { css: 'text/css;charset=UTF-8', js: 'text/javascript;charset=UTF-8', svg: 'image/svg+xml' } as const

/** @param folder where it is served, such as `/bank/assets` */
export function asset(folder: string, name: string, kind: keyof typeof types, body: string): Asset {
  const digest = createHash('sha256').update(body).digest('hex').slice(0, 12)
  const headers = {
    'content-type': types[kind],
    'cache-control': 'public, max-age=31536000, immutable',
    'x-content-type-options': 'nosniff',
  }
  return { path: `${folder}/${name}-${digest}.${kind}`, response: { status: 200, headers, body } }
}
