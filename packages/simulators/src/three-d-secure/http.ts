/** A request to the simulator; what carries it is somebody else's. */
export interface SimulatorRequest {
  readonly method: string
  /** Below the simulator's address, without query: `/ds`. */
  readonly path: string
  /** In lower case. */
  readonly headers: Readonly<Record<string, string | undefined>>
  readonly body: Uint8Array
}

/** The answer to it. */
export interface SimulatorReply {
  readonly status: number
  readonly headers: Readonly<Record<string, string>>
  readonly body: Uint8Array
}

const encode = (text: string): Uint8Array => new TextEncoder().encode(text)

/** A message of the protocol. */
export const message = (body: Uint8Array): SimulatorReply => ({
  status: 200,
  headers: { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' },
  body,
})

/**
 * A page of the ACS. It may be framed by anybody, as an ACS is. There is no `form-action`: the browser would hold the
 * way on to it as well, from the 3DS server's page back to a shop or an app that nobody here knows.
 */
export const page = (html: string, status = 200): SimulatorReply => ({
  status,
  headers: {
    'content-type': 'text/html; charset=utf-8',
    'cache-control': 'no-store',
    'content-security-policy':
      "default-src 'none'; style-src 'self'; script-src 'self'; base-uri 'none'; frame-ancestors *",
    'referrer-policy': 'no-referrer',
    'x-content-type-options': 'nosniff',
  },
  body: encode(html),
})

/** A file that pages are made with. */
export const asset = (contentType: string, text: string): SimulatorReply => ({
  status: 200,
  headers: { 'content-type': contentType, 'cache-control': 'max-age=3600', 'x-content-type-options': 'nosniff' },
  body: encode(text),
})

/** A refusal that no page or message is made for. */
export const refusal = (
  status: number,
  text: string,
  headers: Readonly<Record<string, string>> = {},
): SimulatorReply => ({
  status,
  headers: { 'content-type': 'text/plain; charset=utf-8', 'cache-control': 'no-store', ...headers },
  body: encode(`${text}\n`),
})
