import type { Html } from '@tollgate/contract'
import type { SimulatorResponse } from './exchange.ts'

const common = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' } as const

/** An answer to a program. */
export function json(status: number, value: object): SimulatorResponse {
  const headers = { 'content-type': 'application/json;charset=UTF-8', ...common }
  return { status, headers, body: JSON.stringify(value) }
}

/**
 * A page for a person.
 *
 * @param policy the directives of its Content-Security-Policy, beside those that all pages have
 */
export function page(status: number, { html }: Html, policy: Readonly<Record<string, string>> = {}): SimulatorResponse {
  const directives = { ...strict, ...policy }
  const headers = {
    'content-type': 'text/html;charset=UTF-8',
    'content-security-policy': Object.entries(directives)
      .map(([name, value]) => `${name} ${value}`)
      .join('; '),
    // To its own origin only: with none at all a browser would not say whose form it posts either.
    'referrer-policy': 'same-origin',
    ...common,
  }
  return { status, headers, body: html }
}

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

/** Sends a browser on, by GET. */
export function seeOther(location: string, more: Readonly<Record<string, string>> = {}): SimulatorResponse {
  return { status: 303, headers: { location, ...common, ...more }, body: '' }
}

/** An answer of one line. */
export function plain(status: number, body: string, more: Readonly<Record<string, string>> = {}): SimulatorResponse {
  return { status, headers: { 'content-type': 'text/plain;charset=UTF-8', ...common, ...more }, body }
}
