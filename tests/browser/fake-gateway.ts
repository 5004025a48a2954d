import { readFileSync } from 'node:fs'
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { join } from 'node:path'
import { brands, isLanguage, type LanguageCode, languages, type WidgetCheckout, widgetTexts } from '@tollgate/contract'
import { fieldPage, fieldPagePolicy } from '@tollgate/widget'

const assets = join(import.meta.dirname, '../../../packages/gateway/dist/assets')

interface Asset {
  readonly type: string
  readonly sha384: string
}
/** The built files of the widget, by name. */
export const assetIndex: Readonly<Record<string, Asset>> = JSON.parse(readFileSync(join(assets, 'index.json'), 'utf8'))
export const assetText = (name: string): string => readFileSync(join(assets, name), 'utf8')

/** An answer to a POST of a shopper. `hang up` closes the connection in the middle of the answer. */
export type FakeAnswer = { readonly status: number; readonly body: unknown } | 'hang up'

export interface PostedForm {
  readonly path: string
  readonly values: URLSearchParams
}

/** A fake gateway: it returns the answers that the test sets, and records posted forms. */
export interface FakeGateway {
  readonly url: string
  /** The fields of the checkout that differ from the default. */
  checkout: Partial<WidgetCheckout>
  answers: FakeAnswer[]
  readonly posted: PostedForm[]
  /** The number of reads of the checkout's state. */
  stateRequests: number
  /** The number of cancellations of the pending payment. */
  cancellations: number
  /** Fields of the checkout after a cancellation. */
  cancelledCheckout: Partial<WidgetCheckout>
  /** Files that are served with modified content. */
  modifiedFiles: readonly string[]
  /** Parts of paths that are answered with 503. */
  failingPaths: readonly string[]
  /** Parts of paths that are not answered. */
  hangingPaths: readonly string[]
  /** The delay of every answer. */
  delayMs: number
  readonly close: () => Promise<void>
}

/** An answer with a result code; its status is 200 for approved and pending payments, else 400. */
export const result = (code: string, resultFields: object = {}): FakeAnswer => ({
  status: code.startsWith('000') ? 200 : 400,
  body: { id: 'p', result: { code, description: 'of the test', ...resultFields } },
})

/** The answer to a pending payment with a redirect. */
export const redirectTo = (url: string, redirectFields: object = {}): FakeAnswer => ({
  status: 200,
  body: { result: { code: '000.200.000' }, redirect: { url, parameters: [], ...redirectFields } },
})

const defaultBrands = ['VISA', 'MASTER', 'AMEX', 'CARTEBANCAIRE', 'DIRECTDEBIT_SEPA', 'PAYPAL'] as const

function checkoutIn(language: LanguageCode, changes: Partial<WidgetCheckout>): WidgetCheckout {
  const { tag, direction } = languages[language]
  return {
    state: 'open',
    redirect: undefined,
    cancellable: false,
    declined: undefined,
    purpose: 'payment',
    amount: '92.00',
    currency: 'EUR',
    environment: 'test',
    brands: Object.fromEntries(defaultBrands.map((code) => [code, brands[code]])),
    mandate: { creditor: undefined, creditorId: undefined, reference: undefined },
    registrations: [],
    language,
    tag,
    direction,
    texts: { ...widgetTexts[language] },
    ...changes,
  }
}

const NONCE = 'dGVzdHMgYXJlIG5vdCBzZWNyZXQ='

function fieldPageOf(url: URL): string {
  const lang = url.searchParams.get('lang') ?? 'en'
  const language = languages[isLanguage(lang) ? lang : 'en']
  return fieldPage({
    nonce: NONCE,
    scriptUrl: '/pages/assets/frame.js',
    scriptIntegrity: `sha384-${assetIndex['frame.js']?.sha384}`,
    styleUrl: '/pages/assets/frame.css',
    styleIntegrity: `sha384-${assetIndex['frame.css']?.sha384}`,
    lang: language.tag,
    dir: language.direction,
    title: url.pathname.endsWith('cvv') ? 'CVV' : 'Card number',
  })
}

/** A 3-D Secure page whose button posts the final message of the gateway's pages. */
const authenticationPage = `<!doctype html><html lang="en"><title>Bank</title>
<main><h1>Bank</h1><button>Confirm</button></main>
<script>
document.querySelector('button').onclick = () => parent.postMessage({ kind: 'over' }, '*')
</script></html>`

