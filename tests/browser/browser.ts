import { type Browser, chromium } from 'playwright-core'

/**
 * Chromium or its headless shell, as tools/test-browser.mjs has found them.
 *
 * @param options hasPageCache: with a back-forward cache, as browsers of shoppers have; the headless shell has none
 * @throws Error if no browser was found
 */
export function launchBrowser({ hasPageCache = false } = {}): Promise<Browser> {
  const { TOLLGATE_TEST_CHROMIUM: chromiumPath, TOLLGATE_TEST_HEADLESS_SHELL: shell = chromiumPath } = process.env
  const executablePath = hasPageCache ? chromiumPath : shell
  if (executablePath === undefined)
    throw new Error('no browser was found: install Chromium, or set TOLLGATE_TEST_CHROMIUM')
  const ignoreDefaultArgs = hasPageCache ? ['--disable-back-forward-cache'] : []
  return chromium.launch({
    executablePath,
    ignoreDefaultArgs,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
}
