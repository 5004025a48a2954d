import { widgetTexts } from '@tollgate/contract'
import { describe, expect, test } from 'vitest'
import {
  isLong,
  longTest,
  en,
  eventually,
  browser,
  service,
  page,
  openForm,
  inFrame,
  control,
  payButton,
  message,
  fillCard,
  backInShop,
  setUpBrowser,
} from './form.ts'
import { axeViolations } from './axe.ts'

setUpBrowser()

describe('after a failure', () => {
  const lostAnswer = async (): Promise<void> => {
    await openForm({ answers: ['hang up'] })
    await fillCard()
    await page.clock.install()
    await payButton().click()
    await eventually(() => message().innerText()).toBe(en.unknownState)
  }

  test('a lost answer never leads to a second payment', async () => {
    await lostAnswer()
    await payButton().click({ force: true })
    service.checkout = { state: 'done' }
    await page.clock.runFor(1_000)
    await backInShop()
    expect(service.posted.length).toBe(1)
  })

  longTest('the checkout is polled more than once before the shopper may try again', async () => {
    await lostAnswer()
    const before = service.stateRequests
    const aSecondLater = async (): Promise<string> => {
      await page.clock.runFor(1_000)
      return message().innerText()
    }
    await eventually(aSecondLater).toBe(en.tryAgain)
    expect(service.stateRequests - before).toBe(2)
    await payButton().click()
    await backInShop()
    expect(service.posted.length).toBe(2)
  })

  test('expired and paid checkouts show a message', async () => {
    await openForm({
      checkout: { state: 'gone' },
      options: '{ onError: ({ name }) => (document.title = name) }',
    })
    await eventually(() => message().innerText()).toBe(en.expired)
    expect(await page.title()).toBe('InvalidCheckoutIdError')
    expect(await axeViolations(page)).toEqual([])
    service.checkout = { state: 'done' }
    await page.reload()
    await page.getByRole('button', { name: en.continueButton }).click()
    await backInShop()
  })

  test.each(isLong ? ['frame-src', 'connect-src'] : ['frame-src'])(
    'the message of a blocked widget names the directive %s',
    async (name) => {
      const errors: string[] = []
      await openForm({
        policy: { [name]: "'none'" },
        options: '{ onError: ({ message }) => (document.title = message) }',
      })
      page.on('pageerror', ({ message: text }) => errors.push(text))
      await eventually(() => message().first().innerText()).toBe(en.blocked)
      expect(await page.title()).toContain(name)
    },
  )

  longTest('a checkout that expired after a lost answer cannot be paid again', async () => {
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
      // With an empty cache.
      const context = await browser.newContext()
      const refused: Promise<unknown> = context.waitForEvent('console', (entry) =>
        /digest.*integrity/.test(entry.text()),
      )
      await openForm({ context })
      await refused
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

  test('is reported as late, is reloaded automatically, and can be reloaded by the shopper', async () => {
    service.failing = ['/fields/cvv']
    service.hanging = ['/fields/number']
    await openForm({ options: recordingErrors, clock: true })
    await control('cvv').waitFor()
    expect(await message().count()).toBe(0)
    await eventually(() => messagesAfter(500)).toContain(de.notLoaded)
    expect(await page.title()).toContain('WidgetErrora frame of')
    expect(await axeViolations(page)).toEqual([])
    service.failing = []
    // A policy in report-only mode blocks nothing.
    await page.evaluate(`document.dispatchEvent(new SecurityPolicyViolationEvent('securitypolicyviolation', {
      blockedURI: '${service.url}/pages/fields/cvv', disposition: 'report', effectiveDirective: 'frame-src',
      documentURI: location.href, violatedDirective: 'frame-src', originalPolicy: '', statusCode: 200 }))`)
    // The frame of the cvv is reloaded automatically; the frame of the number still does not load.
    await eventually(async () => {
      await messagesAfter(500)
      return page
        .frames()
        .find((one) => one.url().includes('/fields/cvv'))
        ?.locator('input')
        .count()
    }).toBe(1)
    expect(await messagesAfter(8_000)).toContain(de.notLoaded)
    service.hanging = []
    await page.getByRole('button', { name: de.tryAgainButton }).click()
    await inFrame('cardNumber').waitFor()
    await eventually(() => message().count()).toBe(0)
    expect(await page.getByText(de.blocked).count()).toBe(0)
    await fillCard()
    await payButton().click()
    await backInShop()
  })

  test('can be the whole form: the page shows a message in its language, and can retry', async () => {
    service.failing = ['form.js']
    // With an empty cache.
    const context = await browser.newContext()
    await openForm({ options: recordingErrors, clock: true, context })
    await eventually(() => message().innerText()).toContain(de.notLoaded)
    expect(await page.title()).toContain('WidgetErrorhttp')
    expect(await messagesAfter(60_000)).toContain(de.notLoaded)
    service.failing = []
    await page.getByRole('button', { name: de.tryAgainButton }).click()
    await inFrame('cvv').waitFor()
    expect(await page.locator('iframe').count()).toBe(2)
    expect(await message().count()).toBe(0)
    await context.close()
  })
})
