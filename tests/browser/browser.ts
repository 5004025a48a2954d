import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { type Browser, chromium } from 'playwright-core'

const PATHS = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

/**
 * Debian's Chromium, or the one that `TOLLGATE_TEST_CHROMIUM` names; installed first, where that is allowed.
 * @throws Error where there is none
 */
export function launchBrowser(): Promise<Browser> {
  const { TOLLGATE_TEST_CHROMIUM: given } = process.env
  const find = (): string | undefined => given ?? PATHS.find((path) => existsSync(path))
  if (find() === undefined && process.getuid?.() === 0) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { env, stdio: 'ignore' })
  }
  const executablePath = find()
  if (executablePath === undefined) {
    throw new Error('The browser tests need Chromium: apt-get install chromium, or set TOLLGATE_TEST_CHROMIUM')
  }
  return chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu', '--disable-background-networking'] })
}
