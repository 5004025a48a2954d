import { type DeclineReason, type WidgetCheckout, widgetTexts } from '@tollgate/contract'
import { describe, expect, test } from 'vitest'
import {
  CHECKOUT_ID,
  CARD,
  longTest,
  en,
  eventually,
  gateway,
  shop,
  page,
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
import { type FakeAnswer, result } from './fake-gateway.ts'

setUpBrowser()

describe('a card', () => {
  test('pays: the frames send the digits to the gateway, and the shopper returns to the shop', async () => {
    const formContent =
      '<input type="hidden" name="createRegistration" value="true"><input type="hidden" name="amount" value="0.01">' +
      '<input type="hidden" name="customParameters[SHOPPER_colour]" value="blue">' +
      '<input type="hidden" name="customParameters[colour]" value="red">'
    await openForm({ formContent, brands: 'VISA MASTER' })
    await fillCard()
    expect(await payButton().innerText()).toBe('Pay €92.00')
    expect(await frameInput('cardNumber').inputValue()).toBe('4111 1111 1111 1111')
    await payButton().click()
    await waitForReturn()
    expect(gateway.posted.map(({ path }) => path)).toEqual([`/v1/checkouts/${CHECKOUT_ID}/payment`])
    const { 'customer.browser.userAgent': agent, ...rest } = postedValues()
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

  longTest('may be declined, and approved at the next attempt', async () => {
    await openForm({ answers: [result('800.100.155'), result('000.000.000')] })
    await fillCard()
    await payButton().click()
    await eventually(() => message().innerText()).toBe(en.declined)
    await eventually(() => frameInput('cvv').inputValue()).toBe('')
    expect(await page.evaluate('document.activeElement.className')).toContain('wpwl-control-cvv')
    expect(await frameInput('cardNumber').inputValue()).toBe('4111 1111 1111 1111')
    expect(await axeViolations(page)).toEqual([])
    await page.keyboard.type('456')
    await payButton().click()
    await waitForReturn()
    expect(gateway.posted.map(({ values }) => values.get('card.cvv'))).toEqual(['123', '456'])
  })

  longTest('that the gateway refuses has the error beside the field', async () => {
    const parameterErrors = [{ name: 'card.holder', value: 'x', message: 'must match' }]
    await openForm({ answers: [result('200.300.404', { parameterErrors })] })
    await fillCard()
    await payButton().click()
    await eventually(() => hint('cardHolder').innerText()).toBe(en.errorHolder)
    expect(await page.evaluate('document.activeElement.name')).toBe('card.holder')
    expect(await control('cardHolder').getAttribute('aria-invalid')).toBe('true')
  })

  test('has errors beside invalid fields on blur, until the fields are corrected', async () => {
    await openForm({ brands: 'VISA' })
    await frameInput('cardNumber').fill('4111')
    expect(await hint('cardNumber').isVisible()).toBe(false)
    await control('expiry').fill('13 / 39')
    await eventually(() => hint('cardNumber').innerText()).toBe(en.errorCardNumber)
    await control('cardHolder').fill(CARD)
    await frameInput('cvv').focus()
    expect(await hint('expiry').innerText()).toBe(en.errorExpiry)
    expect(await hint('cardHolder').innerText()).toBe(en.errorHolder)
    expect(await frameInput('cardNumber').getAttribute('aria-invalid')).toBe('true')
    expect(await axeViolations(page, page.frames())).toEqual([])
    await fillCard('5454545454545454')
    await payButton().click()
    await eventually(() => hint('cardNumber').innerText()).toBe(en.errorBrand)
    expect(gateway.posted).toEqual([])
    await fillCard()
    await eventually(() => page.locator('.wpwl-has-error').count()).toBe(0)
  })

  longTest('has its brand detected, its digits grouped, and the length of its CVV limited', async () => {
    await openForm({ options: '{ onDetectBrand: (brands) => (document.title = brands.join()) }' })
    await frameInput('cardNumber').pressSequentially('378282246310005')
    expect(await frameInput('cardNumber').inputValue()).toBe('3782 822463 10005')
    await eventually(() => page.title()).toBe('AMEX')
    await frameInput('cvv').fill('12345')
    expect(await frameInput('cvv').inputValue()).toBe('1234')
    await frameInput('cardNumber').press('Home')
    for (const key of ['ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'ArrowRight', 'Backspace']) {
      await frameInput('cardNumber').press(key)
    }
    expect(await frameInput('cardNumber').inputValue()).toBe('3788 224631 0005')
  })

  longTest('of two networks is charged through the network that the shopper chooses', async () => {
    await openForm({ brands: 'CARTEBANCAIRE VISA' })
    await fillCard()
    await control('brand').selectOption('CARTEBANCAIRE')
    expect(await axeViolations(page)).toEqual([])
    await payButton().click()
    await waitForReturn()
    expect(postedValues()['paymentBrand']).toBe('CARTEBANCAIRE')
  })

  test('can be entered by keyboard only, in the order of the fields', async () => {
    await openForm({})
    await frameInput('cvv').waitFor()
    const { keyboard } = page
    // The focus moves between processes asynchronously.
    const moveFocus = async (key: string, name: string): Promise<void> => {
      await keyboard.press(key)
      await eventually(() => page.evaluate('document.activeElement.className')).toContain(name)
      const isFrame = name === 'cardNumber' || name === 'cvv'
      if (isFrame) await control(name).contentFrame().locator('input:focus').waitFor()
    }
    for (const [name, typed] of Object.entries({ cardNumber: CARD, expiry: '1239', cvv: '123', cardHolder: 'Jane' })) {
      await moveFocus('Tab', name)
      await keyboard.type(typed)
    }
    await moveFocus('Shift+Tab', 'cvv')
    await keyboard.press('Enter')
    await waitForReturn()
    expect(postedValues()).toMatchObject({ 'card.number': CARD, 'card.cvv': '123', 'card.holder': 'Jane' })
  })

  test('has labels and styles of the page, and is sent only if the page’s callback permits it', async () => {
    const options =
      '{ onBeforeSubmitCard: () =>' +
      ' new Promise((resolve) => setTimeout(() => resolve(document.title === "permitted")))' +
      '.finally(() => setTimeout(() => (window.isDecided = true))),' +
      ' onReady: () => (document.title = "ready"), labels: { cardHolder: "Your name" },' +
      ' iframeStyles: { "card-number": { color: "rgb(1, 2, 3)", position: "fixed" } } }'
    await openForm({ options })
    await eventually(() => page.title()).toBe('ready')
    expect(await page.locator('.wpwl-label-cardHolder').innerText()).toBe('Your name')
    const style = String(await frameInput('cardNumber').getAttribute('style'))
    expect(style).toContain('color: rgb(1, 2, 3)')
    expect(style).not.toContain('fixed')
    await fillCard()
    await page.evaluate('wpwl.executePayment("wpwl-container-card")')
    await page.waitForFunction('window.isDecided')
    await page.evaluate('document.title = "permitted"; wpwl.executePayment("wpwl-container-card")')
    await waitForReturn()
    expect(gateway.posted).toHaveLength(1)
  })
})

describe('a decline', () => {
  const declined = (reason: DeclineReason): FakeAnswer => ({
    status: 400,
    body: { declineReason: reason, result: { code: '800.100.152', description: 'of the test' } },
  })

  test.each([
    ['cvv', 'cvv', en.declinedCvv],
    ['expiry', 'expiry', en.declinedExpiry],
    ['number', 'cardNumber', en.declinedNumber],
  ] as const)('for a wrong %s is shown beside the field', async (reason, field, text) => {
    await openForm({ answers: [declined(reason)] })
    await fillCard()
    await payButton().click()
    await eventually(() => hint(field).innerText()).toBe(text)
    expect(await message().innerText()).toBe(en.declined)
    expect(await page.evaluate('document.activeElement.className')).toContain(`wpwl-control-${field}`)
    expect(await page.locator('.wpwl-group.wpwl-has-error').count()).toBe(1)
    expect(await axeViolations(page)).toEqual([])
  })

  longTest.each([
    ['funds', en.declinedFunds],
    ['authentication', en.notAuthenticated],
    ['later', en.tryAgain],
    ['generic', en.declined],
  ] as const)('with the reason %s is shown for the whole form', async (reason, text) => {
    await openForm({ answers: [declined(reason)] })
    await fillCard()
    await payButton().click()
    await eventually(() => message().innerText()).toBe(text)
    expect(await page.locator('.wpwl-group.wpwl-has-error').count()).toBe(0)
  })
})

describe('a shopper whose checkout is used by another shopper', () => {
  const openRefusedForm = async (checkout: Partial<WidgetCheckout>, code = '800.600.100'): Promise<void> => {
    await openForm({ answers: [result(code)], options: '{ onError: ({ name }) => (document.title = name) }' })
    await fillCard()
    await page.clock.install()
    gateway.checkout = checkout
    await payButton().click()
  }

  test('returns to the shop if the other shopper has paid', async () => {
    await openRefusedForm({ state: 'done' }, '700.400.100')
    await waitForReturn()
  })

  test('waits while the other shopper pays, and returns to the shop after the payment', async () => {
    await openRefusedForm({ state: 'pending' })
    await eventually(() => message().innerText()).toContain(en.underWay)
    expect(await payButton().isVisible()).toBe(false)
    expect(await page.getByRole('button').allInnerTexts()).toEqual([en.continueButton])
    expect(await axeViolations(page)).toEqual([])
    gateway.checkout = { state: 'done' }
    await page.clock.runFor(5_000)
    await waitForReturn()
    expect(gateway.posted.length).toBe(1)
  })

  longTest('may pay if the other shopper is declined', async () => {
    await openRefusedForm({ state: 'pending' })
    await eventually(() => message().innerText()).toContain(en.underWay)
    gateway.checkout = { declined: 'funds' }
    await page.clock.runFor(5_000)
    await eventually(() => message().innerText()).toBe(en.declinedFunds)
    expect(await frameInput('cardNumber').inputValue()).toBe('4111 1111 1111 1111')
    await frameInput('cvv').fill('123')
    await payButton().click()
    await waitForReturn()
  })

  longTest('gets a message if the checkout has expired', async () => {
    await openRefusedForm({ state: 'gone' })
    await eventually(() => message().innerText()).toBe(en.expired)
    expect(await page.title()).toBe('InvalidCheckoutIdError')
  })

  longTest('may continue to the bank or choose another method', async () => {
    const redirect = { url: `${shop.url}/bank?lang=en`, method: 'GET', parameters: [], inFrame: false } as const
    await openRefusedForm({ state: 'pending', redirect, cancellable: true })
    await page.getByRole('button', { name: en.otherMethod }).click()
    await eventually(() => payButton().isVisible()).toBe(true)
    expect([gateway.cancellations, await message().count()]).toEqual([1, 0])
    gateway.checkout = { state: 'pending', redirect, cancellable: true }
    gateway.answers = [result('800.600.100')]
    await payButton().click()
    await page.getByRole('button', { name: en.continueButton }).click()
    await page.waitForURL(redirect.url)
  })
})

test('a page without usable brands and an expired checkout show a message', async () => {
  const options = '{ onError: ({ name }) => (document.title = name) }'
  await openForm({ brands: 'KLARNA', options })
  await eventually(() => message().innerText()).toBe(en.noMethod)
  expect(await page.title()).toBe('WidgetError')
  await page.close()
  await openForm({
    options,
    answers: [{ status: 404, body: { result: { code: '200.300.404', description: 'gone' } } }],
  })
  await fillCard()
  await payButton().click()
  await eventually(() => message().innerText()).toBe(en.expired)
  expect(await page.title()).toBe('InvalidCheckoutIdError')
})

test('a single-page application unloads the widget, and pays another checkout with other options', async () => {
  const otherId = CHECKOUT_ID.replace('0123', '3210')
  await openForm({
    path: '/v3/paymentWidgets.js',
    policy: { 'trusted-types': 'shop' },
    script: `var listeners = 0
for (const target of [window, document]) {
  const add = target.addEventListener
  target.addEventListener = (type, listener, options) => {
    const isOfWidget = /paymentWidgets|assets/.test(new Error().stack) && !options?.once
    if (isOfWidget) {
      listeners++
      options?.signal?.addEventListener('abort', () => listeners--)
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
  expect(await page.evaluate('listeners')).toBeGreaterThan(2)
  await page.evaluate('wpwl.unload()')
  const elements = `document.querySelectorAll('[class*=wpwl-], link').length`
  const leftovers = `[listeners, frames.length, 'wpwl' in window, ${elements}]`
  expect(await page.evaluate(leftovers)).toEqual([0, 0, false, 0])
  await page.evaluate(`{
    wpwlOptions = { locale: 'fr' }
    document.querySelector('.paymentWidgets').dataset.brands = 'AMEX VISA MASTER'
    const script = document.createElement('script')
    const trusted = trustedTypes.createPolicy('shop', { createScriptURL: (url) => url })
    script.src = trusted.createScriptURL('${gateway.url}/v1/paymentWidgets.js?checkoutId=${otherId}')
    document.head.append(script)
  }`)
  await eventually(() => label.allInnerTexts()).toEqual([widgetTexts.fr.cardHolder])
  expect(await page.locator('.wpwl-brand').count()).toBe(3)
  await fillCard()
  await payButton().click()
  await page.waitForURL(`${shop.url}/result?order=7&id=${otherId}&*`)
  expect(gateway.posted.map(({ path }) => path)).toEqual([`/v1/checkouts/${otherId}/payment`])
})

test("the merchant's page can read neither the card number nor the CVV", async () => {
  const spy = `
window.recorded = [];
const record = (event) => recorded.push([event.type, event.key, event.data, event.target && event.target.value]);
for (const type of ['keydown', 'keypress', 'keyup', 'input', 'beforeinput', 'paste', 'message', 'change', 'focusin']) {
  addEventListener(type, record, true); document.addEventListener(type, record, true)
}
const post = MessagePort.prototype.postMessage;
MessagePort.prototype.postMessage = function (...all) { recorded.push(all); return post.apply(this, all) };
const add = EventTarget.prototype.addEventListener;
EventTarget.prototype.addEventListener = function (type, listener, ...rest) {
  return add.call(this, type, (event) => { record(event); return listener.call(this, event) }, ...rest)
};
const get = window.fetch;
window.fetch = (...all) => { recorded.push(all.map(String)); return get(...all) };`
  await openForm({ script: spy, answers: [result('800.100.155')] })
  await frameInput('cardNumber').pressSequentially(CARD)
  await frameInput('cvv').pressSequentially('739')
  await control('expiry').fill('12 / 39')
  await control('cardHolder').fill('Jane Jones')
  // Attempts to read the frames: their documents, their field values, a port of the page, a forged sibling frame.
  const readAttempts = await page.evaluate(`(async () => {
    const results = []
    for (const frame of document.querySelectorAll('iframe')) {
      for (const attempt of [
        () => frame.contentDocument.body.innerHTML,
        () => frame.contentWindow.document.querySelector('input').value,
        () => frame.contentWindow.tollgateField.read(),
        () => window.frames[0].eval('1'),
      ]) try { results.push(String(attempt())) } catch { results.push('refused') }
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = record
      frame.contentWindow.postMessage({ kind: 'connect', pair: 'wpwl-1', label: '', placeholder: '', brands: [],
        masked: false }, '*', [port2])
      port1.postMessage({ kind: 'submit', action: 'payment', parameters: [] })
      frame.contentWindow.postMessage({ kind: 'read' }, '*')
    }
    window.tollgateField = { checkoutId: '${CHECKOUT_ID}', pair: 'wpwl-1', read: () => ['card.cvv', '000'] }
    return results
  })()`)
  expect(readAttempts).toEqual(Array.from({ length: 8 }, () => 'refused'))
  await payButton().click()
  await eventually(() => message().innerText()).toBe(en.declined)
  expect(gateway.posted).toHaveLength(1)
  expect(postedValues()['card.cvv']).toBe('739')
  const observed = String(await page.evaluate('JSON.stringify(recorded) + document.documentElement.outerHTML'))
  expect(observed).toContain('Jane Jones')
  for (const secret of [/4111/, /\b739\b/, /"key(?:down|up)","?\d/]) expect(observed).not.toMatch(secret)
})
