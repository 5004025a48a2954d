import { describe, expect, test } from 'vitest'
import {
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
  payButton,
  message,
  fillCard,
  waitForReturn,
  setUpBrowser,
} from './form.ts'
import { axeViolations } from './axe.ts'
import { launchBrowser } from './browser.ts'
import { redirectTo, result } from './fake-gateway.ts'

setUpBrowser()

describe('the 3-D Secure page in place of the form', () => {
  const challenge = () => redirectTo(`${gateway.url}/pages/authentications/1`)
  const bankFrame = () => page.frameLocator('.wpwl-authentication-frame')
  const press = (name: string) => page.getByRole('button', { name }).click()
  const startChallenge = async (): Promise<void> => {
    await openForm({ answers: [challenge(), result('000.100.110')] })
    await fillCard()
    await page.clock.install()
    await payButton().click()
    await bankFrame().getByRole('heading').waitFor()
    gateway.checkout = { state: 'pending', cancellable: true }
  }

  test('closes after a failed authentication, and the form shows the failure', async () => {
    await startChallenge()
    gateway.checkout = { declined: 'authentication' }
    await bankFrame().getByRole('button').click()
    await eventually(() => message().innerText()).toBe(en.notAuthenticated)
    expect(await frameInput('cardNumber').inputValue()).toBe('4111 1111 1111 1111')
    expect(await page.locator('.wpwl-authentication').count()).toBe(0)
    expect(gateway.cancellations).toBe(0)
  })

  test('can be left for another method: the payment is cancelled, and the form is shown again', async () => {
    await startChallenge()
    await press(en.otherMethod)
    await eventually(() => payButton().isVisible()).toBe(true)
    await eventually(async () => [gateway.cancellations, await message().count()]).toEqual([1, 0])
    expect(gateway.posted.length).toBe(1)
    await payButton().click()
    await waitForReturn()
  })

  test('offers a new payment after 15 seconds', async () => {
    await startChallenge()
    expect(await page.getByRole('button').allInnerTexts()).toEqual([en.otherMethod])
    await page.clock.runFor(15_000)
    expect(await page.getByText(en.challengeHelp).isVisible()).toBe(true)
    expect(await axeViolations(page)).toEqual([])
    await press(en.tryAgainButton)
    await waitForReturn()
    expect([gateway.cancellations, gateway.posted.length]).toEqual([1, 2])
    expect(gateway.posted.map(({ values }) => values.get('card.cvv'))).toEqual(['123', '123'])
  })

  longTest('offers a new payment at once if it loses its connection', async () => {
    await startChallenge()
    await page.evaluate('dispatchEvent(new Event("offline"))')
    await page.getByText(en.challengeHelp).waitFor()
  })

  longTest('returns to the shop if it is left after the payment was made', async () => {
    await startChallenge()
    gateway.cancelledCheckout = { state: 'done' }
    await press(en.otherMethod)
    await waitForReturn()
    expect(gateway.posted.length).toBe(1)
  })

  test('is closed by a reload, and the shopper cancels the payment to use another method', async () => {
    await startChallenge()
    await page.reload()
    await eventually(() => message().innerText()).toContain(en.waitOrChange)
    expect(await page.locator('iframe').count()).toBe(0)
    expect(await axeViolations(page)).toEqual([])
    await press(en.otherMethod)
    await frameInput('cvv').waitFor()
    expect([gateway.cancellations, await message().count()]).toEqual([1, 0])
    await fillCard()
    await payButton().click()
    await waitForReturn()
  })

  longTest(
    'is closed by a reload, and the shopper returns to the shop after confirming the payment in an app',
    async () => {
      await startChallenge()
      await page.reload()
      await eventually(() => message().innerText()).toContain(en.waitOrChange)
      gateway.checkout = { state: 'done' }
      await page.clock.runFor(5_000)
      await waitForReturn()
    },
  )

  longTest('is closed by a reload, and the form is shown again if the authentication fails', async () => {
    await startChallenge()
    await page.reload()
    await eventually(() => message().innerText()).toContain(en.waitOrChange)
    gateway.checkout = { declined: 'authentication' }
    await page.clock.runFor(5_000)
    await eventually(() => message().innerText()).toBe(en.notAuthenticated)
    expect(await frameInput('cvv').isVisible()).toBe(true)
  })
})

describe('a shopper who goes back from the bank', () => {
  const redirect = () => ({ url: `${shop.url}/bank?lang=en`, method: 'GET', parameters: [], inFrame: false }) as const

  test.each(['reloaded', 'restored from the back-forward cache'])(
    'may choose another method, with the page %s',
    async (pageState) => {
      const isRestored = pageState.startsWith('restored')
      const cachingBrowser = isRestored ? await launchBrowser({ hasPageCache: true }) : undefined
      await openForm({
        ...(cachingBrowser && { context: await cachingBrowser.newContext() }),
        options: '{ requireCvv: false }',
        brands: 'VISA PAYPAL',
        answers: [redirectTo(redirect().url, { parameters: [] })],
        script: 'addEventListener("pageshow", ({ persisted }) => (document.title = String(persisted)))',
      })
      await frameInput('cardNumber').fill(CARD)
      await page.locator('.wpwl-container-virtualAccount-PAYPAL .wpwl-button-pay').click()
      await page.waitForURL(redirect().url)
      gateway.checkout = { state: 'pending', redirect: redirect(), cancellable: true }
      await page.goBack({ waitUntil: 'commit' })
      await eventually(() => message().innerText()).toContain(en.underWay)
      expect(await page.title()).toBe(String(isRestored))
      await page.getByRole('button', { name: en.otherMethod }).click()
      await eventually(() => payButton().isVisible()).toBe(true)
      expect(gateway.cancellations).toBe(1)
      // A restored page still has the card number in its frame, which the test can no longer access.
      if (!isRestored) await frameInput('cardNumber').fill(CARD)
      await control('expiry').fill('12 / 39')
      await control('cardHolder').fill('Jane Jones')
      await payButton().click()
      await waitForReturn()
      expect(Object.fromEntries(gateway.posted.at(-1)?.values ?? [])).toMatchObject({
        paymentBrand: 'VISA',
        'card.number': CARD,
      })
      await cachingBrowser?.close()
    },
  )

  longTest('gets a button to continue after the payment, and no automatic redirect', async () => {
    await openForm({})
    await frameInput('cvv').waitFor()
    gateway.checkout = { state: 'done' }
    await page.evaluate('dispatchEvent(new PageTransitionEvent("pageshow", { persisted: true }))')
    await eventually(() => message().innerText()).toContain(en.alreadyDone)
    await page.getByRole('button', { name: en.continueButton }).click()
    await waitForReturn()
  })
})
