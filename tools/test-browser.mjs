// The browser of the tests: the program that TOLLGATE_TEST_CHROMIUM names, otherwise Chromium or Chrome. If none is
// found and the user is root, Chromium is installed. Chromium's headless shell runs tests in half the processor time.
// It is used if it is installed, except for tests of the back-forward cache, because the shell has no such cache.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const remedy = 'apt-get install chromium, or set TOLLGATE_TEST_CHROMIUM'
const paths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']
const shellPath = '/usr/bin/chromium-headless-shell'

const find = () => paths.find((path) => existsSync(path))

function install() {
  if (process.getuid?.() !== 0) return
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  // The packages are installed one at a time, because older systems have no package of the shell.
  for (const name of ['chromium', 'chromium-headless-shell']) {
    try {
      execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', name], { env, stdio: 'ignore' })
    } catch {}
  }
}

const { TOLLGATE_TEST_CHROMIUM: configured, TOLLGATE_TEST_HEADLESS_SHELL: configuredShell, CI } = process.env
if (!configured && !find()) install()
const chromium = configured ?? find()
if (chromium) process.env.TOLLGATE_TEST_CHROMIUM = chromium
else if (CI) throw new Error(`The tests need a browser: ${remedy}`)
// A browser that TOLLGATE_TEST_CHROMIUM names runs every test, unless TOLLGATE_TEST_HEADLESS_SHELL names a shell, too.
if (!configured && !configuredShell && existsSync(shellPath)) process.env.TOLLGATE_TEST_HEADLESS_SHELL = shellPath

export const hasBrowser = chromium !== undefined

export function setup() {
  if (!hasBrowser) console.error(`There is no browser, and the tests that need it are left out: ${remedy}`)
}
