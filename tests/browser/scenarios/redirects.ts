import {
  expectResultCode,
  cards,
  choose,
  expectOutcome,
  expectOutcomeWithoutReturn,
  fillCard,
  fillCart,
  goToBank,
  frameInput,
  expectResultPage,
  checkState,
  openWidget,
  pressPay,
  type Shopper,
  textsOf,
} from '../shopper.ts'
import { approved, expired, expectPendingMessage, approvedLate, chooseOtherMethod, declined } from './outcomes.ts'

export const redirects = {
  'a wallet payment is approved': async (shopper) => {
    const order = await goToBank(shopper)
    await checkState(shopper, 'bank')
    await choose(shopper, 'pay')
    await expectOutcome(shopper, approved)
    await expectResultCode(shopper, order.id, approved.code)
  },

  'a wallet payment is declined': async (shopper) => {
    await goToBank(shopper)
    await choose(shopper, 'decline')
    await expectOutcome(shopper, declined)
  },

  'a wallet payment is cancelled': async (shopper) => {
    await goToBank(shopper)
    await choose(shopper, 'cancel')
    await expectOutcome(shopper, { outcome: 'cancelled', code: '100.396.101' })
  },

  'a shopper who returns from the bank pays by card': async (shopper) => {
    const order = await goToBank(shopper)
    await shopper.page.goBack()
    await expectPendingMessage(shopper, textsOf(shopper).underWay)
    await checkState(shopper, 'back from the bank')
    await chooseOtherMethod(shopper)
    await frameInput(shopper, 'cvv').waitFor()
    await expectResultCode(shopper, order.id, '100.396.101')
    await fillCard(shopper, cards.approved)
    await pressPay(shopper)
    await expectOutcome(shopper, approved)
  },

  'a checkout that is paid in one tab shows its result in the other': async (shopper) => {
    await fillCart(shopper)
    await openWidget(shopper)
    const { page } = shopper
    const secondTab = {
      ...shopper,
      page: await page.context().newPage(),
      screenshotPrefix: `${shopper.screenshotPrefix}, second tab`,
    }
    await secondTab.page.goto(page.url())
    await fillCard(secondTab, cards.approved)
    await fillCard(shopper, cards.approved)
    await pressPay(shopper)
    await expectOutcome(shopper, approved)
    await pressPay(secondTab)
    await expectResultPage(secondTab, approved)
    await checkState(secondTab, 'result')
  },

  'a wallet payment with a repeated return is approved once': async (shopper) => {
    const order = await goToBank(shopper)
    await choose(shopper, 'payTwice')
    await expectOutcome(shopper, approved)
    await shopper.page.goBack()
    await shopper.page.goForward()
    await expectResultPage(shopper, approved)
    await expectResultCode(shopper, order.id, approved.code)
  },

  'a pending wallet payment is approved later': async (shopper) => {
    const order = await goToBank(shopper)
    await choose(shopper, 'payLater')
    await expectOutcome(shopper, { outcome: 'pending', code: '800.400.500' })
    await shopper.environment.fastForward(6)
    await expectResultCode(shopper, order.id, approved.code)
    await shopper.page.reload()
    await expectOutcome(shopper, approved)
  },

  'a pending wallet payment is declined later': async (shopper) => {
    const order = await goToBank(shopper)
    await choose(shopper, 'failLater')
    await expectOutcome(shopper, { outcome: 'pending', code: '800.400.500' })
    await shopper.environment.fastForward(6)
    await expectResultCode(shopper, order.id, declined.code)
    await shopper.page.reload()
    await expectOutcome(shopper, declined)
  },

  'a wallet payment is approved without a return': async (shopper) => {
    const order = await goToBank(shopper)
    await choose(shopper, 'payAndStay')
    await shopper.page.locator('.state h2').waitFor()
    await checkState(shopper, 'bank without return')
    await expectOutcomeWithoutReturn(shopper, order, approved)
  },

  'an abandoned wallet payment expires': async (shopper) => {
    const order = await goToBank(shopper)
    await shopper.environment.fastForward(31)
    await expectOutcomeWithoutReturn(shopper, order, expired)
  },

  'an expired wallet payment is approved late by the shopper': async (shopper) => {
    const order = await goToBank(shopper)
    await shopper.environment.fastForward(31)
    await expectResultCode(shopper, order.id, expired.code)
    await choose(shopper, 'pay')
    await expectOutcomeWithoutReturn(shopper, order, approvedLate)
  },

  'an expired wallet payment is approved late by the bank': async (shopper) => {
    const order = await goToBank(shopper)
    await choose(shopper, 'payTooLate')
    await shopper.environment.fastForward(31)
    await expectResultCode(shopper, order.id, expired.code)
    await shopper.environment.fastForward(10)
    await expectOutcomeWithoutReturn(shopper, order, approvedLate)
  },

  'a server-to-server bank payment is approved': async (shopper) => {
    const { page } = shopper
    await fillCart(shopper)
    await page.locator('select[name=brand]').selectOption('IDEAL')
    await page.locator('form[action="/redirect"] button').click()
    await page.waitForURL('**/bank/**')
    await checkState(shopper, 'bank')
    await choose(shopper, 'pay')
    await expectOutcome(shopper, approved)
  },
} as const satisfies Readonly<Record<string, (shopper: Shopper) => Promise<void>>>
