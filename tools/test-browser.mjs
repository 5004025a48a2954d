// The browser of the tests: the one that TOLLGATE_TEST_CHROMIUM names, else Chromium as found on this machine, or
// installed for it.
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'

const wanted = 'apt-get install chromium, or set TOLLGATE_TEST_CHROMIUM'
const paths = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome']

const find = () => paths.find((path) => existsSync(path))

function install() {
  if (process.getuid?.() !== 0) return
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'chromium'], { env, stdio: 'ignore' })
  } catch {}
}

const { TOLLGATE_TEST_CHROMIUM: given, CI } = process.env
if (!given && !find()) install()
const chromium = given ?? find()
if (chromium) process.env.TOLLGATE_TEST_CHROMIUM = chromium
else if (CI) throw new Error(`The tests need a browser: ${wanted}`)

export const hasBrowser = chromium !== undefined

export function setup() {
  if (!hasBrowser) console.error(`There is no browser, and the tests that need it are left out: ${wanted}`)
}
