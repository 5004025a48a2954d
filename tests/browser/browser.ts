import { type Browser, chromium } from 'playwright-core'

/**
 * Chromium or its headless shell, as tools/test-browser.mjs has found them.
 *
 * @param how keepsPages: with a back-forward cache, as browsers of shoppers have; the headless shell has none
 * @throws Error where there is none
 */
export function launchBrowser({ keepsPages = false } = {}): Promise<Browser> {
  const { TOLLGATE_TEST_CHROMIUM: whole, TOLLGATE_TEST_HEADLESS_SHELL: shell = whole } = process.env
  const executablePath = keepsPages ? whole : shell
  if (executablePath === undefined) throw new Error('the browser tests are left out where there is no browser')
  const ignoreDefaultArgs = keepsPages ? ['--disable-back-forward-cache'] : []
  return chromium.launch({
    executablePath,
    ignoreDefaultArgs,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
}