const listen = (server: Server): Promise<number> =>
  new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address()
      resolve(typeof address === 'object' && address ? address.port : 0)
    })
  })

const closeOf = (server: Server) => async (): Promise<void> => {
  server.closeAllConnections()
  await new Promise((resolve) => void server.close(resolve))
}

async function bodyOf(request: IncomingMessage): Promise<string> {
  const chunks: Buffer[] = []
  for await (const chunk of request) chunks.push(Buffer.from(chunk))
  return Buffer.concat(chunks).toString()
}

const sendHtml = (response: ServerResponse, text: string, policy?: string): void => {
  if (policy !== undefined) response.setHeader('content-security-policy', policy)
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(text)
}

/**
 * Closes the connection after the first byte of the answer, so that the browser does not repeat the request: browsers
 * do so if a reused connection closes before the first byte.
 */
function abortAnswer(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': 1_000 })
  response.write('{', () => response.destroy())
}

export async function startFakeGateway(): Promise<FakeGateway> {
  const server = createServer((request, response) => void answer(request, response))
  const gateway: FakeGateway = {
    url: `http://127.0.0.1:${await listen(server)}`,
    checkout: {},
    answers: [],
    posted: [],
    stateRequests: 0,
    cancellations: 0,
    cancelledCheckout: {},
    modifiedFiles: [],
    failingPaths: [],
    hangingPaths: [],
    delayMs: 0,
    close: closeOf(server),
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', gateway.url)
    const path = url.pathname
    const matchesOneOf = (parts: readonly string[]): boolean => parts.some((part) => path.includes(part))
    if (gateway.delayMs > 0) await new Promise((resolve) => void setTimeout(resolve, gateway.delayMs))
    response.setHeader('access-control-allow-origin', '*')
    if (matchesOneOf(gateway.hangingPaths)) return
    if (matchesOneOf(gateway.failingPaths)) return void response.writeHead(503).end()
    if (/^\/v[23]\/paymentWidgets/.test(path)) {
      response.writeHead(307, { location: `/v1/paymentWidgets.js${url.search}` })
      return void response.end()
    }
    const name = path === '/v1/paymentWidgets.js' ? 'paymentWidgets.js' : path.replace(/^\/pages\/assets\//, '')
    const asset = assetIndex[name]
    if (asset) {
      response.setHeader('content-type', asset.type)
      response.setHeader('cache-control', 'max-age=600')
      response.end(assetText(name) + (gateway.modifiedFiles.includes(name) ? ' ' : ''))
    } else if (path.startsWith('/pages/fields/')) {
      sendHtml(response, fieldPageOf(url), fieldPagePolicy(NONCE))
    } else if (path.startsWith('/pages/checkouts/')) {
      const locale = url.searchParams.get('locale') ?? ''
      if (request.method === 'POST') {
        gateway.cancellations++
        gateway.checkout = gateway.cancelledCheckout
      } else gateway.stateRequests++
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(checkoutIn(isLanguage(locale) ? locale : 'en', gateway.checkout)))
    } else if (path.startsWith('/pages/authentications/')) {
      sendHtml(response, authenticationPage)
    } else if (request.method === 'POST') {
      gateway.posted.push({ path, values: new URLSearchParams(await bodyOf(request)) })
      const next = gateway.answers.shift() ?? result('000.100.110')
      if (next === 'hang up') return abortAnswer(response)
      response.statusCode = next.status
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(next.body))
    } else {
      response.statusCode = 404
      response.end()
    }
  }

  return gateway
}

/** A merchant's shop on its own origin and site: the page with the form, and the page to which shoppers return. */
export interface Shop {
  readonly url: string
  page: { readonly body: string; readonly policy?: string }
  readonly close: () => Promise<void>
}

export async function startShop(): Promise<Shop> {
  const server = createServer((request, response) => {
    if (request.url === '/') return sendHtml(response, shop.page.body, shop.page.policy)
    return sendHtml(
      response,
      '<!doctype html><html lang="en"><title>Shop</title><main><h1>Thank you</h1></main></html>',
    )
  })
  const shop: Shop = { url: `http://localhost:${await listen(server)}`, page: { body: '' }, close: closeOf(server) }
  return shop
}
