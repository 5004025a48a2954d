import { shopTexts } from '@tollgate/shop'
import { expect } from 'vitest'
import {
  becomes,
  cards,
  control,
  endsAs,
  eventually,
  fillCard,
  fillCart,
  inFrame,
  expectResultPage,
  look,
  message,
  openWidget,
  orderHere,
  payByCard,
  pressPay,
  type Shopper,
  textsOf,
} from '../shopper.ts'
import { approved } from './parts.ts'

/** Stores a card. */
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

export const cardsAndAccounts = {
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
    await expectResultPage(shopper, approved)
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
    const text = textsOf(shopper).expired
    await fillCart(shopper)
    const { checkoutId } = await openWidget(shopper)
    await fillCard(shopper, cards.approved)
    await town.pass(31)
    await pressPay(shopper)
    await eventually(() => message(shopper).innerText(), text)
    await look(shopper, 'expired under way')
    await page.reload()
    await eventually(() => message(shopper).innerText(), text)
    await look(shopper, 'expired')
    expect((await town.read(`/v1/checkouts/${checkoutId}/payment`)).result.code).toBe('200.300.404')
  },
} as const satisfies Readonly<Record<string, (shopper: Shopper) => Promise<void>>>
