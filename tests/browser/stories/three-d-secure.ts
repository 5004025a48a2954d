import { expect } from 'vitest'
import {
  answer,
  becomes,
  cards,
  challengeIn,
  endsAs,
  eventually,
  fillCard,
  fillCart,
  inFrame,
  look,
  message,
  type Order,
  passwords,
  payByCard,
  pressPay,
  type Shopper,
  textsOf,
} from '../shopper.ts'
import { approved, isWaitedFor, pressOther } from './parts.ts'

/** The parameters about the shopper that are mandatory for 3-D Secure. */
const mandatory = {
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

/** Pays with a card that is challenged, and answers the challenge. */
async function challenged(shopper: Shopper, ...given: readonly string[]): Promise<Order> {
  const order = await payByCard(shopper, cards.challenged)
  const challenge = challengeIn(shopper)
  await challenge.locator('#password').waitFor()
  await look(shopper, 'challenge')
  for (const [tries, password] of given.entries()) {
    await answer(challenge, password)
    if (tries > 0 || given.length === 1) continue
    await challenge.locator('.wrong').waitFor()
    await look(shopper, 'wrong password')
  }
  return order
}

/** The form is shown again with the reason of the failure; then another card pays. */
async function paysAfterAll(shopper: Shopper, order: Order, text: string, code: string): Promise<void> {
  await eventually(() => message(shopper).innerText(), text)
  await look(shopper, 'back in the form')
  await becomes(shopper, order.id, code)
  await fillCard(shopper, cards.approved)
  await pressPay(shopper)
  await endsAs(shopper, approved)
}

export const threeDSecure = {
  '3-D Secure: frictionless': async (shopper) => {
    await payByCard(shopper, cards.frictionless)
    await endsAs(shopper, approved)
  },

  '3-D Secure: the right password': async (shopper) => {
    await challenged(shopper, passwords.right)
    await endsAs(shopper, approved)
  },

  '3-D Secure: a wrong password, then the right one': async (shopper) => {
    await challenged(shopper, passwords.wrong, passwords.right)
    await endsAs(shopper, approved)
  },

  '3-D Secure: three wrong passwords': async (shopper) => {
    const order = await challenged(shopper, passwords.wrong, passwords.wrong, passwords.wrong)
    await paysAfterAll(shopper, order, textsOf(shopper).notAuthenticated, '100.380.401')
  },

  '3-D Secure: cancelled': async (shopper) => {
    const order = await challenged(shopper)
    await challengeIn(shopper).locator('button[name=cancel]').click()
    await paysAfterAll(shopper, order, textsOf(shopper).notAuthenticated, '100.380.401')
  },

  '3-D Secure: left to pay another way': async (shopper) => {
    const order = await challenged(shopper)
    await pressOther(shopper)
    await eventually(() => inFrame(shopper, 'cardNumber').isVisible(), true)
    await look(shopper, 'back in the form')
    await becomes(shopper, order.id, '100.396.101')
    await fillCard(shopper, cards.approved)
    await pressPay(shopper)
    await endsAs(shopper, approved)
  },

  '3-D Secure: the page is loaded again': async (shopper) => {
    await challenged(shopper)
    await shopper.page.reload()
    const { underWay, waitOrChange } = textsOf(shopper)
    await isWaitedFor(shopper, `${underWay} ${waitOrChange}`)
    await look(shopper, 'after the reload')
    await pressOther(shopper)
    await inFrame(shopper, 'cvv').waitFor()
    await fillCard(shopper, cards.challenged)
    await pressPay(shopper)
    await answer(challengeIn(shopper), passwords.right)
    await endsAs(shopper, approved)
  },

  '3-D Secure: begun again': async (shopper) => {
    const { page } = shopper
    await payByCard(shopper, cards.challenged)
    await challengeIn(shopper).locator('#password').waitFor()
    await page.evaluate('dispatchEvent(new Event("offline"))')
    await look(shopper, 'help')
    await page.getByRole('button', { name: textsOf(shopper).tryAgainButton }).click()
    await answer(challengeIn(shopper), passwords.right)
    await endsAs(shopper, approved)
  },

  '3-D Secure: too late': async (shopper) => {
    const order = await challenged(shopper)
    await shopper.town.pass(12)
    await answer(challengeIn(shopper), passwords.right)
    await paysAfterAll(shopper, order, textsOf(shopper).notAuthenticated, '100.380.501')
  },

  '3-D Secure: in a window of its own': async (shopper) => {
    const { page } = shopper
    await fillCart(shopper)
    await page.locator('form[action="/card-form"] button').click()
    await page.waitForURL('**/card-form?')
    const fields = { number: cards.challenged, holder: 'Jane Jones', expiryMonth: '12', expiryYear: '2039', cvv: '123' }
    for (const [name, value] of Object.entries(fields)) await page.locator(`[name="card.${name}"]`).fill(value)
    await look(shopper, 'form of the shop')
    await page.locator('form[action="/card-form"] button').click()
    await page.locator('#password').waitFor()
    await look(shopper, 'challenge')
    await answer(page, passwords.right)
    await endsAs(shopper, approved)
  },

  '3-D Secure: the bank asks elsewhere': async (shopper) => {
    const { page, town, language } = shopper
    const { id, redirect } = await town.pay({
      ...mandatory,
      'customer.browser.language': language,
      'card.number': cards.challenged,
      'threeDSecure.decoupled': 'true',
      shopperResultUrl: `${town.shopUrl}/result`,
    })
    const { url }: { readonly url: string } = Object(redirect)
    await page.goto(url)
    await page.locator('[data-step="wait"] a').waitFor()
    await look(shopper, 'bank elsewhere')
    await town.pass(1)
    await page.waitForURL(`${town.shopUrl}/result?*`)
    expect((await town.read(`/v1/payments/${id}`)).result.code).toBe(approved.code)
  },
} as const satisfies Readonly<Record<string, (shopper: Shopper) => Promise<void>>>
