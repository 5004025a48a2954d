import { html } from '@tollgate/contract'
import type { FastifyInstance } from 'fastify'
import { shopStyle } from './style.ts'

/** The icon of the pages: a leaf on a green ground. */
const icon =
  html`<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="8" fill="#2f5d46"/>
<path d="M16 5c9 4 9 16 0 22-9-6-9-18 0-22z" fill="#cfe8c9"/>
<path d="M16 9v17" stroke="#2f5d46" stroke-width="2"/></svg>`.html

export const ICON_PATH = '/assets/icon.svg'
export const STYLE_PATH = '/assets/shop.css'

/** Adds the style sheet and the icon of all pages, and forbids content sniffing in all answers. */
export function addAssets(server: FastifyInstance): void {
  server.addHook('onRequest', async (_request, reply) => {
    reply.header('x-content-type-options', 'nosniff')
  })
  server.get(ICON_PATH, async (_request, reply) => reply.headers(cacheHeaders).type('image/svg+xml').send(icon))
  server.get(STYLE_PATH, async (_request, reply) =>
    reply.headers(cacheHeaders).type('text/css; charset=utf-8').send(shopStyle),
  )
}

const cacheHeaders = { 'cache-control': 'public, max-age=300' } as const
