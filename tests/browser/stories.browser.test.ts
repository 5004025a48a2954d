import { type ShopLanguage, shopLanguages } from '@tollgate/shop'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, test } from 'vitest'
import { cleanUp } from '../support/process.ts'
import { launchBrowser } from './browser.ts'
import { PATIENCE_MS } from './shopper.ts'
import { stories } from './stories.ts'
import { startTown, type Town } from './town.ts'

// The program as it is built, in a browser: a shopper in the sample shop, whose gateway, banks and issuers are all real
// processes and origins. A few stories always; with TOLLGATE_TEST_LONG=1 each of them, in each language of the pages,
// on a phone and on a desktop. TOLLGATE_TEST_SCREENSHOTS names a folder for a picture of every state.

const views = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true, colorScheme: 'dark' },
} as const satisfies Readonly<Record<string, BrowserContextOptions>>

type Row = readonly [story: keyof typeof stories, language: ShopLanguage, view: keyof typeof views]

const isOf = <Name extends string>(table: Readonly<Record<Name, unknown>>, name: string): name is Name =>
  Object.hasOwn(table, name)
const storyNames = Object.keys(stories).filter((name) => isOf(stories, name))
const viewNames = Object.keys(views).filter((name) => isOf(views, name))

const all: readonly Row[] = viewNames.flatMap((view) =>
  shopLanguages.flatMap((language) => storyNames.map((story): Row => [story, language, view])),
)
const few: readonly Row[] = [
  ['a declined card, and another', 'en', 'desktop'],
  ['two tabs, paid in the first', 'en', 'desktop'],
  ['a wallet: back, and another way', 'de', 'phone'],
  ['3-D Secure: the page is loaded again', 'de', 'phone'],
  ['3-D Secure: cancelled', 'en', 'desktop'],
  ['a wallet: paid', 'de', 'phone'],
  ['3-D Secure: the right password', 'ar', 'phone'],
  ['3-D Secure: the bank asks elsewhere', 'de', 'desktop'],
]

let browser: Browser
let town: Town

beforeAll(async () => {
  ;[browser, town] = await Promise.all([launchBrowser(), startTown()])
})
afterAll(() => Promise.all([browser.close(), cleanUp()]))

test.each(process.env['TOLLGATE_TEST_LONG'] === '1' ? all : few)('%s, in %s on a %s', async (story, language, view) => {
  const context = await browser.newContext({ ...views[view], locale: language })
  context.setDefaultTimeout(PATIENCE_MS)
  try {
    await stories[story]({ page: await context.newPage(), language, town, name: `${language} ${view} ${story}` })
  } finally {
    await context.close()
  }
})
