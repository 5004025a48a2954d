import type { Html } from '@tollgate/contract'
import { page } from '../http/answers.ts'
import type { SimulatorResponse } from '../http/exchange.ts'

/** A message of the protocol. */
export const message = (body: Uint8Array): SimulatorResponse => ({
  status: 200,
  headers: {
    'content-type': 'application/json;charset=UTF-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  },
  body: Buffer.from(body).toString('utf8'),
})

/** A page of the ACS: it may be framed by anybody, as that of an ACS is, and sends its form with a script of ours. */
export const acsPage = (html: Html, status = 200): SimulatorResponse =>
  page(status, html, { 'script-src': "'self'", 'frame-ancestors': '*' })
