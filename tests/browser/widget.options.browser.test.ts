import { languages, widgetTexts } from '@tollgate/contract'
import { describe, expect, test } from 'vitest'
import {
  CARD,
  isLongRun,
  longTest,
  en,
  eventually,
  browser,
  gateway,
  shop,
  phone,
  page,
  type FormPage,
  openForm,
  frameInput,
  control,
  hint,
  payButton,
  message,
  fillCard,
  postedValues,
  waitForReturn,
  setUpBrowser,
} from './form.ts'
import { axeViolations } from './axe.ts'
import { redirectTo, result } from './fake-gateway.ts'

setUpBrowser()

describe('options of a page', () => {
  /** A page whose callbacks record their arguments. */
  const recordCallsOf = (...names: readonly string[]): FormPage => ({
    script: 'window.calls = []',
    options: `{ ${names.map((name) => `${name}: (...all) => calls.push(['${name}', ...all])`).join()} }`,
  })
  const calls = (): Promise<unknown> => page.evaluate('calls')

  test('callbacks report fields that lose focus, the detected brand, and that the gateway has answered', async () => {
    const names = ['onReady', 'onDetectBrand', 'onAfterSubmit', 'onBlurCardNumber', 'onBlurExpiry', 'onBlurCvv']
    await openForm({ ...recordCallsOf(...names, 'onBlurCardHolder'), answers: [result('800.100.155')] })
    await frameInput('cardNumber').fill(CARD)
    await control('expiry').fill('13 / 39')
    await frameInput('cvv').fill('123')
    await control('cardHolder').fill('Jane Jones')
    await control('expiry').fill('12 / 39')
    await payButton().click()
    await eventually(() => message().innerText()).toBe(en.declined)
    expect(await calls()).toEqual([
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

  longTest('callbacks report fields of a direct debit that lose focus', async () => {
    await openForm({ ...recordCallsOf('onBlurAccountHolder', 'onBlurIban'), brands: 'DIRECTDEBIT_SEPA' })
    await control('accountHolder').fill('Jane Jones')
    await control('iban').fill('DE89370400440532013001')
    await control('accountHolder').focus()
    await eventually(calls).toEqual([
      ['onBlurAccountHolder', true],
      ['onBlurIban', false],
    ])
  })

  longTest('requireCvv: false removes the field of the CVV', async () => {
    await openForm({ options: '{ requireCvv: false }' })
    await frameInput('cardNumber').fill(CARD)
    await control('expiry').fill('12 / 39')
    await control('cardHolder').fill('Jane Jones')
    expect(await control('cvv').count()).toBe(0)
    await payButton().click()
    await waitForReturn()
    expect(postedValues()['card.number']).toBe(CARD)
    expect(Object.keys(postedValues())).not.toContain('card.cvv')
  })

  longTest('maskCvv masks the CVV, and iframeStyles styles its placeholder', async () => {
    await openForm({ options: '{ maskCvv: true, iframeStyles: { "cvv-placeholder": { color: "rgb(1, 2, 3)" } } }' })
    await frameInput('cvv').fill('739')
    expect(await frameInput('cvv').getAttribute('type')).toBe('password')
    expect(await frameInput('cardNumber').getAttribute('type')).not.toBe('password')
    const frame = page.frames().find((candidate) => candidate.url().includes('/fields/cvv'))
    const colour = await frame?.evaluate('getComputedStyle(document.querySelector("input"), "::placeholder").color')
    expect(colour).toBe('rgb(1, 2, 3)')
  })

  longTest('brandDetection: false lets the shopper choose the brand, and detects none', async () => {
    await openForm({ options: '{ brandDetection: false, onDetectBrand: () => (document.title = "detected") }' })
    await control('brand').selectOption('MASTER')
    await fillCard()
    await payButton().click()
    await eventually(() => hint('cardNumber').innerText()).toBe(en.errorBrand)
    expect(await page.title()).not.toBe('detected')
    await control('brand').selectOption('VISA')
    await payButton().click()
    await waitForReturn()
    expect(postedValues()['paymentBrand']).toBe('VISA')
  })

  longTest('the style logos shows one method at a time', async () => {
    await openForm({ options: "{ style: 'logos' }", brands: 'VISA DIRECTDEBIT_SEPA PAYPAL' })
    const methods = page.locator('details.wpwl-method')
    await eventually(() => methods.count()).toBe(3)
    await page.locator('summary').nth(1).click()
    await page.locator('summary').nth(0).click()
    await eventually(() => page.locator('details[open]').count()).toBe(1)
    expect(await axeViolations(page)).toEqual([])
    await fillCard()
    await payButton().click()
    await waitForReturn()
  })

  longTest.each([
    ['plain', 1],
    ['none', 0],
  ] as const)('the style %s loads %i style sheets', async (style, sheets) => {
    await openForm({ options: `{ style: '${style}' }` })
    await frameInput('cvv').waitFor()
    expect(await page.locator('link[href*="widget.css"]').count()).toBe(sheets)
    expect(await page.locator(`.wpwl-style-${style}`).count()).toBe(1)
    await eventually(() => axeViolations(page)).toEqual([])
    await fillCard()
    await payButton().click()
    await waitForReturn()
  })

  longTest.each([
    ['paymentTarget', 'PAYPAL', 'bank?lang=en'],
    ['shopperResultTarget', 'VISA', 'result?order=7'],
  ])('%s opens another window', async (option, brands, address) => {
    const answers = brands === 'PAYPAL' ? [redirectTo(`${shop.url}/${address}`)] : []
    await openForm({ options: `{ ${option}: 'other' }`, brands, answers })
    if (brands === 'VISA') await fillCard()
    const [popup] = await Promise.all([page.waitForEvent('popup'), payButton().click()])
    expect(popup.url()).toContain(`${shop.url}/${address}`)
    expect(page.url()).toBe(`${shop.url}/`)
    await popup.close()
  })

  test.each(['_blank', 'bank'])(
    'the shop’s window shows the result of a payment whose bank is in the window %s',
    async (target) => {
      const redirect = { url: `${shop.url}/bank?lang=en`, method: 'GET', parameters: [], inFrame: false } as const
      await openForm({
        options: `{ paymentTarget: '${target}' }`,
        brands: 'PAYPAL',
        answers: [redirectTo(redirect.url)],
      })
      await payButton().waitFor()
      gateway.checkout = { state: 'pending', redirect, cancellable: true }
      const [firstPopup] = await Promise.all([page.waitForEvent('popup'), payButton().click()])
      await eventually(() => message().innerText()).toContain(en.underWay)
      await firstPopup.close()
      await page.clock.install()
      const [secondPopup] = await Promise.all([
        page.waitForEvent('popup'),
        page.getByRole('button', { name: en.continueButton }).click(),
      ])
      await secondPopup.close()
      gateway.checkout = { state: 'done' }
      await eventually(async () => {
        await page.clock.runFor(5_000)
        return page.url()
      }).toContain(`${shop.url}/result?order=7`)
    },
  )

  test('each option or field without effect causes one warning, without its value', async () => {
    const formContent =
      '<input type="hidden" name="amount" value="0.01"><input type="hidden" name="notes" value="of-the-shop">' +
      '<input type="hidden" name="recurring.numberOfInstallments" value="3">'
    await openForm({
      options: "{ locale: 'en', localle: 'secret-of-the-page' }",
      formContent,
      answers: [result('800.100.155'), result('800.100.155')],
      script: 'window.warned = []; console.warn = (message) => warned.push(message)',
    })
    for (const attempt of [1, 2]) {
      await fillCard()
      await payButton().click()
      await eventually(() => gateway.posted.length).toBe(attempt)
      await message().waitFor()
    }
    expect(postedValues()['recurring.numberOfInstallments']).toBe('3')
    expect(await page.evaluate('warned')).toEqual([
      'Tollgate: wpwlOptions.localle is not an option of this form and has no effect',
      'Tollgate: the field amount is not sent: pages may not set it, it is too long, or the form has too many fields',
      'Tollgate: the field notes is not sent: pages may not set it, it is too long, or the form has too many fields',
    ])
  })

  longTest('labels replace texts of the form', async () => {
    const labels = '{ submit: "Order now", expiryDate: "Good until", mmyy: "month / year" }'
    await openForm({ options: `{ labels: ${labels} }` })
    expect(await payButton().innerText()).toBe('Order now')
    expect(await page.locator('.wpwl-label-expiry').innerText()).toBe('Good until')
    expect(await control('expiry').getAttribute('placeholder')).toBe('month / year')
  })

  longTest.each(['false', 'Promise.reject(new Error("of the test"))', 'JSON.parse("{")'])(
    'onBeforeSubmitCard with the body “return %s” prevents the payment',
    async (returned) => {
      await openForm({ options: `{ onBeforeSubmitCard: () => { document.title = "called"; return ${returned} } }` })
      await fillCard()
      await payButton().click()
      await eventually(() => page.title()).toBe('called')
      await eventually(() => payButton().getAttribute('aria-disabled')).toBe('false')
      expect(gateway.posted).toEqual([])
    },
  )

  longTest('hideInitialPaymentForms hides the forms until the shopper selects them', async () => {
    const registrations = [
      { id: 'r'.repeat(32), brand: 'VISA', last4: '1111', holder: 'Jane', expiryMonth: '12', expiryYear: '2039' },
    ]
    await openForm({ checkout: { registrations }, options: '{ registrations: { hideInitialPaymentForms: true } }' })
    const otherMethodButton = page.getByRole('button', { name: en.otherMethod })
    await otherMethodButton.waitFor()
    expect(await page.locator('.wpwl-container-card').isVisible()).toBe(false)
    await otherMethodButton.click()
    await fillCard()
    await page.locator('.wpwl-container-card .wpwl-button-pay').click()
    await waitForReturn()
    expect(postedValues()).toMatchObject({ 'card.number': CARD })
    expect(Object.keys(postedValues())).not.toContain('registrationId')
  })
})

describe('the appearance', () => {
  test("is stable over a slow connection, and the page's own rules take precedence", async () => {
    gateway.delayMs = 200
    const context = await browser.newContext()
    await openForm({
      context,
      policy: { 'style-src': `${gateway.url} 'nonce-shop'` },
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
      afterForm: `<p>${'Further content of the shop page. '.repeat(100)}</p>`,
    })
    await eventually(() => page.title()).toBe('ready')
    await page.evaluate('new Promise((resolve) => requestAnimationFrame(() => setTimeout(resolve)))')
    expect(await page.evaluate('[bare, shift < 0.05, shift]')).toEqual([false, true, expect.any(Number)])
    const sizes = `Array.from(document.images, ({ attributes: { width, height } }) => width.value + 'x' + height.value)`
    expect(await page.evaluate(sizes)).toEqual(Array.from({ length: 4 }, () => '42x28'))
    const elements = `['.wpwl-button-pay', '.wpwl-label'].map((selector) => document.querySelector(selector))`
    const styles = `${elements}.map((element) => getComputedStyle(element))`
    expect(await page.evaluate(`${styles}.map(({ borderRadius, color }) => [borderRadius, color])`)).toMatchObject([
      ['0px', expect.any(String)],
      [expect.any(String), 'rgb(1, 2, 3)'],
    ])
    await context.close()
  })

  test.each(isLongRun ? (['en', 'de', 'ar'] as const) : (['en', 'ar'] as const))(
    'fits a narrow phone in %s',
    async (language) => {
      const texts = widgetTexts[language]
      await openForm({ options: `{ locale: '${language}' }`, brands: 'VISA DIRECTDEBIT_SEPA PAYPAL', context: phone })
      await frameInput('cvv').waitFor()
      const { direction, tag } = languages[language]
      expect(await page.locator('.wpwl-container-card').getAttribute('dir')).toBe(direction)
      expect(await page.locator('.wpwl-container-card').getAttribute('lang')).toBe(tag)
      expect(await page.locator('.wpwl-label-cardNumber').innerText()).toBe(texts.cardNumber)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(320)
      const heights: number[] = await page.evaluate(
        `Array.from(document.querySelectorAll('.wpwl-control, .wpwl-button'), (control) => control.offsetHeight)`,
      )
      expect(Math.min(...heights.filter((height) => height > 0))).toBeGreaterThanOrEqual(24)
      if (language === 'en') await page.evaluate('document.documentElement.style.setProperty("color-scheme", "dark")')
      expect(await axeViolations(page)).toEqual([])
    },
  )
})
