import { type WidgetCheckout, widgetTexts } from '@tollgate/contract'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, expect, test } from 'vitest'
import { launchBrowser } from './browser.ts'
import {
  type FakeAnswer,
  assetIndex,
  type FakeGateway,
  type Shop,
  startFakeGateway,
  startShop,
} from './fake-gateway.ts'

// The tests run the built widget in a browser against a fake gateway. The page is in a shop of another site, with the
// strictest policy that the contract permits (Endpoints, rule 2) and with Subresource Integrity.

export const CHECKOUT_ID = '0123456789ABCDEF0123456789ABCDEF.uat01-vm-tx01'
export const CARD = '4111111111111111'
export const isLongRun = process.env['TOLLGATE_TEST_LONG'] === '1'
/** A test that only the long run contains. Every run contains a similar test. */
export const longTest: ReturnType<typeof test.runIf> = test.runIf(isLongRun)
export const en = widgetTexts.en
/** The longest wait for a condition, for busy machines. A wait ends as soon as its condition holds. */
const WAIT_MAX_MS = 15_000
export const eventually: typeof expect.poll = (actual) => expect.poll(actual, { timeout: WAIT_MAX_MS })

export let browser: Browser
export let gateway: FakeGateway
export let shop: Shop
let desktop: BrowserContext
export let phone: BrowserContext
export let page: Page

/** Starts the browser, the gateway and the shop for the tests of a file. Each test has a page of its own. */
export function setUpBrowser(): void {
  beforeAll(async () => {
    ;[browser, gateway, shop] = await Promise.all([launchBrowser(), startFakeGateway(), startShop()])
    desktop = await browser.newContext()
    phone = await browser.newContext({ viewport: { width: 320, height: 700 }, isMobile: true, hasTouch: true })
  })
  afterAll(() => Promise.all([browser.close(), gateway.close(), shop.close()]))
  beforeEach(() => {
    gateway.checkout = {}
    gateway.answers = []
    gateway.posted.length = 0
    gateway.cancellations = 0
    gateway.cancelledCheckout = { declined: 'cancelled' }
    gateway.modifiedFiles = []
    gateway.failingPaths = []
    gateway.hangingPaths = []
    gateway.delayMs = 0
  })
  afterEach(() => page.close())
}

const strictestPolicy = (): Readonly<Record<string, string>> => ({
  'default-src': "'none'",
  'script-src': `${gateway.url} 'nonce-shop'`,
  'style-src': gateway.url,
  'frame-src': gateway.url,
  'connect-src': gateway.url,
  'img-src': gateway.url,
  'form-action': "'none'",
  'base-uri': "'none'",
  'require-trusted-types-for': "'script'",
  'trusted-types': "'none'",
})

export const noExpiry = { expiryMonth: undefined, expiryYear: undefined }

export interface FormPage {
  readonly checkout?: Partial<WidgetCheckout>
  readonly answers?: readonly FakeAnswer[]
  /** The page's `wpwlOptions`, as its script writes them. */
  readonly options?: string
  readonly brands?: string
  /** Inputs of the shop in its form. */
  readonly formContent?: string
  readonly policy?: Readonly<Record<string, string>>
  /** The default is a desktop. */
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
  readonly afterForm?: string
  /** Whether the page has a clock that the test controls. */
  readonly hasFakeClock?: true
}

/** Opens the shop's page with the form. */
export async function openForm(formPage: FormPage): Promise<void> {
  const {
    checkout = {},
    answers = [],
    options = '{}',
    brands = 'VISA MASTER AMEX',
    formContent = '',
    policy = {},
  } = formPage
  const { script = '', head = '', path = '/v1/paymentWidgets.js', afterForm = '' } = formPage
  const attributes = `action="${shop.url}/result?order=7" class="paymentWidgets" data-brands="${brands}"`
  const integrity = `sha384-${assetIndex['paymentWidgets.js']?.sha384}`
  gateway.checkout = checkout
  gateway.answers = [...answers]
  shop.page = {
    policy: Object.entries({ ...strictestPolicy(), ...policy })
      .map((directive) => directive.join(' '))
      .join('; '),
    body: `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width"><title>Shop</title>
<script nonce="shop">${script};var wpwlOptions = ${options}</script>
<script src="${gateway.url}${path}?checkoutId=${CHECKOUT_ID}" integrity="${integrity}" crossorigin="anonymous"
></script>${head}</head><body><main><h1>Checkout</h1>
${formPage.form ?? `<form ${attributes}>${formContent}</form>`}${afterForm}
</main></body></html>`,
  }
  page = await (formPage.context ?? desktop).newPage()
  page.setDefaultTimeout(WAIT_MAX_MS)
  if (formPage.hasFakeClock) await page.clock.install()
  await page.goto(shop.url)
}

export const frameInput = (name: string): Locator => control(name).first().contentFrame().locator('input')
export const control = (name: string): Locator => page.locator(`.wpwl-control-${name}`)
export const hint = (name: string): Locator => page.locator(`.wpwl-hint-${name}Error`)
export const payButton = (): Locator => page.locator('.wpwl-button-pay').first()
export const message = (): Locator => page.locator('.wpwl-message').filter({ hasText: /./ })

export async function fillCard(number = CARD, cvv = '123'): Promise<void> {
  await frameInput('cardNumber').fill(number)
  await control('expiry').fill('12 / 39')
  await frameInput('cvv').fill(cvv)
  await control('cardHolder').fill('Jane Jones')
}

/** The values of the first form that was posted to the gateway. */
export const postedValues = (): Record<string, string> => Object.fromEntries(gateway.posted[0]?.values ?? [])
/** Waits for the page to which the shopper returns. */
export const waitForReturn = (action = 'payment'): Promise<void> => {
  const resourcePath = encodeURIComponent(`/v1/checkouts/${CHECKOUT_ID}/${action}`)
  return page.waitForURL(`${shop.url}/result?order=7&id=${CHECKOUT_ID}&resourcePath=${resourcePath}`)
}
