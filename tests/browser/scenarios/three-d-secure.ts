import { expect } from 'vitest'
import {
  answer,
  expectResultCode,
  cards,
  challengeIn,
  expectOutcome,
  eventually,
  fillCard,
  fillCart,
  frameInput,
  checkState,
  message,
  type Order,
  passwords,
  payByCard,
  pressPay,
  type Shopper,
  textsOf,
} from '../shopper.ts'
import { approved, expectPendingMessage, chooseOtherMethod } from './outcomes.ts'

/** The parameters about the shopper that are mandatory for 3-D Secure. */
const mandatoryParameters = {
  'customer.givenName': 'Jane',
  'customer.surname': 'Jones',
  'customer.browser.acceptHeader': 'text/html',
  'customer.browser.userAgent': 'Mozilla/5.0',
  'customer.browser.screenHeight': '640',
  'customer.browser.screenWidth': '320',
  'customer.browser.timezone': '60',
  'customer.browser.javaEnabled': 'false',
  'billing.street1': 'Hauptstr. 1',
  'billing.city': 'Berlin',
  'billing.postcode': '10115',
  'billing.country': 'DE',
}

/** Pays with a card that is challenged, and enters the passwords, if any, one after the other. */
async function payWithChallenge(shopper: Shopper, ...passwordsInOrder: readonly string[]): Promise<Order> {
  const order = await payByCard(shopper, cards.challenged)
  const challenge = challengeIn(shopper)
  await challenge.locator('#password').waitFor()
  await checkState(shopper, 'challenge')
  for (const [index, password] of passwordsInOrder.entries()) {
    await answer(challenge, password)
    if (index > 0 || passwordsInOrder.length === 1) continue
    await challenge.locator('.wrong').waitFor()
    await checkState(shopper, 'wrong password')
  }
  return order
}

/** Expects the form with the reason for the failed authentication, and pays with another card. */
async function payWithOtherCard(shopper: Shopper, order: Order, text: string, code: string): Promise<void> {
  await eventually(() => message(shopper).innerText(), text)
  await checkState(shopper, 'back in the form')
  await expectResultCode(shopper, order.id, code)
  await fillCard(shopper, cards.approved)
  await pressPay(shopper)
  await expectOutcome(shopper, approved)
}

export const threeDSecure = {
  'a frictionless authentication is approved': async (shopper) => {
    await payByCard(shopper, cards.frictionless)
    await expectOutcome(shopper, approved)
  },

  'a challenge with the right password is approved': async (shopper) => {
    await payWithChallenge(shopper, passwords.right)
    await expectOutcome(shopper, approved)
  },

  'a challenge with a corrected password is approved': async (shopper) => {
    await payWithChallenge(shopper, passwords.wrong, passwords.right)
    await expectOutcome(shopper, approved)
  },

  'a challenge with three wrong passwords fails the authentication': async (shopper) => {
    const order = await payWithChallenge(shopper, passwords.wrong, passwords.wrong, passwords.wrong)
    await payWithOtherCard(shopper, order, textsOf(shopper).notAuthenticated, '100.380.401')
  },

  'a cancelled challenge fails the authentication': async (shopper) => {
    const order = await payWithChallenge(shopper)
    await challengeIn(shopper).locator('button[name=cancel]').click()
    await payWithOtherCard(shopper, order, textsOf(shopper).notAuthenticated, '100.380.401')
  },

  'a shopper leaves a challenge for another method': async (shopper) => {
    const order = await payWithChallenge(shopper)
    await chooseOtherMethod(shopper)
    await eventually(() => frameInput(shopper, 'cardNumber').isVisible(), true)
    await checkState(shopper, 'back in the form')
    await expectResultCode(shopper, order.id, '100.396.101')
    await fillCard(shopper, cards.approved)
    await pressPay(shopper)
    await expectOutcome(shopper, approved)
  },

  'a challenge interrupted by a reload is started again': async (shopper) => {
    await payWithChallenge(shopper)
    await shopper.page.reload()
    const { underWay, waitOrChange } = textsOf(shopper)
    await expectPendingMessage(shopper, `${underWay} ${waitOrChange}`)
    await checkState(shopper, 'after the reload')
    await chooseOtherMethod(shopper)
    await frameInput(shopper, 'cvv').waitFor()
    await fillCard(shopper, cards.challenged)
    await pressPay(shopper)
    await answer(challengeIn(shopper), passwords.right)
    await expectOutcome(shopper, approved)
  },

  'a challenge that lost its connection is started again': async (shopper) => {
    const { page } = shopper
    await payByCard(shopper, cards.challenged)
    await challengeIn(shopper).locator('#password').waitFor()
    await page.evaluate('dispatchEvent(new Event("offline"))')
    await checkState(shopper, 'help')
    await page.getByRole('button', { name: textsOf(shopper).tryAgainButton }).click()
    await answer(challengeIn(shopper), passwords.right)
    await expectOutcome(shopper, approved)
  },

  'a challenge answered too late fails the authentication': async (shopper) => {
    const order = await payWithChallenge(shopper)
    await shopper.environment.fastForward(12)
    await answer(challengeIn(shopper), passwords.right)
    await payWithOtherCard(shopper, order, textsOf(shopper).notAuthenticated, '100.380.501')
  },

  'a challenge on a page of its own is approved': async (shopper) => {
    const { page } = shopper
    await fillCart(shopper)
    await page.locator('form[action="/card-form"] button').click()
    await page.waitForURL('**/card-form?')
    const fields = { number: cards.challenged, holder: 'Jane Jones', expiryMonth: '12', expiryYear: '2039', cvv: '123' }
    for (const [name, value] of Object.entries(fields)) await page.locator(`[name="card.${name}"]`).fill(value)
    await checkState(shopper, 'form of the shop')
    await page.locator('form[action="/card-form"] button').click()
    await page.locator('#password').waitFor()
    await checkState(shopper, 'challenge')
    await answer(page, passwords.right)
    await expectOutcome(shopper, approved)
  },

  'a decoupled authentication is approved': async (shopper) => {
    const { page, environment, language } = shopper
    const { id, redirect } = await environment.pay({
      ...mandatoryParameters,
      'customer.browser.language': language,
      'card.number': cards.challenged,
      'threeDSecure.decoupled': 'true',
      shopperResultUrl: `${environment.shopUrl}/result`,
    })
    const { url }: { readonly url: string } = Object(redirect)
    await page.goto(url)
    await page.locator('[data-step="wait"] a').waitFor()
    await checkState(shopper, 'decoupled authentication')
    await environment.fastForward(1)
    await page.waitForURL(`${environment.shopUrl}/result?*`)
    expect((await environment.read(`/v1/payments/${id}`)).result.code).toBe(approved.code)
  },
} as const satisfies Readonly<Record<string, (shopper: Shopper) => Promise<void>>>
