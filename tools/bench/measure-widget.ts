import { readFileSync } from 'node:fs'
import { createServer, type Server, type ServerResponse } from 'node:http'
import { gzipSync } from 'node:zlib'
import { sandboxIds, sandboxToken } from '@tollgate/gateway'
import { type Browser, chromium } from 'playwright-core'
import { BenchError } from './bench-error.ts'
import { type Effort, limits } from './limits.ts'
import { scratch } from './clean-up.ts'
import { serveGateway } from './server-process.ts'
import { type Spread, spread } from './statistics.ts'

export interface WidgetReport {
  /** Compressed sizes, kB: the loader of a page, the form that it renders, and the files of a field's frame. */
  readonly loaderKb: number
  readonly formKb: number
  readonly frameKb: number
  /** Milliseconds from the request of the merchant's page to `onReady`; undefined if there is no browser. */
  readonly usable: { readonly coldMs: Spread; readonly warmMs: Spread } | undefined
}

/** The built files of each part of the widget. */
const parts = {
  loaderKb: ['paymentWidgets.js'],
  formKb: ['form.js', 'widget.css'],
  frameKb: ['frame.js', 'frame.css'],
} as const

const assets = new URL('../../../packages/gateway/dist/assets/', import.meta.url)

const kilobytes = (names: readonly string[]): number =>
  names.reduce((sum, name) => sum + gzipSync(readFileSync(new URL(name, assets)), { level: 9 }).length / 1_000, 0)

/** Measures the size of the widget, and the time until a card form is usable on a slow phone. */
export async function measureWidget(effort: Effort, print: (line: string) => void): Promise<WidgetReport> {
  const sizes = {
    loaderKb: kilobytes(parts.loaderKb),
    formKb: kilobytes(parts.formKb),
    frameKb: kilobytes(parts.frameKb),
  }
  const executablePath = await findBrowser()
  if (executablePath === undefined) {
    print('widget: the loading time is left out, because no browser is installed')
    return { ...sizes, usable: undefined }
  }
  const gateway = await serveGateway(scratch('widget'))
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] })
  const shop = await startShop(gateway.url)
  try {
    return { ...sizes, usable: await measureForm(browser, shop.url, effort, print) }
  } finally {
    await browser.close()
    shop.server.close()
    await gateway.stop()
  }
}

/** Finds the browser of the tests. @returns the path of its program; undefined if no browser is installed */
async function findBrowser(): Promise<string | undefined> {
  await import(new URL('../../test-browser.mjs', import.meta.url).href)
  return process.env.TOLLGATE_TEST_CHROMIUM
}

async function measureForm(browser: Browser, url: string, effort: Effort, print: (line: string) => void) {
  const cold: number[] = []
  const warm: number[] = []
  for (let load = 1; load <= effort.pageLoads; load += 1) {
    const context = await browser.newContext({ viewport: limits.phone, isMobile: true, hasTouch: true })
    const page = await context.newPage()
    const session = await context.newCDPSession(page)
    await session.send('Network.enable')
    await session.send('Network.emulateNetworkConditions', { offline: false, ...limits.slow4G })
    await session.send('Emulation.setCPUThrottlingRate', { rate: limits.phoneCpuSlowdown })
    for (const times of [cold, warm]) {
      await page.goto(url)
      times.push(Number(await page.evaluate('ready')))
    }
    await context.close()
    print(`widget: load ${load} of ${effort.pageLoads}: a form after ${Math.round(cold.at(-1) ?? 0)} ms`)
  }
  return { coldMs: spread(cold), warmMs: spread(warm) }
}

/**
 * Serves a merchant's page that contains only the form, with a new checkout for each load. The page has the site of the
 * gateway but not its origin, so that the frames share the process of the page and are slowed down with it.
 */
async function startShop(gateway: string): Promise<{ readonly url: string; readonly server: Server }> {
  const server = createServer((_, response) => {
    void sendPage(gateway, response)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  if (typeof address !== 'object' || !address) throw new BenchError('the shop has no port')
  return { url: `http://127.0.0.1:${address.port}`, server }
}

async function sendPage(gateway: string, response: ServerResponse): Promise<void> {
  try {
    const page = pageOf(gateway, await createCheckout(gateway))
    response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(page)
  } catch (error) {
    response.writeHead(500).end(String(error))
  }
}

async function createCheckout(gateway: string): Promise<string> {
  const parameters = { entityId: sandboxIds.channel, amount: '92.00', currency: 'EUR', paymentType: 'DB' }
  const headers = { authorization: `Bearer ${sandboxToken}` }
  const body = new URLSearchParams(parameters)
  const response = await fetch(`${gateway}/v1/checkouts`, { method: 'POST', headers, body })
  const [, id] = /"id":"([^"]+)"/.exec(await response.text()) ?? []
  if (id === undefined) throw new BenchError(`a checkout was answered with ${response.status}`)
  return id
}

const pageOf = (gateway: string, id: string): string => `<!doctype html>
<html lang="en"><head><meta name="viewport" content="width=device-width"><link rel="icon" href="data:,">
<title>Shop</title>
<script>
var ready = new Promise((resolve) => {
  window.wpwlOptions = { onReady: () => resolve(performance.now()), onError: () => resolve(NaN) }
})
</script>
<script src="${gateway}/v1/paymentWidgets.js?checkoutId=${id}"></script></head>
<body><form action="/done" class="paymentWidgets" data-brands="VISA MASTER AMEX"></form></body></html>`
