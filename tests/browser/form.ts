import { type WidgetCheckout, widgetTexts } from '@tollgate/contract'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser } from './browser.ts'
import { type Answer, assetIndex, type FakeService, type Shop, startFakeService, startShop } from './fake-service.ts'

// The built widget in a browser, in a shop of another site, under the strictest policy that the contract permits
// (Endpoints, rule 2) and with Subresource Integrity, against a fake service.

export const ID = '0123456789ABCDEF0123456789ABCDEF.uat01-vm-tx01'
export const CARD = '4111111111111111'
export const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'
/** A test of the long run; a similar one is in every run. */
export const longTest: ReturnType<typeof test.runIf> = test.runIf(isLong)
export const en = widgetTexts.en
/** Long enough for a busy machine; waits end as soon as their condition holds. */
const WAIT_MAX_MS = 15_000
export const eventually: typeof expect.poll = (actual) => expect.poll(actual, { timeout: WAIT_MAX_MS })

export let browser: Browser
export let service: FakeService
export let shop: Shop
let desktop: BrowserContext
export let phone: BrowserContext
export let page: Page

/** Starts browser, service and shop for the tests of a file; each test has a page of its own. */
export function setUpBrowser(): void {
  beforeAll(async () => {
    ;[browser, service, shop] = await Promise.all([launchBrowser(), startFakeService(), startShop()])
    desktop = await browser.newContext()
    phone = await browser.newContext({ viewport: { width: 320, height: 700 }, isMobile: true, hasTouch: true })
  })
  afterAll(() => Promise.all([browser.close(), service.close(), shop.close()]))
  beforeEach(() => {
    service.checkout = {}
    service.answers = []
    service.posted.length = 0
    service.cancelled = 0
    service.afterCancel = { declined: 'cancelled' }
    service.changed = []
    service.failing = []
    service.hanging = []
    service.delayMs = 0
  })
  afterEach(() => page.close())
}

const strictestPolicy = (): Readonly<Record<string, string>> => ({
  'default-src': "'none'",
  'script-src': `${service.url} 'nonce-shop'`,
  'style-src': service.url,
  'frame-src': service.url,
  'connect-src': service.url,
  'img-src': service.url,
  'form-action': "'none'",
  'base-uri': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
})

export const withoutExpiry = { expiryMonth: undefined, expiryYear: undefined }

export interface FormPage {
  readonly checkout?: Partial<WidgetCheckout>
  readonly answers?: readonly Answer[]
  /** The page's `wpwlOptions`, as its script writes them. */
  readonly options?: string
  readonly brands?: string
  /** Inputs of the shop in its form. */
  readonly formContent?: string
  readonly policy?: Readonly<Record<string, string>>
  /** Default: a desktop. */
  readonly context?: BrowserContext
  /** The first script of the page. */
  readonly script?: string
  /** Elements of the page's head after the widget's script. */
  readonly head?: string
  /** Path of the widget's script. */
  readonly path?: string
  /** Replaces the page's form. */
  readonly form?: string
  /** Elements after the form. */
  readonly after?: string
  /** Installs a clock that the test controls. */
  readonly clock?: true
}

export async function openForm(given: FormPage): Promise<void> {
  const {
    checkout = {},
    answers = [],
    options = '{}',
    brands = 'VISA MASTER AMEX',
    formContent = '',
    policy = {},
  } = given
  const { script = '', head = '', path = '/v1/paymentWidgets.js', after = '' } = given
  const attributes = `action="${shop.url}/result?order=7" class="paymentWidgets" data-brands="${brands}"`
  const integrity = `sha384-${assetIndex['paymentWidgets.js']?.sha384}`
  service.checkout = checkout
  service.answers = [...answers]
  shop.page = {
    policy: Object.entries({ ...strictestPolicy(), ...policy })
      .map((directive) => directive.join(' '))
      .join('; '),
    body: `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width"><title>Shop</title>
<script nonce="shop">${script};var wpwlOptions = ${options}</script>
<script src="${service.url}${path}?checkoutId=${ID}" integrity="${integrity}" crossorigin="anonymous"
></script>${head}</head><body><main><h1>Checkout</h1>
${given.form ?? `<form ${attributes}>${formContent}</form>`}${after}
</main></body></html>`,
  }
  page = await (given.context ?? desktop).newPage()
  page.setDefaultTimeout(WAIT_MAX_MS)
  if (given.clock) await page.clock.install()
  await page.goto(shop.url)
}

export const inFrame = (name: string): Locator => control(name).first().contentFrame().locator('input')
export const control = (name: string): Locator => page.locator(`.wpwl-control-${name}`)
export const hint = (name: string): Locator => page.locator(`.wpwl-hint-${name}Error`)
export const payButton = (): Locator => page.locator('.wpwl-button-pay').first()
export const message = (): Locator => page.locator('.wpwl-message').filter({ hasText: /./ })

export async function fillCard(number = CARD, cvv = '123'): Promise<void> {
  await inFrame('cardNumber').fill(number)
  await control('expiry').fill('12 / 39')
  await inFrame('cvv').fill(cvv)
  await control('cardHolder').fill('Jane Jones')
}

export const posted = (): Record<string, string> => Object.fromEntries(service.posted[0]?.values ?? [])
export const backInShop = (action = 'payment'): Promise<void> =>
  page.waitForURL(`${shop.url}/result?order=7&id=${ID}&resourcePath=%2Fv1%2Fcheckouts%2F${ID}%2F${action}`)
