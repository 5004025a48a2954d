import {
  becomes,
  cards,
  choose,
  endsAs,
  endsWithout,
  fillCard,
  fillCart,
  goToBank,
  inFrame,
  expectResultPage,
  look,
  openWidget,
  pressPay,
  type Shopper,
  textsOf,
} from '../shopper.ts'
import { approved, expired, isWaitedFor, late, pressOther, refused } from './parts.ts'

export const redirects = {
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
    await expectResultPage(second, approved)
    await look(second, 'result')
  },

  'a wallet: paid, and back twice': async (shopper) => {
    const order = await goToBank(shopper)
    await choose(shopper, 'payTwice')
    await endsAs(shopper, approved)
    await shopper.page.goBack()
    await shopper.page.goForward()
    await expectResultPage(shopper, approved)
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
} as const satisfies Readonly<Record<string, (shopper: Shopper) => Promise<void>>>
