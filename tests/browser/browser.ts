import { type Browser, chromium } from 'playwright-core'

/**
 * Chromium, as tools/test-browser.mjs has found it.
 * @throws Error where there is none
 */
export function launchBrowser(): Promise<Browser> {
  const { TOLLGATE_TEST_CHROMIUM: executablePath } = process.env
  if (executablePath === undefined) throw new Error('the browser tests are left out where there is no browser')
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] })
}
