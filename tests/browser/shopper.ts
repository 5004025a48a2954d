import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { widgetTexts } from '@tollgate/contract'
import { type ShopLanguage, shopTexts } from '@tollgate/shop'
import type { Frame, FrameLocator, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeFinds } from './axe.ts'
import type { Town } from './town.ts'

/** A shopper of the sample shop, with their own browser. */
export interface Shopper {
  readonly page: Page
  readonly language: ShopLanguage
  readonly town: Town
  /** Prefix of the names of screenshots. */
  readonly name: string
}

/** An order of the shop's, and the checkout that it is paid by. */
export interface Order {
  readonly id: string
  readonly checkoutId: string
}

/** Long enough for a busy machine; waits end as soon as their condition holds. */
export const PATIENCE_MS = 15_000

export const cards = {
  approved: '4111111111111111',
  declined: '4000000000000002',
  frictionless: '4200000000000091',
  challenged: '4200000000000042',
} as const

export const passwords = { right: '1234', wrong: '4321' } as const

/** Polls until the value is as expected. */
export const eventually = (actual: () => unknown, expected: unknown): Promise<void> =>
  expect.poll(actual, { timeout: PATIENCE_MS }).toEqual(expected)

const { TOLLGATE_TEST_SCREENSHOTS: folder = '', TOLLGATE_TEST_LONG: long } = process.env
if (folder !== '') mkdirSync(folder, { recursive: true })

/** Whether a frame has a document and is visible. */
async function isShown(frame: Frame): Promise<boolean> {
  if (frame.url() === 'about:blank') return false
  const element = await frame.frameElement()
  return element.isVisible()
}

async function framesOf(page: Page): Promise<Frame[]> {
  const main = page.mainFrame()
  const found = [main]
  for (const frame of page.frames()) if (frame !== main && (await isShown(frame))) found.push(frame)
  return found
}

/**
 * Checks of every state: nothing is wider than the window and, if there is time for it, axe finds no violation. Takes a
 * screenshot.
 */
export async function look({ page, name }: Shopper, state: string): Promise<void> {
  if (folder !== '') {
    const path = join(folder, `${name} - ${state}.png`.replaceAll(/[^\w. -]/g, '_'))
    await page.screenshot({ path, fullPage: true, animations: 'disabled' })
  }
  if (long === '1') expect(await axeFinds(page, await framesOf(page)), state).toEqual([])
  const tooWide = await page.evaluate('document.documentElement.scrollWidth - document.documentElement.clientWidth')
  expect(tooWide, `${state}: pixels beyond the window`).toBeLessThanOrEqual(0)
}

/** Puts something into the cart, and goes there. */
export async function fillCart({ page, town }: Shopper): Promise<void> {
  await page.goto(town.shopUrl)
  await page.locator('.product button').first().click()
  await page.waitForURL('**/cart')
}

/** The page with the widget is there: which order is it of? */
export async function orderHere({ page }: Shopper): Promise<Order> {
  await page.waitForURL('**/pay/order-*')
  await page.locator('.wpwl-container').first().waitFor()
  const source = (await page.locator('script[src*="checkoutId="]').getAttribute('src')) ?? ''
  const id = new URL(page.url()).pathname.replace('/pay/', '')
  return { id, checkoutId: new URL(source).searchParams.get('checkoutId') ?? '' }
}

/** From the cart to the widget. */
export async function openWidget(shopper: Shopper, pays: 'cards' | 'debit' = 'cards'): Promise<Order> {
  await shopper.page.locator(`button[name=with][value=${pays}]`).click()
  return orderHere(shopper)
}

export const control = ({ page }: Shopper, name: string): Locator =>
  page.locator(`.wpwl-container-card .wpwl-control-${name}`)
export const inFrame = (shopper: Shopper, name: string): Locator =>
  control(shopper, name).contentFrame().locator('input')
export const message = ({ page }: Shopper): Locator => page.locator('.wpwl-message').filter({ hasText: /./ })

export async function fillCard(shopper: Shopper, number: string): Promise<void> {
  await inFrame(shopper, 'cardNumber').fill(number)
  await control(shopper, 'expiry').fill('12 / 39')
  await inFrame(shopper, 'cvv').fill('123')
  await control(shopper, 'cardHolder').fill('Jane Jones')
}

/** @param kind suffix of its container's class */
export const pressPay = ({ page }: Shopper, kind = 'card'): Promise<void> =>
  page.locator(`.wpwl-container-${kind} .wpwl-button-pay`).click()

/** A card, from the empty cart to the press of the button. */
export async function payByCard(shopper: Shopper, number: string): Promise<Order> {
  await fillCart(shopper)
  const order = await openWidget(shopper)
  await fillCard(shopper, number)
  await pressPay(shopper)
  return order
}

/** To the bank, by a method of the widget. */
export async function goToBank(shopper: Shopper): Promise<Order> {
  await fillCart(shopper)
  const order = await openWidget(shopper)
  await pressPay(shopper, 'virtualAccount-PAYPAL')
  await shopper.page.waitForURL('**/bank/**')
  return order
}

export const choose = ({ page }: Shopper, choice: string): Promise<void> =>
  page.locator(`button[name=choice][value=${choice}]`).click()

/** The issuer's page, within our own within the widget. */
export const challengeIn = ({ page }: Shopper): FrameLocator =>
  page.frameLocator('.wpwl-authentication-frame').frameLocator('[name=challenge]')

/** Answers the challenge once. */
export async function answer(challenge: FrameLocator | Page, password: string): Promise<void> {
  await challenge.locator('#password').fill(password)
  await challenge.locator('button:not([name])').click()
}

/** The outcome that the shop shows, and its result code. */
export interface Ending {
  readonly outcome: 'approved' | 'pending' | 'declined' | 'cancelled'
  readonly code: string
  /** `cart` unless something else was bought. */
  readonly purpose?: 'card' | 'subscription'
}

/** Expects the outcome on the result page. */
export async function expectResultPage({ page, language }: Shopper, { outcome, purpose }: Ending): Promise<void> {
  await page.waitForURL('**/result?*')
  await page.locator(`.seal.${outcome}`).waitFor()
  const { title } = shopTexts[language].results[purpose ?? 'cart'][outcome]
  expect(await page.locator('h1').innerText()).toBe(title)
}

/** Expects the outcome on the result page, and the same result code from the gateway. */
export async function endsAs(shopper: Shopper, ending: Ending): Promise<void> {
  const { page, town } = shopper
  const { outcome, code } = ending
  await expectResultPage(shopper, ending)
  const resourcePath = new URL(page.url()).searchParams.get('resourcePath') ?? ''
  const { result } = await town.read(resourcePath)
  expect(result.code, result.description).toBe(code)
  await look(shopper, `result ${outcome}`)
}

/**
 * Expects the outcome at the gateway, and on the result page when it is opened later, of a payment whose shopper did
 * not return.
 */
export async function endsWithout(shopper: Shopper, { id }: Order, ending: Ending): Promise<void> {
  const { town, page } = shopper
  await becomes(shopper, id, ending.code)
  const [payment] = await town.paymentsOf(id)
  const resourcePath = encodeURIComponent(`/v1/payments/${payment?.id}`)
  await page.goto(`${town.shopUrl}/result?id=${payment?.id}&resourcePath=${resourcePath}`)
  await endsAs(shopper, ending)
}

/** All that was paid of an order ends so. */
export const becomes = ({ town }: Shopper, orderId: string, code: string): Promise<void> =>
  eventually(async () => (await town.paymentsOf(orderId)).map(({ result }) => result.code), [code])

export const textsOf = ({ language }: Shopper) => widgetTexts[language]
