import type { Html } from '@tollgate/contract'
import type { FastifyReply } from 'fastify'

/**
 * Default directives of the Content-Security-Policy of a page. Style sheets and images may only come from the
 * simulator. A form may lead to any http or https address, because browsers also check the redirects after a form, and
 * a shopper is redirected from bank to gateway to shop; `javascript:` and `data:` are forbidden.
 */
const defaultDirectives = {
  'default-src': "'none'",
  'style-src': "'self'",
  'img-src': "'self'",
  'form-action': "'self' https: http:",
  'base-uri': "'none'",
  'frame-ancestors': "'none'",
} as const

/** Sends a page. @param policy directives that are added to `defaultDirectives` or replace them */
export function sendPage(
  reply: FastifyReply,
  { html }: Html,
  policy: Readonly<Record<string, string>> = {},
): FastifyReply {
  const directives = Object.entries({ ...defaultDirectives, ...policy }).map(([name, value]) => `${name} ${value}`)
  return reply
    .headers({
      'content-security-policy': directives.join('; '),
      // Referrers are sent to the same origin only. With `no-referrer` browsers would also omit the origin of forms.
      'referrer-policy': 'same-origin',
    })
    .type('text/html; charset=utf-8')
    .send(html)
}
