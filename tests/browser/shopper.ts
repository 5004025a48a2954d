import { mkdirSync } from 'node:fs'
import { join } from 'node:path'
import { widgetTexts } from '@tollgate/contract'
import { type ShopLanguage, shopTexts } from '@tollgate/shop'
import type { Frame, FrameLocator, Locator, Page } from 'playwright-core'
import { expect } from 'vitest'
import { axeViolations } from './axe.ts'
import type { ShopEnvironment } from './shop-environment.ts'

/** A shopper of the sample shop, with their own browser. */
export interface Shopper {
  readonly page: Page
  readonly language: ShopLanguage
  readonly environment: ShopEnvironment
  readonly screenshotPrefix: string
}

/** An order of the shop, and its checkout. */
export interface Order {
  readonly id: string
  readonly checkoutId: string
}

/** The longest wait for a condition, for busy machines. A wait ends as soon as its condition holds. */
export const WAIT_MAX_MS = 15_000

export const cards = {
  approved: '4111111111111111',
  declined: '4000000000000002',
  frictionless: '4200000000000091',
  challenged: '4200000000000042',
} as const

export const passwords = { right: '1234', wrong: '4321' } as const

/** Polls until the value is as expected. */
export const eventually = (actual: () => unknown, expected: unknown): Promise<void> =>
  expect.poll(actual, { timeout: WAIT_MAX_MS }).toEqual(expected)

const { TOLLGATE_TEST_SCREENSHOTS: folder = '', TOLLGATE_TEST_LONG: longRun } = process.env
if (folder !== '') mkdirSync(folder, { recursive: true })

/** Whether a frame has a document and is visible. */
async function isShown(frame: Frame): Promise<boolean> {
  if (frame.url() === 'about:blank') return false
  const element = await frame.frameElement()
  return element.isVisible()
}

async function visibleFramesOf(page: Page): Promise<Frame[]> {
  const main = page.mainFrame()
  const visible = [main]
  for (const frame of page.frames()) if (frame !== main && (await isShown(frame))) visible.push(frame)
  return visible
}

/**
 * Checks a state of the page: nothing is wider than the window and, in the long run, axe finds no violation. Takes a
 * screenshot if a folder for it is set.
 */
export async function checkState({ page, screenshotPrefix }: Shopper, state: string): Promise<void> {
  if (folder !== '') {
    const path = join(folder, `${screenshotPrefix} - ${state}.png`.replaceAll(/[^\w. -]/g, '_'))
    await page.screenshot({ path, fullPage: true, animations: 'disabled' })
  }
  if (longRun === '1') expect(await axeViolations(page, await visibleFramesOf(page)), state).toEqual([])
  const pixelsBeyondWindow = await page.evaluate(
    'document.documentElement.scrollWidth - document.documentElement.clientWidth',
  )
  expect(pixelsBeyondWindow, `${state}: pixels beyond the window`).toBeLessThanOrEqual(0)
}

/** Adds a product to the cart, and opens the cart. */
export async function fillCart({ page, environment }: Shopper): Promise<void> {
  await page.goto(environment.shopUrl)
  await page.locator('.product button').first().click()
  await page.waitForURL('**/cart')
}

/** Waits for the page with the widget, and returns its order. */
export async function currentOrder({ page }: Shopper): Promise<Order> {
  await page.waitForURL('**/pay/order-*')
  await page.locator('.wpwl-container').first().waitFor()
  const scriptUrl = (await page.locator('script[src*="checkoutId="]').getAttribute('src')) ?? ''
  const id = new URL(page.url()).pathname.replace('/pay/', '')
  return { id, checkoutId: new URL(scriptUrl).searchParams.get('checkoutId') ?? '' }
}

/** Continues from the cart to the page with the widget. */
export async function openWidget(shopper: Shopper, method: 'cards' | 'debit' = 'cards'): Promise<Order> {
  await shopper.page.locator(`button[name=with][value=${method}]`).click()
  return currentOrder(shopper)
}

export const control = ({ page }: Shopper, name: string): Locator =>
  page.locator(`.wpwl-container-card .wpwl-control-${name}`)
export const frameInput = (shopper: Shopper, name: string): Locator =>
  control(shopper, name).contentFrame().locator('input')
