import { type Browser, chromium } from 'playwright-core'

/**
 * Chromium, as tools/test-browser.mjs has found it.
 *
 * @param how keepsPages: Back shows a page as it was left, as browsers of shoppers do
 * @throws Error where there is none
 */
export function launchBrowser({ keepsPages = false } = {}): Promise<Browser> {
  const { TOLLGATE_TEST_CHROMIUM: executablePath } = process.env
  if (executablePath === undefined) throw new Error('the browser tests are left out where there is no browser')
  const ignoreDefaultArgs = keepsPages ? ['--disable-back-forward-cache'] : []
  return chromium.launch({
    executablePath,
    ignoreDefaultArgs,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
}
