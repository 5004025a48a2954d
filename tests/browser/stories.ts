import { shopTexts } from '@tollgate/simulators'
import { expect } from 'vitest'
import {
  answer,
  becomes,
  cards,
  challengeIn,
  choose,
  control,
  endsAs,
  endsWithout,
  eventually,
  fillCard,
  fillCart,
  goToBank,
  inFrame,
  isTold,
  look,
  message,
  openWidget,
  orderHere,
  type Order,
  passwords,
  payByCard,
  pressPay,
  type Shopper,
  textsOf,
} from './shopper.ts'

/** What a merchant's server must tell of the shopper whose bank is to be asked. */
const told = {
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

// What shoppers live to see in the sample shop, each from the shop's first page to how the gateway says it ended.

const approved = { outcome: 'approved', code: '000.100.110' } as const
const late = { outcome: 'approved', code: '000.600.000' } as const
const refused = { outcome: 'declined', code: '800.100.152' } as const
const expired = { outcome: 'declined', code: '100.396.103' } as const
/** Sees the challenge, and answers it. */
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

/** The form is back, and says that the authentication failed or was cancelled; then another card pays. */
async function paysAfterAll(shopper: Shopper, order: Order, said: string, code: string): Promise<void> {
  await eventually(() => message(shopper).innerText(), said)
  await look(shopper, 'back in the form')
  await becomes(shopper, order.id, code)
  await fillCard(shopper, cards.approved)
  await pressPay(shopper)
  await endsAs(shopper, approved)
}

/** The form is hidden, and says why. */
const isWaitedFor = async (shopper: Shopper, said: string): Promise<void> => {
  await eventually(async () => (await message(shopper).innerText()).split('\n')[0], said)
  expect(await shopper.page.locator('.wpwl-form').filter({ visible: true }).count()).toBe(0)
}

const pressOther = (shopper: Shopper): Promise<void> =>
  shopper.page.getByRole('button', { name: textsOf(shopper).otherMethod }).click()

/** Keeps a card for later. */
async function storeCard(shopper: Shopper): Promise<void> {
  const { page, town } = shopper
  await page.goto(`${town.shopUrl}/cards`)
  await page.locator('main form[action="/cards"] button').click()
  await orderHere(shopper)
  await fillCard(shopper, cards.approved)
  await look(shopper, 'form to store')
  await pressPay(shopper)
  await endsAs(shopper, { ...approved, purpose: 'card' })
}

export const stories = {
  'a card': async (shopper) => {
    const { page, language, town } = shopper
    await page.goto(town.shopUrl)
    await look(shopper, 'shop')
    await fillCart(shopper)
    await look(shopper, 'cart')
    const order = await openWidget(shopper)
    await inFrame(shopper, 'cvv').waitFor()
    await look(shopper, 'form')
    await fillCard(shopper, cards.approved)
    await look(shopper, 'form filled')
    await pressPay(shopper)
    await endsAs(shopper, approved)
    await page.reload()
    await isTold(shopper, approved)
    await becomes(shopper, order.id, approved.code)
    await page.goto(`${town.shopUrl}/cart`)
    expect(await page.locator('main').innerText()).toContain(shopTexts[language].cart.empty)
    await look(shopper, 'cart empty')
  },

  'errors beside the fields': async (shopper) => {
    await fillCart(shopper)
    await openWidget(shopper)
    await inFrame(shopper, 'cardNumber').fill('4111111111111112')
    await control(shopper, 'expiry').fill('13 / 39')
    await inFrame(shopper, 'cvv').fill('1')
    await pressPay(shopper)
    const { errorHolder } = textsOf(shopper)
    await eventually(() => shopper.page.locator('.wpwl-hint-cardHolderError').innerText(), errorHolder)
    const label = shopper.page.locator('.wpwl-container-card .wpwl-label-cardNumber')
    await eventually(async () => ((await label.boundingBox())?.y ?? -1) >= 0, true)
    await look(shopper, 'errors')
  },

  'a declined card, and another': async (shopper) => {
    await payByCard(shopper, cards.declined)
    await eventually(() => message(shopper).innerText(), textsOf(shopper).declined)
    await look(shopper, 'declined')
    await fillCard(shopper, cards.approved)
    await pressPay(shopper)
    await endsAs(shopper, approved)
  },

  'one click with a stored card': async (shopper) => {
    await fillCart(shopper)
    await shopper.page.locator('input[name=store]').check()
    await openWidget(shopper)
    await fillCard(shopper, cards.approved)
    await pressPay(shopper)
    await endsAs(shopper, approved)
    await fillCart(shopper)
    await openWidget(shopper)
    await look(shopper, 'stored card')
    await pressPay(shopper, 'registration')
    await endsAs(shopper, approved)
  },

  'a direct debit': async (shopper) => {
    const { page } = shopper
    await fillCart(shopper)
    await openWidget(shopper, 'debit')
    await look(shopper, 'form')
    await page.locator('.wpwl-control-accountHolder').fill('Jane Jones')
    await page.locator('.wpwl-control-iban').fill('DE89 3704 0044 0532 0130 00')
    await look(shopper, 'form filled')
    await pressPay(shopper, 'directDebit')
    await endsAs(shopper, approved)
  },

  'a wallet: paid': async (shopper) => {
    const order = await goToBank(shopper)
    await look(shopper, 'bank')
    await choose(shopper, 'pay')
    await endsAs(shopper, approved)
    await becomes(shopper, order.id, approved.code)
  },

  'a wallet: declined': async (shopper) => {
    await goToBank(shopper)
    await choose(shopper, 'decline')
    await endsAs(shopper, refused)
  },

  'a wallet: cancelled': async (shopper) => {
    await goToBank(shopper)
    await choose(shopper, 'cancel')
    await endsAs(shopper, { outcome: 'cancelled', code: '100.396.101' })
  },

  'a wallet: back, and another way': async (shopper) => {
    const order = await goToBank(shopper)
    await shopper.page.goBack()
    await isWaitedFor(shopper, textsOf(shopper).underWay)
    await look(shopper, 'back from the bank')
    await pressOther(shopper)
    await inFrame(shopper, 'cvv').waitFor()
    await becomes(shopper, order.id, '100.396.101')
    await fillCard(shopper, cards.approved)
    await pressPay(shopper)
    await endsAs(shopper, approved)
  },

  'two tabs, paid in the first': async (shopper) => {
    await fillCart(shopper)
    await openWidget(shopper)
    const { page } = shopper
    const second = { ...shopper, page: await page.context().newPage(), name: `${shopper.name}, second tab` }
    await second.page.goto(page.url())
    await fillCard(second, cards.approved)
    await fillCard(shopper, cards.approved)
    await pressPay(shopper)
    await endsAs(shopper, approved)
    await pressPay(second)
    await isTold(second, approved)
    await look(second, 'result')
  },

  'a wallet: paid, and back twice': async (shopper) => {
    const order = await goToBank(shopper)
    await choose(shopper, 'payTwice')
    await endsAs(shopper, approved)
    await shopper.page.goBack()
    await shopper.page.goForward()
    await isTold(shopper, approved)
    await becomes(shopper, order.id, approved.code)
  },

  'a wallet: pending, then paid': async (shopper) => {
    const order = await goToBank(shopper)
    await choose(shopper, 'payLater')
    await endsAs(shopper, { outcome: 'pending', code: '800.400.500' })
    await shopper.town.pass(6)
    await becomes(shopper, order.id, approved.code)
    await shopper.page.reload()
    await endsAs(shopper, approved)
  },

  'a wallet: pending, then refused': async (shopper) => {
    const order = await goToBank(shopper)
    await choose(shopper, 'failLater')
    await endsAs(shopper, { outcome: 'pending', code: '800.400.500' })
    await shopper.town.pass(6)
    await becomes(shopper, order.id, refused.code)
    await shopper.page.reload()
    await endsAs(shopper, refused)
  },

  'a wallet: paid, and never back': async (shopper) => {
    const order = await goToBank(shopper)
    await choose(shopper, 'payAndStay')
    await shopper.page.locator('.state h2').waitFor()
    await look(shopper, 'bank, to be closed')
    await endsWithout(shopper, order, approved)
  },

  'a wallet: left alone until it expires': async (shopper) => {
    const order = await goToBank(shopper)
    await shopper.town.pass(31)
    await endsWithout(shopper, order, expired)
  },

  'a wallet: paid when the time is up': async (shopper) => {
    const order = await goToBank(shopper)
    await shopper.town.pass(31)
    await becomes(shopper, order.id, expired.code)
    await choose(shopper, 'pay')
    await endsWithout(shopper, order, late)
  },

  'a wallet: left alone, and paid after all': async (shopper) => {
    const order = await goToBank(shopper)
    await choose(shopper, 'payTooLate')
    await shopper.town.pass(31)
    await becomes(shopper, order.id, expired.code)
    await shopper.town.pass(10)
    await endsWithout(shopper, order, late)
  },

  'a bank, from server to server': async (shopper) => {
    const { page } = shopper
    await fillCart(shopper)
    await page.locator('select[name=brand]').selectOption('IDEAL')
    await page.locator('form[action="/redirect"] button').click()
    await page.waitForURL('**/bank/**')
    await look(shopper, 'bank')
    await choose(shopper, 'pay')
    await endsAs(shopper, approved)
  },

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
      ...told,
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

  'a card that is stored, and pays nothing': async (shopper) => {
    await storeCard(shopper)
    await shopper.page.goto(`${shopper.town.shopUrl}/cards`)
    expect(await shopper.page.locator('.list').innerText()).toContain('1111')
    await look(shopper, 'stored cards')
    await shopper.page.locator('.list button').click()
    await eventually(() => shopper.page.locator('.list').count(), 0)
  },

  'a subscription': async (shopper) => {
    const { page, town } = shopper
    await storeCard(shopper)
    await page.goto(`${town.shopUrl}/subscription`)
    await look(shopper, 'subscription')
    await page.locator('form[action="/subscription"] button').click()
    await endsAs(shopper, { ...approved, purpose: 'subscription' })
    await page.goto(`${town.shopUrl}/subscription`)
    await page.locator('.list button').click()
    await eventually(() => page.locator('.list').count(), 0)
  },

  'a checkout that has expired': async (shopper) => {
    const { page, town } = shopper
    const said = textsOf(shopper).expired
    await fillCart(shopper)
    const { checkoutId } = await openWidget(shopper)
    await fillCard(shopper, cards.approved)
    await town.pass(31)
    await pressPay(shopper)
    await eventually(() => message(shopper).innerText(), said)
    await look(shopper, 'expired under way')
    await page.reload()
    await eventually(() => message(shopper).innerText(), said)
    await look(shopper, 'expired')
    expect((await town.read(`/v1/checkouts/${checkoutId}/payment`)).result.code).toBe('200.300.404')
  },
} as const satisfies Readonly<Record<string, (shopper: Shopper) => Promise<void>>>
