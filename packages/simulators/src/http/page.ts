import type { Html } from '@tollgate/contract'
import type { FastifyReply } from 'fastify'

/**
 * Nothing but our own style sheet and pictures. A form may end anywhere in the web, because browsers hold this list
 * against redirects, too, and a shopper goes from bank to gateway to shop; `javascript:` and `data:` stay out.
 */
const strict = {
  'default-src': "'none'",
  'style-src': "'self'",
  'img-src': "'self'",
  'form-action': "'self' https: http:",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
} as const

/** @param policy directives of the Content-Security-Policy beside those of all pages */
export function sendPage(
  reply: FastifyReply,
  { html }: Html,
  policy: Readonly<Record<string, string>> = {},
): FastifyReply {
  const directives = Object.entries({ ...strict, ...policy }).map(([name, value]) => `${name} ${value}`)
  return reply
    .headers({
      'content-security-policy': directives.join('; '),
      // To its own origin only: with none at all a browser would leave out the origin of forms, too.
      'referrer-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')
    .send(html)
}
