import { type Browser, chromium } from 'playwright-core'

/**
 * Launches Chromium or its headless shell, whose paths tools/test-browser.mjs has found.
 *
 * @param options.hasPageCache whether the browser has a back-forward cache, as shoppers' browsers have. The headless
 *   shell has none
 * @throws Error if no browser was found
 */
export function launchBrowser({ hasPageCache = false } = {}): Promise<Browser> {
  const { TOLLGATE_TEST_CHROMIUM: chromiumPath, TOLLGATE_TEST_HEADLESS_SHELL: shellPath = chromiumPath } = process.env
  const executablePath = hasPageCache ? chromiumPath : shellPath
  if (executablePath === undefined)
    throw new Error('no browser was found: install Chromium, or set TOLLGATE_TEST_CHROMIUM')
  const ignoreDefaultArgs = hasPageCache ? ['--disable-back-forward-cache'] : []
  return chromium.launch({
    executablePath,
    ignoreDefaultArgs,
    args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'],
  })
}
