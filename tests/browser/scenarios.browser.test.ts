import { type ShopLanguage, shopLanguages } from '@tollgate/shop'
import type { Browser, BrowserContextOptions } from 'playwright-core'
import { afterAll, beforeAll, describe, test } from 'vitest'
import { cleanUp } from '../support/process.ts'
import { type GatewayKind, kindsByAuthentication } from '../support/public-gateways.ts'
import { launchBrowser } from './browser.ts'
import { WAIT_MAX_MS } from './shopper.ts'
import { scenarios } from './scenarios.ts'
import { startShopEnvironment, type ShopEnvironment } from './shop-environment.ts'

// The scenarios run in a browser in the sample shop. Gateway, shop, banks and issuers are in one process of the built
// program, on origins of their own. The short run has a few scenarios; with TOLLGATE_TEST_LONG=1 each scenario runs in
// each language of the pages, on a phone and on a desktop. TOLLGATE_TEST_SCREENSHOTS is the path of a folder for a
// screenshot of every state.

const views = {
  desktop: { viewport: { width: 1280, height: 900 } },
  phone: { viewport: { width: 320, height: 640 }, isMobile: true, hasTouch: true, colorScheme: 'dark' },
} as const satisfies Readonly<Record<string, BrowserContextOptions>>

type ScenarioRun = readonly [scenario: keyof typeof scenarios, language: ShopLanguage, view: keyof typeof views]

const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'

const isKeyOf = <Name extends string>(table: Readonly<Record<Name, unknown>>, name: string): name is Name =>
  Object.hasOwn(table, name)
const scenarioNames = Object.keys(scenarios).filter((name) => isKeyOf(scenarios, name))
const viewNames = Object.keys(views).filter((name) => isKeyOf(views, name))

const longRun: readonly ScenarioRun[] = viewNames.flatMap((view) =>
  shopLanguages.flatMap((language) => scenarioNames.map((scenario): ScenarioRun => [scenario, language, view])),
)
const shortRun: readonly ScenarioRun[] = [
  ['a declined card is replaced by another card', 'en', 'desktop'],
  ['a checkout that is paid in one tab shows its result in the other', 'en', 'desktop'],
  ['a shopper who returns from the bank pays by card', 'de', 'phone'],
  ['a challenge interrupted by a reload is started again', 'de', 'phone'],
  ['a cancelled challenge fails the authentication', 'en', 'desktop'],
  ['a wallet payment is approved', 'de', 'phone'],
  ['a challenge with the right password is approved', 'ar', 'phone'],
  ['a decoupled authentication is approved', 'de', 'desktop'],
]

/** The gateways of the scenarios. Behind another gateway the short run has one scenario of each kind of pages. */
const runs: Readonly<Record<GatewayKind, readonly ScenarioRun[]>> = {
  alone: isLong ? longRun : shortRun,
  'behind another gateway': isLong
    ? longRun
    : [
        ['a declined card is replaced by another card', 'en', 'desktop'],
        ['a frictionless authentication is approved', 'en', 'desktop'],
        ['a challenge with the right password is approved', 'de', 'phone'],
        ['a wallet payment is approved', 'de', 'phone'],
        ['a server-to-server bank payment is approved', 'en', 'desktop'],
      ],
  // The shopper is sent to the authentication page of the other gateway.
  'behind another gateway that authenticates': [['a challenge on a page of its own is approved', 'en', 'desktop']],
}

let browser: Browser
let environment: ShopEnvironment

beforeAll(async () => {
  browser = await launchBrowser()
})
afterAll(() => browser.close())

describe.each(kindsByAuthentication)('a gateway %s', (gatewayKind) => {
  beforeAll(async () => {
    environment = await startShopEnvironment(gatewayKind)
  })
  afterAll(cleanUp)

  test.each(runs[gatewayKind])('%s, in %s on a %s', async (scenario, language, view) => {
    const context = await browser.newContext({ ...views[view], locale: language })
    context.setDefaultTimeout(WAIT_MAX_MS)
    try {
      await scenarios[scenario]({
        page: await context.newPage(),
        language,
        environment,
        screenshotPrefix: `${language} ${view} ${scenario}`,
      })
    } finally {
      await context.close()
    }
  })
})
