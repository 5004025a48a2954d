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
/** The files of the widget as they were built, by name. */
export const assetIndex: Readonly<Record<string, Asset>> = JSON.parse(readFileSync(join(assets, 'index.json'), 'utf8'))
export const assetText = (name: string): string => readFileSync(join(assets, name), 'utf8')

/** An answer to a shopper's POST; `hang up`: the connection ends within it. */
export type Answer = { readonly status: number; readonly body: unknown } | 'hang up'

export interface PostedForm {
  readonly path: string
  readonly values: URLSearchParams
}

/** A fake gateway: it returns the answers that the test sets, and records posted forms. */
export interface FakeService {
  readonly url: string
  /** Fields in which the checkout differs from the default at its next read. */
  checkout: Partial<WidgetCheckout>
  answers: Answer[]
  readonly posted: PostedForm[]
  /** The number of reads of the checkout's state. */
  stateRequests: number
  /** The number of cancellations of the pending payment. */
  cancelled: number
  /** Fields of the checkout after a cancellation. */
  afterCancel: Partial<WidgetCheckout>
  /** Files that are served with modified content. */
  changed: readonly string[]
  /** Parts of paths that are answered with 503. */
  failing: readonly string[]
  /** Parts of paths that are not answered. */
  hanging: readonly string[]
  /** The delay of every answer. */
  delayMs: number
  readonly close: () => Promise<void>
}

export const result = (code: string, more: object = {}): Answer => ({
  status: code.startsWith('000') ? 200 : 400,
  body: { id: 'p', result: { code, description: 'of the test', ...more } },
})

/** A pending payment with a redirect. */
export const redirectTo = (url: string, more: object = {}): Answer => ({
  status: 200,
  body: { result: { code: '000.200.000' }, redirect: { url, parameters: [], ...more } },
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

function field(url: URL): string {
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
const authentication = `<!doctype html><html lang="en"><title>Bank</title>
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

const html = (response: ServerResponse, text: string, policy?: string): void => {
  if (policy !== undefined) response.setHeader('content-security-policy', policy)
  response.setHeader('content-type', 'text/html; charset=utf-8')
  response.end(text)
}

/** Ends the connection within the answer: browsers repeat a request that got no byte on a reused connection. */
function abortAnswer(response: ServerResponse): void {
  response.writeHead(200, { 'content-length': 1_000 })
  response.write('{', () => response.destroy())
}

export async function startFakeService(): Promise<FakeService> {
  const server = createServer((request, response) => void answer(request, response))
  const service: FakeService = {
    url: `http://127.0.0.1:${await listen(server)}`,
    checkout: {},
    answers: [],
    posted: [],
    stateRequests: 0,
    cancelled: 0,
    afterCancel: {},
    changed: [],
    failing: [],
    hanging: [],
    delayMs: 0,
    close: closeOf(server),
  }

  async function answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = new URL(request.url ?? '/', service.url)
    const path = url.pathname
    const matchesOneOf = (parts: readonly string[]): boolean => parts.some((part) => path.includes(part))
    if (service.delayMs > 0) await new Promise((resolve) => void setTimeout(resolve, service.delayMs))
    response.setHeader('access-control-allow-origin', '*')
    if (matchesOneOf(service.hanging)) return
    if (matchesOneOf(service.failing)) return void response.writeHead(503).end()
    if (/^\/v[23]\/paymentWidgets/.test(path)) {
      response.writeHead(307, { location: `/v1/paymentWidgets.js${url.search}` })
      return void response.end()
    }
    const name = path === '/v1/paymentWidgets.js' ? 'paymentWidgets.js' : path.replace(/^\/pages\/assets\//, '')
    const asset = assetIndex[name]
    if (asset) {
      response.setHeader('content-type', asset.type)
      response.setHeader('cache-control', 'max-age=600')
      response.end(assetText(name) + (service.changed.includes(name) ? ' ' : ''))
    } else if (path.startsWith('/pages/fields/')) {
      html(response, field(url), fieldPagePolicy(NONCE))
    } else if (path.startsWith('/pages/checkouts/')) {
      const locale = url.searchParams.get('locale') ?? ''
      if (request.method === 'POST') {
        service.cancelled++
        service.checkout = service.afterCancel
      } else service.stateRequests++
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(checkoutIn(isLanguage(locale) ? locale : 'en', service.checkout)))
    } else if (path.startsWith('/pages/authentications/')) {
      html(response, authentication)
    } else if (request.method === 'POST') {
      service.posted.push({ path, values: new URLSearchParams(await bodyOf(request)) })
      const next = service.answers.shift() ?? result('000.100.110')
      if (next === 'hang up') return abortAnswer(response)
      response.statusCode = next.status
      response.setHeader('content-type', 'application/json')
      response.end(JSON.stringify(next.body))
    } else {
      response.statusCode = 404
      response.end()
    }
  }

  return service
}

/** A merchant's shop on its own origin and site: the page with the form, and the page to which shoppers return. */
export interface Shop {
  readonly url: string
  page: { readonly body: string; readonly policy?: string }
  readonly close: () => Promise<void>
}

export async function startShop(): Promise<Shop> {
  const server = createServer((request, response) => {
    if (request.url === '/') return html(response, shop.page.body, shop.page.policy)
    return html(response, '<!doctype html><html lang="en"><title>Shop</title><main><h1>Thank you</h1></main></html>')
  })
  const shop: Shop = { url: `http://localhost:${await listen(server)}`, page: { body: '' }, close: closeOf(server) }
  return shop
}
