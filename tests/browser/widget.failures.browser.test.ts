import { widgetTexts } from '@tollgate/contract'
import { describe, expect, test } from 'vitest'
import {
  isLongRun,
  longTest,
  en,
  eventually,
  browser,
  gateway,
  page,
  openForm,
  frameInput,
  control,
  hint,
  payButton,
  message,
  fillCard,
  waitForReturn,
  setUpBrowser,
} from './form.ts'
import { axeViolations } from './axe.ts'

setUpBrowser()

describe('after a failure', () => {
  const loseAnswer = async (): Promise<void> => {
    await openForm({ answers: ['hang up'] })
    await fillCard()
    await page.clock.install()
    await payButton().click()
    await eventually(() => message().innerText()).toBe(en.unknownState)
  }

  test('a checkout whose answer was lost is not paid again if it turns out to be paid', async () => {
    await loseAnswer()
    await payButton().click({ force: true })
    gateway.checkout = { state: 'done' }
    await page.clock.runFor(1_000)
    await waitForReturn()
    expect(gateway.posted.length).toBe(1)
  })

  longTest('after a lost answer, the checkout is polled twice before the shopper may try again', async () => {
    await loseAnswer()
    const earlierRequests = gateway.stateRequests
    const messageAfterOneSecond = async (): Promise<string> => {
      await page.clock.runFor(1_000)
      return message().innerText()
    }
    await eventually(messageAfterOneSecond).toBe(en.tryAgain)
    expect(gateway.stateRequests - earlierRequests).toBe(2)
    await payButton().click()
    await waitForReturn()
    expect(gateway.posted.length).toBe(2)
  })

  test('expired and paid checkouts show a message', async () => {
    await openForm({
      checkout: { state: 'gone' },
      options: '{ onError: ({ name }) => (document.title = name) }',
    })
    await eventually(() => message().innerText()).toBe(en.expired)
    expect(await page.title()).toBe('InvalidCheckoutIdError')
    expect(await axeViolations(page)).toEqual([])
    gateway.checkout = { state: 'done' }
    await page.reload()
    await page.getByRole('button', { name: en.continueButton }).click()
    await waitForReturn()
  })

  test.each(isLongRun ? ['frame-src', 'connect-src'] : ['frame-src'])(
    'the error message of a blocked widget contains the directive %s',
    async (name) => {
      await openForm({
        policy: { [name]: "'none'" },
        options: '{ onError: ({ message }) => (document.title = message) }',
      })
      await eventually(() => message().first().innerText()).toBe(en.blocked)
      expect(await page.title()).toContain(name)
    },
  )

  test('a form that a policy blocks after it was filled in sends no payment', async () => {
    await openForm({ options: '{ onError: ({ message }) => (document.title = message) }' })
    await fillCard()
    await page.evaluate(`document.dispatchEvent(new SecurityPolicyViolationEvent('securitypolicyviolation', {
      blockedURI: '${gateway.url}/v1/checkouts', disposition: 'enforce', effectiveDirective: 'connect-src',
      documentURI: location.href, violatedDirective: 'connect-src', originalPolicy: '', statusCode: 200 }))`)
    expect(await message().first().innerText()).toBe(en.blocked)
    await payButton().click({ force: true })
    // A payment of the form would have been posted before the answer to this later request.
    await page.evaluate(`fetch('${gateway.url}/', { mode: 'no-cors' })`)
    expect(gateway.posted).toEqual([])
  })

  longTest('a checkout that expired after a lost answer cannot be paid again', async () => {
    await loseAnswer()
    gateway.checkout = { state: 'gone' }
    await page.clock.runFor(1_000)
    await eventually(() => message().innerText()).toBe(en.expired)
    expect(await payButton().getAttribute('aria-disabled')).toBe('true')
    expect(await page.locator('.wpwl-busy').count()).toBe(0)
  })

  test.each(isLongRun ? ['paymentWidgets.js', 'form.js'] : ['form.js'])(
    'a modified %s is not run, because its digest does not match',
    async (name) => {
      gateway.modifiedFiles = [name]
      // A new context has an empty cache.
      const context = await browser.newContext()
      const integrityError: Promise<unknown> = context.waitForEvent('console', (entry) =>
        /digest.*integrity/.test(entry.text()),
      )
      await openForm({ context })
      await integrityError
      expect(await page.evaluate('document.querySelector(".wpwl-form, link[href*=css]")')).toBe(null)
      if (name === 'form.js') await eventually(() => message().innerText()).toContain(en.notLoaded)
      await context.close()
    },
  )
})

describe('a part of the form that does not load', () => {
  const recordingErrors = '{ locale: "de", onError: ({ name, message }) => (document.title += name + message) }'
  const de = widgetTexts.de
  const messagesAfter = async (ms: number): Promise<string> => {
    await page.clock.runFor(ms)
    return message()
      .allInnerTexts()
      .then((texts) => texts.join(' '))
  }

  test('is reported after a delay, is reloaded automatically, and can be reloaded by the shopper', async () => {
    gateway.failingPaths = ['/fields/cvv']
    gateway.hangingPaths = ['/fields/number']
    await openForm({ options: recordingErrors, hasFakeClock: true })
    await control('cvv').waitFor()
    expect(await message().count()).toBe(0)
    await eventually(() => messagesAfter(500)).toContain(de.notLoaded)
    expect(await page.title()).toContain('WidgetErrora frame of')
    expect(await axeViolations(page)).toEqual([])
    gateway.failingPaths = []
    // A policy in report-only mode blocks nothing, so that its violation must not be shown as a block.
    await page.evaluate(`document.dispatchEvent(new SecurityPolicyViolationEvent('securitypolicyviolation', {
      blockedURI: '${gateway.url}/pages/fields/cvv', disposition: 'report', effectiveDirective: 'frame-src',
      documentURI: location.href, violatedDirective: 'frame-src', originalPolicy: '', statusCode: 200 }))`)
    // The frame of the CVV is reloaded automatically. The frame of the number still does not load.
    await eventually(async () => {
      await messagesAfter(500)
      return page
        .frames()
        .find((frame) => frame.url().includes('/fields/cvv'))
        ?.locator('input')
        .count()
    }).toBe(1)
    expect(await messagesAfter(8_000)).toContain(de.notLoaded)
    await payButton().click()
    expect(await hint('cardNumber').innerText()).toBe(de.errorCardNumberMissing)
    gateway.hangingPaths = []
    await page.getByRole('button', { name: de.tryAgainButton }).click()
    await frameInput('cardNumber').waitFor()
    await eventually(() => message().count()).toBe(0)
    expect(await page.getByText(de.blocked).count()).toBe(0)
    await fillCard()
    await payButton().click()
    await waitForReturn()
  })

  test('is replaced by a message in the language of the page, with a button, if it is the whole form', async () => {
    gateway.failingPaths = ['form.js']
    // A new context has an empty cache.
    const context = await browser.newContext()
    await openForm({ options: recordingErrors, hasFakeClock: true, context })
    await eventually(() => message().innerText()).toContain(de.notLoaded)
    // After the two automatic retries, only the button loads the form.
    await eventually(async () => {
      expect(await messagesAfter(5_000)).toContain(de.notLoaded)
      return (await page.title()).match(/WidgetErrorhttp/g)?.length
    }).toBe(3)
    gateway.failingPaths = []
    await page.getByRole('button', { name: de.tryAgainButton }).click()
    await frameInput('cvv').waitFor()
    expect(await page.locator('iframe').count()).toBe(2)
    expect(await message().count()).toBe(0)
    await context.close()
  })
})
