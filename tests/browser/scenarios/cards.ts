import { shopTexts } from '@tollgate/shop'
import { expect } from 'vitest'
import {
  expectResultCode,
  cards,
  control,
  expectOutcome,
  eventually,
  fillCard,
  fillCart,
  frameInput,
  expectResultPage,
  checkState,
  message,
  openWidget,
  currentOrder,
  payByCard,
  pressPay,
  type Shopper,
  textsOf,
} from '../shopper.ts'
import { approved } from './outcomes.ts'

/** Stores a card with a checkout without a payment. */
async function storeCard(shopper: Shopper): Promise<void> {
  const { page, environment } = shopper
  await page.goto(`${environment.shopUrl}/cards`)
  await page.locator('main form[action="/cards"] button').click()
  await currentOrder(shopper)
  await fillCard(shopper, cards.approved)
  await checkState(shopper, 'form to store')
  await pressPay(shopper)
  await expectOutcome(shopper, { ...approved, purpose: 'card' })
}

export const cardsAndAccounts = {
  'a card payment is approved': async (shopper) => {
    const { page, language, environment } = shopper
    await page.goto(environment.shopUrl)
    await checkState(shopper, 'shop')
    await fillCart(shopper)
    await checkState(shopper, 'cart')
    const order = await openWidget(shopper)
    await frameInput(shopper, 'cvv').waitFor()
    await checkState(shopper, 'form')
    await fillCard(shopper, cards.approved)
    await checkState(shopper, 'form filled')
    await pressPay(shopper)
    await expectOutcome(shopper, approved)
    await page.reload()
    await expectResultPage(shopper, approved)
    await expectResultCode(shopper, order.id, approved.code)
    await page.goto(`${environment.shopUrl}/cart`)
    expect(await page.locator('main').innerText()).toContain(shopTexts[language].cart.empty)
    await checkState(shopper, 'cart empty')
  },

  'errors are shown beside the fields': async (shopper) => {
    await fillCart(shopper)
    await openWidget(shopper)
    await frameInput(shopper, 'cardNumber').fill('4111111111111112')
    await control(shopper, 'expiry').fill('13 / 39')
    await frameInput(shopper, 'cvv').fill('1')
    await pressPay(shopper)
    const { errorCardNumber, errorExpiry, errorCvv, errorHolder } = textsOf(shopper)
    const errors = { cardNumber: errorCardNumber, expiry: errorExpiry, cvv: errorCvv, cardHolder: errorHolder }
    for (const [name, text] of Object.entries(errors)) {
      await eventually(() => shopper.page.locator(`.wpwl-hint-${name}Error`).innerText(), text)
    }
    // The form scrolls the first invalid field into view, with its label.
    const label = shopper.page.locator('.wpwl-container-card .wpwl-label-cardNumber')
    await eventually(async () => ((await label.boundingBox())?.y ?? -1) >= 0, true)
    await checkState(shopper, 'errors')
  },

  'a declined card is replaced by another card': async (shopper) => {
    await payByCard(shopper, cards.declined)
    await eventually(() => message(shopper).innerText(), textsOf(shopper).declined)
    await checkState(shopper, 'declined')
    await fillCard(shopper, cards.approved)
    await pressPay(shopper)
    await expectOutcome(shopper, approved)
  },

  'a stored card pays with one click': async (shopper) => {
    await fillCart(shopper)
    await shopper.page.locator('input[name=store]').check()
    await openWidget(shopper)
    await fillCard(shopper, cards.approved)
    await pressPay(shopper)
    await expectOutcome(shopper, approved)
    await fillCart(shopper)
    await openWidget(shopper)
    await checkState(shopper, 'stored card')
    await pressPay(shopper, 'registration')
    await expectOutcome(shopper, approved)
  },

  'a direct debit is approved': async (shopper) => {
    const { page } = shopper
    await fillCart(shopper)
    await openWidget(shopper, 'debit')
    await checkState(shopper, 'form')
    await page.locator('.wpwl-control-accountHolder').fill('Jane Jones')
    await page.locator('.wpwl-control-iban').fill('DE89 3704 0044 0532 0130 00')
    await checkState(shopper, 'form filled')
    await pressPay(shopper, 'directDebit')
    await expectOutcome(shopper, approved)
  },

  'a card is stored without a payment, and deleted': async (shopper) => {
    await storeCard(shopper)
    await shopper.page.goto(`${shopper.environment.shopUrl}/cards`)
    expect(await shopper.page.locator('.list').innerText()).toContain('1111')
    await checkState(shopper, 'stored cards')
    await shopper.page.locator('.list button').click()
    await eventually(() => shopper.page.locator('.list').count(), 0)
  },

  'a subscription is started and ended': async (shopper) => {
    const { page, environment } = shopper
    await storeCard(shopper)
    await page.goto(`${environment.shopUrl}/subscription`)
    await checkState(shopper, 'subscription')
    await page.locator('form[action="/subscription"] button').click()
    await expectOutcome(shopper, { ...approved, purpose: 'subscription' })
    await page.goto(`${environment.shopUrl}/subscription`)
    await page.locator('.list button').click()
    await eventually(() => page.locator('.list').count(), 0)
  },

  'an expired checkout shows a message': async (shopper) => {
    const { page, environment } = shopper
    const text = textsOf(shopper).expired
    await fillCart(shopper)
    const { checkoutId } = await openWidget(shopper)
    await fillCard(shopper, cards.approved)
    await environment.fastForward(31)
    await pressPay(shopper)
    await eventually(() => message(shopper).innerText(), text)
    await checkState(shopper, 'expired during the payment')
    await page.reload()
    await eventually(() => message(shopper).innerText(), text)
    await checkState(shopper, 'expired')
    expect((await environment.read(`/v1/checkouts/${checkoutId}/payment`)).result.code).toBe('200.300.404')
  },
} as const satisfies Readonly<Record<string, (shopper: Shopper) => Promise<void>>>
