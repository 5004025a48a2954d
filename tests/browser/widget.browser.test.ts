import { type DeclineReason, languages, type WidgetCheckout, widgetTexts } from '@tollgate/contract'
import type { Browser, BrowserContext, Locator, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { axeFinds } from './axe.ts'
import { launchBrowser } from './browser.ts'
import {
  type Answer,
  assetIndex,
  type FakeService,
  redirectTo,
  result,
  type Shop,
  startFakeService,
  startShop,
} from './fake-service.ts'

// The widget as it is built, in a browser, in a shop on another site, under the strictest policy that the contract
// leaves a merchant (Endpoints, rule 2) and with Subresource Integrity. The service is a small stand-in.

const ID = '0123456789ABCDEF0123456789ABCDEF.uat01-vm-tx01'
const CARD = '4111111111111111'
const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'
/** Near enough to one that always runs. */
const longTest = test.runIf(isLong)
const en = widgetTexts.en
/** Long on a busy machine; nothing waits for as long that comes sooner. */
const PATIENCE_MS = 15_000
const eventually = <T>(look: () => T) => expect.poll(look, { timeout: PATIENCE_MS })

let browser: Browser
let service: FakeService
let shop: Shop
let desktop: BrowserContext
let phone: BrowserContext
let page: Page

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

const strictest = (): Readonly<Record<string, string>> => ({
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

const noExpiry = { expiryMonth: undefined, expiryYear: undefined }

interface Visit {
  readonly checkout?: Partial<WidgetCheckout>
  readonly answers?: readonly Answer[]
  /** The page's `wpwlOptions`, as its script writes them. */
  readonly options?: string
  readonly brands?: string
  /** What the shop puts into its form. */
  readonly inside?: string
  readonly policy?: Readonly<Record<string, string>>
  /** A narrow phone, where it is no desktop. */
  readonly on?: BrowserContext
  /** Runs in the page before anything else. */
  readonly script?: string
  /** More of the page's head, and what follows our script there. */
  readonly head?: string
  /** Path of our script. */
  readonly path?: string
  /** The page's form, where it is another. */
  readonly form?: string
  /** What follows the form. */
  readonly after?: string
  /** Lets the test put the page's clock forward. */
  readonly clock?: true
}

async function visit(given: Visit): Promise<void> {
  const { checkout = {}, answers = [], options = '{}', brands = 'VISA MASTER AMEX', inside = '', policy = {} } = given
  const { script = '', head = '', path = '/v1/paymentWidgets.js', after = '' } = given
  const attributes = `action="${shop.url}/result?order=7" class="paymentWidgets" data-brands="${brands}"`
  const integrity = `sha384-${assetIndex['paymentWidgets.js']?.sha384}`
  service.checkout = checkout
  service.answers = [...answers]
  shop.page = {
    policy: Object.entries({ ...strictest(), ...policy })
      .map((directive) => directive.join(' '))
      .join('; '),
    body: `<!doctype html><html lang="en"><head><meta name="viewport" content="width=device-width"><title>Shop</title>
<script nonce="shop">${script};var wpwlOptions = ${options}</script>
<script src="${service.url}${path}?checkoutId=${ID}" integrity="${integrity}" crossorigin="anonymous"
></script>${head}</head><body><main><h1>Checkout</h1>
${given.form ?? `<form ${attributes}>${inside}</form>`}${after}
</main></body></html>`,
  }
  page = await (given.on ?? desktop).newPage()
  page.setDefaultTimeout(PATIENCE_MS)
  if (given.clock) await page.clock.install()
  await page.goto(shop.url)
}

const inFrame = (name: string): Locator => control(name).first().contentFrame().locator('input')
const control = (name: string): Locator => page.locator(`.wpwl-control-${name}`)
const hint = (name: string): Locator => page.locator(`.wpwl-hint-${name}Error`)
const payButton = (): Locator => page.locator('.wpwl-button-pay').first()
const message = (): Locator => page.locator('.wpwl-message').filter({ hasText: /./ })

async function fillCard(number = CARD, cvv = '123'): Promise<void> {
  await inFrame('cardNumber').fill(number)
  await control('expiry').fill('12 / 39')
  await inFrame('cvv').fill(cvv)
  await control('cardHolder').fill('Jane Jones')
}

const posted = (): Record<string, string> => Object.fromEntries(service.posted[0]?.values ?? [])
const backInShop = (action = 'payment'): Promise<void> =>
  page.waitForURL(`${shop.url}/result?order=7&id=${ID}&resourcePath=%2Fv1%2Fcheckouts%2F${ID}%2F${action}`)

describe('a card', () => {
  test('pays: the digits go from the frames to the service, and the shopper back to the shop', async () => {
    const inside =
      '<input type="hidden" name="createRegistration" value="true"><input type="hidden" name="amount" value="0.01">' +
      '<input type="hidden" name="customParameters[SHOPPER_colour]" value="blue">' +
      '<input type="hidden" name="customParameters[colour]" value="red">'
    await visit({ inside, brands: 'VISA MASTER' })
    await fillCard()
    expect(await payButton().innerText()).toBe('Pay €92.00')
    expect(await inFrame('cardNumber').inputValue()).toBe('4111 1111 1111 1111')
    await payButton().click()
    await backInShop()
    expect(service.posted.map(({ path }) => path)).toEqual([`/v1/checkouts/${ID}/payment`])
    const { 'customer.browser.userAgent': agent, ...rest } = posted()
    expect(agent).toContain('Chrom')
    expect(rest).toMatchObject({
      paymentBrand: 'VISA',
      'card.number': CARD,
      'card.cvv': '123',
      'card.expiryMonth': '12',
      'card.expiryYear': '2039',
      'card.holder': 'Jane Jones',
      createRegistration: 'true',
      'customParameters[SHOPPER_colour]': 'blue',
      shopperResultUrl: `${shop.url}/result?order=7`,
      'customer.browser.javaEnabled': 'false',
      'customer.browser.challengeWindow': '2',
    })
    expect(Object.keys(rest)).not.toContain('amount')
    expect(Object.keys(rest)).not.toContain('customParameters[colour]')
  })

  longTest('is declined, and another try is paid', async () => {
    await visit({ answers: [result('800.100.155'), result('000.000.000')] })
    await fillCard()
    await payButton().click()
    await eventually(() => message().innerText()).toBe(en.declined)
    await eventually(() => inFrame('cvv').inputValue()).toBe('')
    expect(await page.evaluate('document.activeElement.className')).toContain('wpwl-control-cvv')
    expect(await inFrame('cardNumber').inputValue()).toBe('4111 1111 1111 1111')
    expect(await axeFinds(page)).toEqual([])
    await page.keyboard.type('456')
    await payButton().click()
    await backInShop()
    expect(service.posted.map(({ values }) => values.get('card.cvv'))).toEqual(['123', '456'])
  })

  longTest('is told beside the field what the service refuses of it', async () => {
    const parameterErrors = [{ name: 'card.holder', value: 'x', message: 'must match' }]
    await visit({ answers: [result('200.300.404', { parameterErrors })] })
    await fillCard()
    await payButton().click()
    await eventually(() => hint('cardHolder').innerText()).toBe(en.errorHolder)
    expect(await page.evaluate('document.activeElement.name')).toBe('card.holder')
    expect(await control('cardHolder').getAttribute('aria-invalid')).toBe('true')
  })

  test('has its errors beside the fields when the shopper leaves them, and they go when it is mended', async () => {
    await visit({ brands: 'VISA' })
    await inFrame('cardNumber').fill('4111')
    expect(await hint('cardNumber').isVisible()).toBe(false)
    await control('expiry').fill('13 / 39')
    await eventually(() => hint('cardNumber').innerText()).toBe(en.errorCardNumber)
    await control('cardHolder').fill(CARD)
    await inFrame('cvv').focus()
    expect(await hint('expiry').innerText()).toBe(en.errorExpiry)
    expect(await hint('cardHolder').innerText()).toBe(en.errorHolder)
    expect(await inFrame('cardNumber').getAttribute('aria-invalid')).toBe('true')
    expect(await axeFinds(page, page.frames())).toEqual([])
    await fillCard('5454545454545454')
    await payButton().click()
    await eventually(() => hint('cardNumber').innerText()).toBe(en.errorBrand)
    expect(service.posted).toEqual([])
    await fillCard()
    await eventually(() => page.locator('.wpwl-has-error').count()).toBe(0)
  })

  longTest('is detected, written in its groups, and asks for as many digits as its cvv has', async () => {
    await visit({ options: '{ onDetectBrand: (brands) => (document.title = brands.join()) }' })
    await inFrame('cardNumber').pressSequentially('378282246310005')
    expect(await inFrame('cardNumber').inputValue()).toBe('3782 822463 10005')
    await eventually(() => page.title()).toBe('AMEX')
    await inFrame('cvv').fill('12345')
    expect(await inFrame('cvv').inputValue()).toBe('1234')
    await inFrame('cardNumber').press('Home')
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Backspace']) {
      await inFrame('cardNumber').press(key)
    }
    expect(await inFrame('cardNumber').inputValue()).toBe('3788 224631 0005')
  })

  longTest('of two networks leaves the choice to the shopper', async () => {
    await visit({ brands: 'CARTEBANCAIRE VISA' })
    await fillCard()
    await control('brand').selectOption('CARTEBANCAIRE')
    expect(await axeFinds(page)).toEqual([])
    await payButton().click()
    await backInShop()
    expect(posted()['paymentBrand']).toBe('CARTEBANCAIRE')
  })

  test('is paid with the keyboard alone, in the order in which the fields stand', async () => {
    await visit({})
    await inFrame('cvv').waitFor()
    const { keyboard } = page
    // From one process to another the focus takes its time.
    const reach = async (key: string, name: string): Promise<void> => {
      await keyboard.press(key)
      await eventually(() => page.evaluate('document.activeElement.className')).toContain(name)
      const isFrame = name === 'cardNumber' || name === 'cvv'
      if (isFrame) await control(name).contentFrame().locator('input:focus').waitFor()
    }
    for (const [name, typed] of Object.entries({ cardNumber: CARD, expiry: '1239', cvv: '123', cardHolder: 'Jane' })) {
      await reach('Tab', name)
      await keyboard.type(typed)
    }
    await reach('Shift+Tab', 'cvv')
    await keyboard.press('Enter')
    await backInShop()
    expect(posted()).toMatchObject({ 'card.number': CARD, 'card.cvv': '123', 'card.holder': 'Jane' })
  })

  test('waits for the page, which may say no', async () => {
    const options =
      '{ onBeforeSubmitCard: () => new Promise((go) => setTimeout(() => go(document.title === "go"))),' +
      ' onReady: () => (document.title = "ready"), labels: { cardHolder: "Your name" },' +
      ' iframeStyles: { "card-number": { color: "rgb(1, 2, 3)", position: "fixed" } } }'
    await visit({ options })
    await eventually(() => page.title()).toBe('ready')
    expect(await page.locator('.wpwl-label-cardHolder').innerText()).toBe('Your name')
    const style = String(await inFrame('cardNumber').getAttribute('style'))
    expect(style).toContain('color: rgb(1, 2, 3)')
    expect(style).not.toContain('fixed')
    await fillCard()
    await page.evaluate('wpwl.executePayment("wpwl-container-card")')
    await page.evaluate('new Promise((resolve) => setTimeout(resolve, 20))')
    expect(service.posted).toEqual([])
    await page.evaluate('document.title = "go"; wpwl.executePayment("wpwl-container-card")')
    await backInShop()
  })
})

describe('a decline', () => {
  const declined = (reason: DeclineReason): Answer => ({
    status: 400,
    body: { declineReason: reason, result: { code: '800.100.152', description: 'of the test' } },
  })

  test.each([
    ['cvv', 'cvv', en.declinedCvv],
    ['expiry', 'expiry', en.declinedExpiry],
    ['number', 'cardNumber', en.declinedNumber],
  ] as const)('for a wrong %s is told beside the field', async (reason, field, text) => {
    await visit({ answers: [declined(reason)] })
    await fillCard()
    await payButton().click()
    await eventually(() => hint(field).innerText()).toBe(text)
    expect(await message().innerText()).toBe(en.declined)
    expect(await page.evaluate('document.activeElement.className')).toContain(`wpwl-control-${field}`)
    expect(await page.locator('.wpwl-group.wpwl-has-error').count()).toBe(1)
    expect(await axeFinds(page)).toEqual([])
  })

  longTest.each([
    ['funds', en.declinedFunds],
    ['authentication', en.notAuthenticated],
    ['later', en.tryAgain],
    ['generic', en.declined],
  ] as const)('for %s is told for the form as a whole', async (reason, text) => {
    await visit({ answers: [declined(reason)] })
    await fillCard()
    await payButton().click()
    await eventually(() => message().innerText()).toBe(text)
    expect(await page.locator('.wpwl-group.wpwl-has-error').count()).toBe(0)
  })
})

describe('two shoppers at the same checkout', () => {
  const refused = async (checkout: Partial<WidgetCheckout>, code = '800.600.100'): Promise<void> => {
    await visit({ answers: [result(code)], options: '{ onError: ({ name }) => (document.title = name) }' })
    await fillCard()
    await page.clock.install()
    service.checkout = checkout
    await payButton().click()
  }

  test('and has paid: the shopper comes back to the shop', async () => {
    await refused({ state: 'done' }, '700.400.100')
    await backInShop()
  })

  test('and is paying: it is waited for, and once it is paid the shopper comes back to the shop', async () => {
    await refused({ state: 'pending' })
    await eventually(() => message().innerText()).toContain(en.underWay)
    expect(await payButton().isVisible()).toBe(false)
    expect(await page.getByRole('button').allInnerTexts()).toEqual([en.continueButton])
    expect(await axeFinds(page)).toEqual([])
    service.checkout = { state: 'done' }
    await page.clock.runFor(5_000)
    await backInShop()
    expect(service.posted.length).toBe(1)
  })

  longTest('and is declined: the shopper may pay', async () => {
    await refused({ state: 'pending' })
    await eventually(() => message().innerText()).toContain(en.underWay)
    service.checkout = { declined: 'funds' }
    await page.clock.runFor(5_000)
    await eventually(() => message().innerText()).toBe(en.declinedFunds)
    expect(await inFrame('cardNumber').inputValue()).toBe('4111 1111 1111 1111')
    await inFrame('cvv').fill('123')
    await payButton().click()
    await backInShop()
  })

  longTest('and it has expired', async () => {
    await refused({ state: 'gone' })
    await eventually(() => message().innerText()).toBe(en.expired)
    expect(await page.title()).toBe('InvalidCheckoutIdError')
  })

  longTest('or the shopper, who continues to the bank or pays another way', async () => {
    const redirect = { url: `${shop.url}/bank?lang=en`, method: 'GET', parameters: [], inFrame: false } as const
    await refused({ state: 'pending', redirect, cancellable: true })
    await page.getByRole('button', { name: en.otherMethod }).click()
    await eventually(() => payButton().isVisible()).toBe(true)
    expect([service.cancelled, await message().count()]).toEqual([1, 0])
    service.checkout = { state: 'pending', redirect, cancellable: true }
    service.answers = [result('800.600.100')]
    await payButton().click()
    await page.getByRole('button', { name: en.continueButton }).click()
    await page.waitForURL(redirect.url)
  })
})

describe('the page of the bank, in the place of the form', () => {
  const challenge = () => redirectTo(`${service.url}/pages/authentications/1`)
  const bank = () => page.frameLocator('.wpwl-authentication-frame')
  const press = (name: string) => page.getByRole('button', { name }).click()
  const challenged = async (): Promise<void> => {
    await visit({ answers: [challenge(), result('000.100.110')] })
    await fillCard()
    await page.clock.install()
    await payButton().click()
    await bank().getByRole('heading').waitFor()
    service.checkout = { state: 'pending', cancellable: true }
  }

  test('has failed or was cancelled there: the form is back, and says so', async () => {
    await challenged()
    service.checkout = { declined: 'authentication' }
    await bank().getByRole('button').click()
    await eventually(() => message().innerText()).toBe(en.notAuthenticated)
    expect(await inFrame('cardNumber').inputValue()).toBe('4111 1111 1111 1111')
    expect(await page.locator('.wpwl-authentication').count()).toBe(0)
    expect(service.cancelled).toBe(0)
  })

  test('is left to pay another way: the service ends the payment, and the form is back', async () => {
    await challenged()
    await press(en.otherMethod)
    await eventually(() => payButton().isVisible()).toBe(true)
    expect([service.cancelled, service.posted.length, await message().count()]).toEqual([1, 1, 0])
    await payButton().click()
    await backInShop()
  })

  test('does not load: within 15 seconds there is a way to begin again, which is another payment', async () => {
    await challenged()
    expect(await page.getByRole('button').allInnerTexts()).toEqual([en.otherMethod])
    await page.clock.runFor(15_000)
    expect(await page.getByText(en.challengeHelp).isVisible()).toBe(true)
    expect(await axeFinds(page)).toEqual([])
    await press(en.tryAgainButton)
    await backInShop()
    expect([service.cancelled, service.posted.length]).toEqual([1, 2])
    expect(service.posted.map(({ values }) => values.get('card.cvv'))).toEqual(['123', '123'])
  })

  longTest('loses its connection: the way to begin again is there at once', async () => {
    await challenged()
    await page.evaluate('dispatchEvent(new Event("offline"))')
    await page.getByText(en.challengeHelp).waitFor()
  })

  longTest('is left when all is paid: what was paid is paid', async () => {
    await challenged()
    service.afterCancel = { state: 'done' }
    await press(en.otherMethod)
    await backInShop()
    expect(service.posted.length).toBe(1)
  })

  test('is gone after a reload: it is waited for, or ended to pay another way', async () => {
    await challenged()
    await page.reload()
    await eventually(() => message().innerText()).toContain(en.waitOrChange)
    expect(await page.locator('iframe').count()).toBe(0)
    expect(await axeFinds(page)).toEqual([])
    await press(en.otherMethod)
    await inFrame('cvv').waitFor()
    expect([service.cancelled, await message().count()]).toEqual([1, 0])
    await fillCard()
    await payButton().click()
    await backInShop()
  })

  longTest('is gone after a reload, and the bank confirms the payment in its app', async () => {
    await challenged()
    await page.reload()
    await eventually(() => message().innerText()).toContain(en.waitOrChange)
    service.checkout = { state: 'done' }
    await page.clock.runFor(5_000)
    await backInShop()
  })

  longTest('is gone after a reload, and the shopper fails there', async () => {
    await challenged()
    await page.reload()
    await eventually(() => message().innerText()).toContain(en.waitOrChange)
    service.checkout = { declined: 'authentication' }
    await page.clock.runFor(5_000)
    await eventually(() => message().innerText()).toBe(en.notAuthenticated)
    expect(await inFrame('cvv').isVisible()).toBe(true)
  })
})

describe('back from the bank', () => {
  const redirect = () => ({ url: `${shop.url}/bank?lang=en`, method: 'GET', parameters: [], inFrame: false }) as const

  test.each(['loaded again', 'as it was left'])(
    'with the page %s, the shopper may choose another method',
    async (how) => {
      const remembers = how === 'as it was left'
      const own = remembers ? await launchBrowser({ keepsPages: true }) : undefined
      await visit({
        ...(own && { on: await own.newContext() }),
        options: '{ requireCvv: false }',
        brands: 'VISA PAYPAL',
        answers: [redirectTo(redirect().url, { parameters: [] })],
        script: 'addEventListener("pageshow", ({ persisted }) => (document.title = String(persisted)))',
      })
      await inFrame('cardNumber').fill(CARD)
      await page.locator('.wpwl-container-virtualAccount-PAYPAL .wpwl-button-pay').click()
      await page.waitForURL(redirect().url)
      service.checkout = { state: 'pending', redirect: redirect(), cancellable: true }
      await page.goBack({ waitUntil: 'commit' })
      await eventually(() => message().innerText()).toContain(en.underWay)
      expect(await page.title()).toBe(String(remembers))
      await page.getByRole('button', { name: en.otherMethod }).click()
      await eventually(() => payButton().isVisible()).toBe(true)
      expect(service.cancelled).toBe(1)
      // The card number that a page keeps is still in its frame, into which the test does not see any more.
      if (!remembers) await inFrame('cardNumber').fill(CARD)
      await control('expiry').fill('12 / 39')
      await control('cardHolder').fill('Jane Jones')
      await payButton().click()
      await backInShop()
      expect(Object.fromEntries(service.posted.at(-1)?.values ?? [])).toMatchObject({
        paymentBrand: 'VISA',
        'card.number': CARD,
      })
      await own?.close()
    },
  )

  longTest('after the payment: the page does not send the shopper away by itself', async () => {
    await visit({})
    await inFrame('cvv').waitFor()
    service.checkout = { state: 'done' }
    await page.evaluate('dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))')
    await eventually(() => message().innerText()).toContain(en.alreadyDone)
    await page.getByRole('button', { name: en.continueButton }).click()
    await backInShop()
  })
})

describe('other ways to pay', () => {
  longTest('a direct debit', async () => {
    await visit({ brands: 'DIRECTDEBIT_SEPA' })
    await control('accountHolder').fill('Jane Jones')
    await control('iban').fill('DE89370400440532013001')
    await control('accountHolder').focus()
    expect(await hint('iban').innerText()).toBe(en.errorIban)
    await control('iban').fill('de89 3704 0044 0532 0130 00')
    expect(await axeFinds(page)).toEqual([])
    await control('iban').press('Enter')
    await backInShop()
    expect(posted()).toMatchObject({
      paymentBrand: 'DIRECTDEBIT_SEPA',
      'bankAccount.iban': 'DE89370400440532013000',
      'bankAccount.country': 'DE',
      'bankAccount.mandate.id': 'ABCDEFGHIJKLMNOPABCDEFGHIJKLMNOP',
      'bankAccount.mandate.dateOfSignature': new Date().toISOString().slice(0, 10),
    })
  })

  test('a direct debit whose mandate names creditor, identifier and reference', async () => {
    const mandate = { creditor: 'Tea & Cake GmbH', creditorId: 'DE98ZZZ09999999999', reference: undefined }
    const inside = '<input type="hidden" name="bankAccount.mandate.id" value="TEA-CAKE">'
    await visit({ brands: 'DIRECTDEBIT_SEPA', checkout: { mandate }, inside })
    const said = page.locator('.wpwl-mandate')
    expect((await said.innerText()).split('\n').filter((line) => line.trim() !== '')).toEqual([
      en.mandate.replace('{merchant}', mandate.creditor),
      en.creditor,
      mandate.creditor,
      en.creditorId,
      mandate.creditorId,
      en.mandateReference,
      'TEA-CAKE',
    ])
    expect(await axeFinds(page)).toEqual([])
    await control('accountHolder').fill('Jane Jones')
    await control('iban').fill('DE89370400440532013000')
    await payButton().click()
    await backInShop()
    expect(posted()['bankAccount.mandate.id']).toBe('TEA-CAKE')
  })

  longTest('a direct debit of a creditor without settings', async () => {
    await visit({ brands: 'DIRECTDEBIT_SEPA' })
    const lines = (await page.locator('.wpwl-mandate').innerText()).split('\n')
    expect(lines.filter((line) => line.trim() !== '')).toEqual([
      en.mandateWithoutName,
      en.mandateReference,
      'ABCDEFGHIJKLMNOPABCDEFGHIJKLMNOP',
    ])
  })

  longTest('a page of the wallet', async () => {
    await visit({ brands: 'PAYPAL', answers: [redirectTo(`${shop.url}/bank?lang=en`, { parameters: [] })] })
    expect(await payButton().innerText()).toBe('Continue to PayPal')
    await payButton().click()
    await page.waitForURL(`${shop.url}/bank?lang=en`)
  })

  longTest('a 3-D Secure page in the place of the form', async () => {
    await visit({ answers: [redirectTo(`${service.url}/pages/authentications/1`)] })
    await fillCard()
    await payButton().click()
    const bank = page.frameLocator('.wpwl-authentication-frame')
    await bank.getByRole('heading').waitFor()
    expect(await axeFinds(page)).toEqual([])
    await page.keyboard.press('Escape')
    // Whoever else says that it is over is not heard.
    await page.evaluate('postMessage({ kind: "over" }, "*")')
    service.checkout = { state: 'done' }
    await bank.getByRole('button').click()
    await backInShop()
  })

  test('what is stored, with its cvv', async () => {
    const registrations = [
      { id: 'r'.repeat(32), brand: 'VISA', last4: '1111', holder: 'Jane', expiryMonth: '12', expiryYear: '2039' },
      { id: 's'.repeat(32), brand: 'AMEX', last4: '0005', holder: 'Jane', expiryMonth: '01', expiryYear: '2040' },
    ]
    const options = '{ registrations: { requireCvv: true, hideInitialPaymentForms: true } }'
    await visit({ checkout: { registrations }, options })
    await page.getByText('American Express ending in 0005').click()
    expect(await page.locator('.wpwl-container-card').isVisible()).toBe(false)
    await inFrame('cvv').fill('1234')
    expect(await axeFinds(page)).toEqual([])
    await payButton().click()
    await backInShop()
    expect(posted()).toMatchObject({ registrationId: 's'.repeat(32), paymentBrand: 'AMEX', 'card.cvv': '1234' })
  })

  test('a bank account that is stored, which has no cvv', async () => {
    const registrations = [
      { id: 's'.repeat(32), brand: 'DIRECTDEBIT_SEPA', last4: '3000', holder: 'Jane', ...noExpiry },
      { id: 'r'.repeat(32), brand: 'VISA', last4: '1111', holder: 'Jane', expiryMonth: '12', expiryYear: '2039' },
    ]
    await visit({ checkout: { registrations }, options: '{ registrations: { requireCvv: true } }' })
    const cvv = page.locator('.wpwl-container-registration .wpwl-group-cvv')
    expect(await cvv.isVisible()).toBe(false)
    await page.getByText('Visa ending in 1111').click()
    await inFrame('cvv').fill('123')
    await page.getByText('ending in 3000').click()
    await eventually(() => cvv.isVisible()).toBe(false)
    await page.locator('.wpwl-container-registration .wpwl-button-pay').click()
    await backInShop()
    expect(posted()).toMatchObject({ registrationId: 's'.repeat(32), paymentBrand: 'DIRECTDEBIT_SEPA' })
    expect(Object.keys(posted())).not.toContain('card.cvv')
  })

  longTest('a registration, which pays nothing', async () => {
    await visit({ checkout: { purpose: 'registration', amount: undefined, currency: undefined } })
    await fillCard()
    expect(await payButton().innerText()).toBe(en.store)
    await payButton().click()
    await backInShop('registration')
    expect(service.posted[0]?.path).toBe(`/v1/checkouts/${ID}/registration`)
  })

  longTest("the shopper's address, where the page asks for it", async () => {
    const options = '{ billingAddress: { country: "DE", city: "Köln" }, mandatoryBillingFields: { street1: true } }'
    await visit({ options })
    await fillCard()
    await payButton().click()
    expect(await hint('street').innerText()).toBe(en.errorRequired)
    await control('street').fill('Domstraße')
    expect(await axeFinds(page)).toEqual([])
    await payButton().click()
    await backInShop()
    expect(posted()).toMatchObject({
      'billing.street1': 'Domstraße',
      'billing.city': 'Köln',
      'billing.country': 'DE',
    })
  })
})

describe('when something is wrong', () => {
  const lostAnswer = async (): Promise<void> => {
    await visit({ answers: ['hang up'] })
    await fillCard()
    await page.clock.install()
    await payButton().click()
    await eventually(() => message().innerText()).toBe(en.unknownState)
  }

  test('a lost answer lets nobody pay twice: what was paid is paid', async () => {
    await lostAnswer()
    await payButton().click({ force: true })
    service.checkout = { state: 'done' }
    await page.clock.runFor(1_000)
    await backInShop()
    expect(service.posted.length).toBe(1)
  })

  longTest('a lost answer is asked for more than once before the shopper may try again', async () => {
    await lostAnswer()
    const asked = service.asked
    const aSecondLater = async (): Promise<string> => {
      await page.clock.runFor(1_000)
      return message().innerText()
    }
    await eventually(aSecondLater).toBe(en.tryAgain)
    expect(service.asked - asked).toBe(2)
    await payButton().click()
    await backInShop()
    expect(service.posted.length).toBe(2)
  })

  test('an expired checkout and one that is paid say so', async () => {
    await visit({
      checkout: { state: 'gone' },
      options: '{ onError: ({ name }) => (document.title = name) }',
    })
    await eventually(() => message().innerText()).toBe(en.expired)
    expect(await page.title()).toBe('InvalidCheckoutIdError')
    expect(await axeFinds(page)).toEqual([])
    service.checkout = { state: 'done' }
    await page.reload()
    await page.getByRole('button', { name: en.continueButton }).click()
    await backInShop()
  })

  test.each(isLong ? ['frame-src', 'connect-src'] : ['frame-src'])(
    'a page whose %s blocks us is told which directive to mend',
    async (name) => {
      const errors: string[] = []
      await visit({
        policy: { [name]: "'none'" },
        options: '{ onError: ({ message }) => (document.title = message) }',
      })
      page.on('pageerror', ({ message: said }) => errors.push(said))
      await eventually(() => message().first().innerText()).toBe(en.blocked)
      expect(await page.title()).toContain(name)
    },
  )

  longTest('a checkout that expires meanwhile cannot be paid again', async () => {
    await lostAnswer()
    service.checkout = { state: 'gone' }
    await page.clock.runFor(1_000)
    await eventually(() => message().innerText()).toBe(en.expired)
    expect(await payButton().getAttribute('aria-disabled')).toBe('true')
    expect(await page.locator('.wpwl-busy').count()).toBe(0)
  })

  test.each(isLong ? ['paymentWidgets.js', 'form.js'] : ['form.js'])(
    'a changed %s is refused by its digest',
    async (name) => {
      service.changed = [name]
      // One that remembers no file as it was.
      const on = await browser.newContext()
      const refused: Promise<unknown> = on.waitForEvent('console', (said) => /digest.*integrity/.test(said.text()))
      await visit({ on })
      await refused
      expect(await page.evaluate('document.querySelector(".wpwl-form, link[href*=css]")')).toBe(null)
      if (name === 'form.js') await eventually(() => message().innerText()).toContain(en.notLoaded)
      await on.close()
    },
  )
})

describe('a part of the form that does not load', () => {
  const noting = '{ locale: "de", onError: ({ name, message }) => (document.title += name + message) }'
  const de = widgetTexts.de
  const passing = async (ms: number): Promise<string> => {
    await page.clock.runFor(ms)
    return message()
      .allInnerTexts()
      .then((texts) => texts.join(' '))
  }

  test('is said to be late, is loaded again, and can be asked for again', async () => {
    service.failing = ['/fields/cvv']
    service.hanging = ['/fields/number']
    await visit({ options: noting, clock: true })
    await control('cvv').waitFor()
    expect(await message().count()).toBe(0)
    await eventually(() => passing(500)).toContain(de.notLoaded)
    expect(await page.title()).toContain('WidgetErrora frame of')
    expect(await axeFinds(page)).toEqual([])
    service.failing = []
    // A policy that only reports blocks nothing.
    await page.evaluate(`document.dispatchEvent(new SecurityPolicyViolationEvent('securitypolicyviolation', {
      blockedURI: '${service.url}/pages/fields/cvv', disposition: 'report', effectiveDirective: 'frame-src',
      documentURI: location.href, violatedDirective: 'frame-src', originalPolicy: '', statusCode: 200 }))`)
    // The frame of the cvv is loaded again by itself; the other one keeps its shopper waiting.
    await eventually(async () => {
      await passing(500)
      return page
        .frames()
        .find((one) => one.url().includes('/fields/cvv'))
        ?.locator('input')
        .count()
    }).toBe(1)
    expect(await passing(8_000)).toContain(de.notLoaded)
    service.hanging = []
    await page.getByRole('button', { name: de.tryAgainButton }).click()
    await inFrame('cardNumber').waitFor()
    await eventually(() => message().count()).toBe(0)
    expect(await page.getByText(de.blocked).count()).toBe(0)
    await fillCard()
    await payButton().click()
    await backInShop()
  })

  test('is the whole of it: the page says so in its language, and begins again', async () => {
    service.failing = ['form.js']
    // One that remembers no file.
    const on = await browser.newContext()
    await visit({ options: noting, clock: true, on })
    await eventually(() => message().innerText()).toContain(de.notLoaded)
    expect(await page.title()).toContain('WidgetErrorhttp')
    expect(await passing(60_000)).toContain(de.notLoaded)
    service.failing = []
    await page.getByRole('button', { name: de.tryAgainButton }).click()
    await inFrame('cvv').waitFor()
    expect(await page.locator('iframe').count()).toBe(2)
    expect(await message().count()).toBe(0)
    await on.close()
  })
})

test('a page with nothing to pay with says so, and so does a checkout that expired before it is paid', async () => {
  const options = '{ onError: ({ name }) => (document.title = name) }'
  await visit({ brands: 'KLARNA', options })
  await eventually(() => message().innerText()).toBe(en.noMethod)
  expect(await page.title()).toBe('WidgetError')
  await page.close()
  await visit({ options, answers: [{ status: 404, body: { result: { code: '200.300.404', description: 'gone' } } }] })
  await fillCard()
  await payButton().click()
  await eventually(() => message().innerText()).toBe(en.expired)
  expect(await page.title()).toBe('InvalidCheckoutIdError')
})

test('a page of one document is left, and pays another checkout with options of its own', async () => {
  const other = ID.replace('0123', '3210')
  await visit({
    path: '/v3/paymentWidgets.js',
    policy: { 'trusted-types': 'shop' },
    script: `var live = 0
for (const target of [window, document]) {
  const add = target.addEventListener
  target.addEventListener = (type, listener, options) => {
    const isOurs = /paymentWidgets|assets/.test(new Error().stack) && !options?.once
    if (isOurs) {
      live++
      options?.signal?.addEventListener('abort', () => live--)
    }
    return add.call(target, type, listener, options)
  }
}`,
    head: `<script nonce="shop">wpwlOptions.locale = 'fr'
addEventListener('DOMContentLoaded', () => (wpwlOptions.locale = 'de'), { once: true })</script>`,
    form: `<form action="${shop.url}/result?order=7" class="paymentWidgets">VISA
<input type="hidden" name="createRegistration" value="true"> MASTER</form>`,
  })
  const label = page.locator('.wpwl-label-cardHolder')
  await eventually(() => label.allInnerTexts()).toEqual([widgetTexts.de.cardHolder])
  expect(await page.locator('.wpwl-brand').count()).toBe(2)
  expect(await page.getByText('MASTER').count()).toBe(0)
  expect(await page.evaluate('live')).toBeGreaterThan(2)
  await page.evaluate('wpwl.unload()')
  const left = `[live, frames.length, 'wpwl' in window, document.querySelectorAll('[class*=wpwl-], link').length]`
  expect(await page.evaluate(left)).toEqual([0, 0, false, 0])
  await page.evaluate(`{
    wpwlOptions = { locale: 'fr' }
    document.querySelector('.paymentWidgets').dataset.brands = 'AMEX VISA MASTER'
    const script = document.createElement('script')
    const trusted = trustedTypes.createPolicy('shop', { createScriptURL: (url) => url })
    script.src = trusted.createScriptURL('${service.url}/v1/paymentWidgets.js?checkoutId=${other}')
    document.head.append(script)
  }`)
  await eventually(() => label.allInnerTexts()).toEqual([widgetTexts.fr.cardHolder])
  expect(await page.locator('.wpwl-brand').count()).toBe(3)
  await fillCard()
  await payButton().click()
  await page.waitForURL(`${shop.url}/result?order=7&id=${other}&*`)
  expect(service.posted.map(({ path }) => path)).toEqual([`/v1/checkouts/${other}/payment`])
})

test("the merchant's page can read neither number nor cvv", async () => {
  const spy = `
window.heard = [];
const hear = (event) => heard.push([event.type, event.key, event.data, event.target && event.target.value]);
for (const type of ['keydown', 'keypress', 'keyup', 'input', 'beforeinput', 'paste', 'message', 'change', 'focusin']) {
  addEventListener(type, hear, true); document.addEventListener(type, hear, true)
}
const post = MessagePort.prototype.postMessage;
MessagePort.prototype.postMessage = function (...all) { heard.push(all); return post.apply(this, all) };
const add = EventTarget.prototype.addEventListener;
EventTarget.prototype.addEventListener = function (type, listener, ...rest) {
  return add.call(this, type, (event) => { hear(event); return listener.call(this, event) }, ...rest)
};
const get = window.fetch;
window.fetch = (...all) => { heard.push(all.map(String)); return get(...all) };`
  await visit({ script: spy, answers: [result('800.100.155')] })
  await inFrame('cardNumber').pressSequentially(CARD)
  await inFrame('cvv').pressSequentially('739')
  await control('expiry').fill('12 / 39')
  await control('cardHolder').fill('Jane Jones')
  // Into the frames, by every door: their documents, what they hold, a port of the page's own, a forged sibling.
  const reached = await page.evaluate(`(async () => {
    const found = []
    for (const frame of document.querySelectorAll('iframe')) {
      for (const look of [
        () => frame.contentDocument.body.innerHTML,
        () => frame.contentWindow.document.querySelector('input').value,
        () => frame.contentWindow.tollgateField.read(),
        () => window.frames[0].eval('1'),
      ]) try { found.push(String(look())) } catch { found.push('refused') }
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = hear
      frame.contentWindow.postMessage({ kind: 'connect', pair: 'wpwl-1', label: '', placeholder: '', brands: [],
        masked: false }, '*', [port2])
      port1.postMessage({ kind: 'submit', action: 'payment', parameters: [] })
      frame.contentWindow.postMessage({ kind: 'read' }, '*')
    }
    window.tollgateField = { checkoutId: '${ID}', pair: 'wpwl-1', read: () => ['card.cvv', '000'] }
    await new Promise((resolve) => setTimeout(resolve, 50))
    return found
  })()`)
  expect(reached).toEqual(Array.from({ length: 8 }, () => 'refused'))
  expect(service.posted).toEqual([])
  await payButton().click()
  await eventually(() => message().innerText()).toBe(en.declined)
  expect(posted()['card.cvv']).toBe('739')
  const known = String(await page.evaluate('JSON.stringify(heard) + document.documentElement.outerHTML'))
  expect(known).toContain('Jane Jones')
  for (const secret of [/4111/, /\b739\b/, /"key(?:down|up)","?\d/]) expect(known).not.toMatch(secret)
})

describe('what a page may ask for', () => {
  /** Each of these callbacks writes down what it is called with. */
  const noting = (...names: readonly string[]): Visit => ({
    script: 'window.said = []',
    options: `{ ${names.map((name) => `${name}: (...all) => said.push(['${name}', ...all])`).join()} }`,
  })
  const said = (): Promise<unknown> => page.evaluate('said')

  test('to hear when a field is left, of which brand the card is, and when the service has answered', async () => {
    const names = ['onReady', 'onDetectBrand', 'onAfterSubmit', 'onBlurCardNumber', 'onBlurExpiry', 'onBlurCvv']
    await visit({ ...noting(...names, 'onBlurCardHolder'), answers: [result('800.100.155')] })
    await inFrame('cardNumber').fill(CARD)
    await control('expiry').fill('13 / 39')
    await inFrame('cvv').fill('123')
    await control('cardHolder').fill('Jane Jones')
    await control('expiry').fill('12 / 39')
    await payButton().click()
    await eventually(() => message().innerText()).toBe(en.declined)
    expect(await said()).toEqual([
      ['onReady'],
      ['onDetectBrand', ['VISA']],
      ['onBlurCardNumber', true],
      ['onBlurExpiry', false],
      ['onBlurCvv', true],
      ['onBlurCardHolder', true],
      ['onBlurExpiry', true],
      ['onAfterSubmit'],
    ])
  })

  longTest('to hear when the fields of a direct debit are left', async () => {
    await visit({ ...noting('onBlurAccountHolder', 'onBlurIban'), brands: 'DIRECTDEBIT_SEPA' })
    await control('accountHolder').fill('Jane Jones')
    await control('iban').fill('DE89370400440532013001')
    await control('accountHolder').focus()
    await eventually(said).toEqual([
      ['onBlurAccountHolder', true],
      ['onBlurIban', false],
    ])
  })

  longTest('no cvv', async () => {
    await visit({ options: '{ requireCvv: false }' })
    await inFrame('cardNumber').fill(CARD)
    await control('expiry').fill('12 / 39')
    await control('cardHolder').fill('Jane Jones')
    expect(await control('cvv').count()).toBe(0)
    await payButton().click()
    await backInShop()
    expect(posted()['card.number']).toBe(CARD)
    expect(Object.keys(posted())).not.toContain('card.cvv')
  })

  longTest('a cvv that nobody reads over the shoulder', async () => {
    await visit({ options: '{ maskCvv: true, iframeStyles: { "cvv-placeholder": { color: "rgb(1, 2, 3)" } } }' })
    await inFrame('cvv').fill('739')
    expect(await inFrame('cvv').getAttribute('type')).toBe('password')
    expect(await inFrame('cardNumber').getAttribute('type')).not.toBe('password')
    const frame = page.frames().find((one) => one.url().includes('/fields/cvv'))
    const colour = await frame?.evaluate('getComputedStyle(document.querySelector("input"), "::placeholder").color')
    expect(colour).toBe('rgb(1, 2, 3)')
  })

  longTest('that the shopper chooses the brand', async () => {
    await visit({ options: '{ brandDetection: false, onDetectBrand: () => (document.title = "detected") }' })
    await control('brand').selectOption('MASTER')
    await fillCard()
    await payButton().click()
    await eventually(() => hint('cardNumber').innerText()).toBe(en.errorBrand)
    await control('brand').selectOption('VISA')
    await payButton().click()
    await backInShop()
    expect(posted()['paymentBrand']).toBe('VISA')
  })

  longTest('each way to pay behind its logo, one open at a time', async () => {
    await visit({ options: "{ style: 'logos' }", brands: 'VISA DIRECTDEBIT_SEPA PAYPAL' })
    const methods = page.locator('details.wpwl-method')
    await eventually(() => methods.count()).toBe(3)
    await page.locator('summary').nth(1).click()
    await page.locator('summary').nth(0).click()
    await eventually(() => page.locator('details[open]').count()).toBe(1)
    expect(await axeFinds(page)).toEqual([])
    await fillCard()
    await payButton().click()
    await backInShop()
  })

  longTest.each([
    ['plain', 1],
    ['none', 0],
  ] as const)('the style %s', async (style, sheets) => {
    await visit({ options: `{ style: '${style}' }` })
    await inFrame('cvv').waitFor()
    expect(await page.locator('link[href*="widget.css"]').count()).toBe(sheets)
    expect(await page.locator(`.wpwl-style-${style}`).count()).toBe(1)
    await eventually(() => axeFinds(page)).toEqual([])
    await fillCard()
    await payButton().click()
    await backInShop()
  })

  longTest.each([
    ['paymentTarget', 'PAYPAL', 'bank?lang=en'],
    ['shopperResultTarget', 'VISA', 'result?order=7'],
  ])('another window by %s', async (option, brands, address) => {
    const answers = brands === 'PAYPAL' ? [redirectTo(`${shop.url}/${address}`)] : []
    await visit({ options: `{ ${option}: 'other' }`, brands, answers })
    if (brands === 'VISA') await fillCard()
    const [other] = await Promise.all([page.waitForEvent('popup'), payButton().click()])
    expect(other.url()).toContain(`${shop.url}/${address}`)
    expect(page.url()).toBe(`${shop.url}/`)
    await other.close()
  })

  test.each(['_blank', 'bank'])('a bank in the window %s: this one learns how it ends', async (target) => {
    const redirect = { url: `${shop.url}/bank?lang=en`, method: 'GET', parameters: [], inFrame: false } as const
    await visit({ options: `{ paymentTarget: '${target}' }`, brands: 'PAYPAL', answers: [redirectTo(redirect.url)] })
    await payButton().waitFor()
    service.checkout = { state: 'pending', redirect, cancellable: true }
    const [other] = await Promise.all([page.waitForEvent('popup'), payButton().click()])
    await eventually(() => message().innerText()).toContain(en.underWay)
    await other.close()
    await page.clock.install()
    const [again] = await Promise.all([
      page.waitForEvent('popup'),
      page.getByRole('button', { name: en.continueButton }).click(),
    ])
    await again.close()
    service.checkout = { state: 'done' }
    await eventually(async () => {
      await page.clock.runFor(5_000)
      return page.url()
    }).toContain(`${shop.url}/result?order=7`)
  })

  test('to be warned of what has no effect, once and without values', async () => {
    const inside =
      '<input type="hidden" name="amount" value="0.01"><input type="hidden" name="notes" value="of-the-shop">' +
      '<input type="hidden" name="recurring.numberOfInstallments" value="3">'
    await visit({
      options: "{ locale: 'en', localle: 'secret-of-the-page' }",
      inside,
      answers: [result('800.100.155'), result('800.100.155')],
      script: 'window.warned = []; console.warn = (said) => warned.push(said)',
    })
    for (const tries of [1, 2]) {
      await fillCard()
      await payButton().click()
      await eventually(() => service.posted.length).toBe(tries)
      await message().waitFor()
    }
    expect(posted()['recurring.numberOfInstallments']).toBe('3')
    expect(await page.evaluate('warned')).toEqual([
      'Tollgate: wpwlOptions.localle is no option of this form and has no effect',
      'Tollgate: the field amount is not sent: pages may not set it, or it is too long',
      'Tollgate: the field notes is not sent: pages may not set it, or it is too long',
    ])
  })

  longTest('its own words, by the names that pages know', async () => {
    const labels = '{ submit: "Order now", expiryDate: "Good until", mmyy: "month / year" }'
    await visit({ options: `{ labels: ${labels} }` })
    expect(await payButton().innerText()).toBe('Order now')
    expect(await page.locator('.wpwl-label-expiry').innerText()).toBe('Good until')
    expect(await control('expiry').getAttribute('placeholder')).toBe('month / year')
  })

  longTest.each(['false', 'Promise.reject(new Error("of the test"))', 'JSON.parse("{")'])(
    'that a card is not sent, by %s',
    async (answered) => {
      await visit({ options: `{ onBeforeSubmitCard: () => { document.title = "asked"; return ${answered} } }` })
      await fillCard()
      await payButton().click()
      await eventually(() => page.title()).toBe('asked')
      await eventually(() => payButton().getAttribute('aria-disabled')).toBe('false')
      expect(service.posted).toEqual([])
    },
  )

  longTest('the other forms only when they are asked for', async () => {
    const registrations = [
      { id: 'r'.repeat(32), brand: 'VISA', last4: '1111', holder: 'Jane', expiryMonth: '12', expiryYear: '2039' },
    ]
    await visit({ checkout: { registrations }, options: '{ registrations: { hideInitialPaymentForms: true } }' })
    await page.getByRole('button', { name: en.otherMethod }).click()
    await fillCard()
    await page.locator('.wpwl-container-card .wpwl-button-pay').click()
    await backInShop()
    expect(posted()).toMatchObject({ 'card.number': CARD })
    expect(Object.keys(posted())).not.toContain('registrationId')
  })
})

describe('looks', () => {
  test("over a slow connection nothing jumps; the page's own rules win", async () => {
    service.delayMs = 200
    const on = await browser.newContext()
    await visit({
      on,
      policy: { 'style-src': `${service.url} 'nonce-shop'` },
      script: `var shift = 0
new PerformanceObserver((list) => { for (const { value } of list.getEntries()) shift += value })
  .observe({ type: 'layout-shift', buffered: true })
var bare = false
new MutationObserver(() => {
  const drawn = document.querySelector('.wpwl-container')
  if (drawn && getComputedStyle(drawn).maxWidth === 'none') bare = true
}).observe(document, { childList: true, subtree: true })`,
      options: '{ onReady: () => (document.title = "ready") }',
      brands: 'VISA MASTER AMEX PAYPAL',
      head: `<style nonce="shop">button { border-radius: 0 } .wpwl-label { color: rgb(1, 2, 3) }</style>`,
      after: `<p>${'What else the shop has to say. '.repeat(100)}</p>`,
    })
    await eventually(() => page.title()).toBe('ready')
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))')
    expect(await page.evaluate('[bare, shift < 0.05, shift]')).toEqual([false, true, expect.any(Number)])
    const sizes = `Array.from(document.images, ({ attributes: { width, height } }) => width.value + 'x' + height.value)`
    expect(await page.evaluate(sizes)).toEqual(Array.from({ length: 4 }, () => '42x28'))
    const styles = `['.wpwl-button-pay', '.wpwl-label'].map((one) => getComputedStyle(document.querySelector(one)))`
    expect(await page.evaluate(`${styles}.map(({ borderRadius, color }) => [borderRadius, color])`)).toMatchObject([
      ['0px', expect.any(String)],
      [expect.any(String), 'rgb(1, 2, 3)'],
    ])
    await on.close()
  })

  test.each(isLong ? (['en', 'de', 'ar'] as const) : (['en', 'ar'] as const))(
    'in %s on a narrow phone',
    async (language) => {
      const texts = widgetTexts[language]
      await visit({ options: `{ locale: '${language}' }`, brands: 'VISA DIRECTDEBIT_SEPA PAYPAL', on: phone })
      await inFrame('cvv').waitFor()
      const { direction, tag } = languages[language]
      expect(await page.locator('.wpwl-container-card').getAttribute('dir')).toBe(direction)
      expect(await page.locator('.wpwl-container-card').getAttribute('lang')).toBe(tag)
      expect(await page.locator('.wpwl-label-cardNumber').innerText()).toBe(texts.cardNumber)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
      const heights: number[] = await page.evaluate(
        `Array.from(document.querySelectorAll('.wpwl-control, .wpwl-button'), (one) => one.offsetHeight)`,
      )
      expect(Math.min(...heights.filter((height) => height > 0))).toBeGreaterThanOrEqual(24)
      if (language === 'en') await page.evaluate('document.documentElement.style.setProperty("color-scheme", "dark")')
      expect(await axeFinds(page)).toEqual([])
    },
  )
})