export const message = ({ page }: Shopper): Locator => page.locator('.wpwl-message').filter({ hasText: /./ })

export async function fillCard(shopper: Shopper, number: string): Promise<void> {
  await frameInput(shopper, 'cardNumber').fill(number)
  await control(shopper, 'expiry').fill('12 / 39')
  await frameInput(shopper, 'cvv').fill('123')
  await control(shopper, 'cardHolder').fill('Jane Jones')
}

/** @param kind suffix of the class of the button's container */
export const pressPay = ({ page }: Shopper, kind = 'card'): Promise<void> =>
  page.locator(`.wpwl-container-${kind} .wpwl-button-pay`).click()

/** Fills the cart, enters a card, and presses the pay button. */
export async function payByCard(shopper: Shopper, number: string): Promise<Order> {
  await fillCart(shopper)
  const order = await openWidget(shopper)
  await fillCard(shopper, number)
  await pressPay(shopper)
  return order
}

/** Fills the cart, chooses PayPal, and continues to its page, which is a page of the simulated bank. */
export async function goToBank(shopper: Shopper): Promise<Order> {
  await fillCart(shopper)
  const order = await openWidget(shopper)
  await pressPay(shopper, 'virtualAccount-PAYPAL')
  await shopper.page.waitForURL('**/bank/**')
  return order
}

/** Presses a button on the page of the simulated bank. */
export const choose = ({ page }: Shopper, choice: string): Promise<void> =>
  page.locator(`button[name=choice][value=${choice}]`).click()

/** The issuer's page: a frame of the gateway's page, which is a frame of the widget. */
export const challengeIn = ({ page }: Shopper): FrameLocator =>
  page.frameLocator('.wpwl-authentication-frame').frameLocator('[name=challenge]')

/** Answers the challenge once. */
export async function answer(challenge: FrameLocator | Page, password: string): Promise<void> {
  await challenge.locator('#password').fill(password)
  await challenge.locator('button:not([name])').click()
}

/** The outcome that the shop shows, and its result code. */
export interface Outcome {
  readonly outcome: 'approved' | 'pending' | 'declined' | 'cancelled'
  readonly code: string
  /** The default is `cart`. */
  readonly purpose?: 'card' | 'subscription'
}

/** Expects the outcome on the result page. */
export async function expectResultPage({ page, language }: Shopper, { outcome, purpose }: Outcome): Promise<void> {
  await page.waitForURL('**/result?*')
  await page.locator(`.seal.${outcome}`).waitFor()
  const { title } = shopTexts[language].results[purpose ?? 'cart'][outcome]
  expect(await page.locator('h1').innerText()).toBe(title)
}

/** Expects the outcome on the result page, and its result code from the gateway. */
export async function expectOutcome(shopper: Shopper, expected: Outcome): Promise<void> {
  const { page, environment } = shopper
  const { outcome, code } = expected
  await expectResultPage(shopper, expected)
  const resourcePath = new URL(page.url()).searchParams.get('resourcePath') ?? ''
  const { result } = await environment.read(resourcePath)
  expect(result.code, result.description).toBe(code)
  await checkState(shopper, `result ${outcome}`)
}

/**
 * Expects the outcome of a payment whose shopper did not return: at the gateway, and on the result page when it is
 * opened later.
 */
export async function expectOutcomeWithoutReturn(shopper: Shopper, { id }: Order, expected: Outcome): Promise<void> {
  const { environment, page } = shopper
  await expectResultCode(shopper, id, expected.code)
  const [payment] = await environment.paymentsOf(id)
  const resourcePath = encodeURIComponent(`/v1/payments/${payment?.id}`)
  await page.goto(`${environment.shopUrl}/result?id=${payment?.id}&resourcePath=${resourcePath}`)
  await expectOutcome(shopper, expected)
}

/** Waits until an order has exactly one payment, with the result code. */
export const expectResultCode = ({ environment }: Shopper, orderId: string, code: string): Promise<void> =>
  eventually(async () => (await environment.paymentsOf(orderId)).map(({ result }) => result.code), [code])

export const textsOf = ({ language }: Shopper) => widgetTexts[language]
