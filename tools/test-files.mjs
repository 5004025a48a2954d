// The built files of the tests, and what they need.
import { readdirSync, readFileSync } from 'node:fs'

export const files = ['packages', 'tools', 'tests']
  .flatMap((folder) => readdirSync(folder, { recursive: true }).map((file) => `${folder}/${String(file)}`))
  .filter((file) => /^(?:packages\/[^/]+|tools|tests)\/dist\/.*\.test\.js$/.test(file))
const thatSay = (words) => files.filter((file) => words.test(readFileSync(file, 'utf8')))

/** Those that store where they are told to, and those that want PostgreSQL and nothing else; a move has both. */
export const service = thatSay(/\btest(?:Gateway|Storage)\(/).filter((file) =>
  /^packages\/(?:operations|gateway)\/(?!.*\/data-set\/)/.test(file),
)
export const ofPostgres = thatSay(/\b(?:newDatabase|startPostgres)\b/).filter(
  (file) => !/(?:suite|equal|walk)\.test\.js$/.test(file),
)
export const ofBrowser = thatSay(/\blaunchBrowser\b/)

const ofProcesses = thatSay(/\b(?:child_process|newDatabase|startPostgres)\b/)
/** Those that need neither PostgreSQL nor a browser, and start no process. */
export const unit = files.filter((file) => !file.startsWith('tests/') && !ofProcesses.includes(file))

const long = process.env.TOLLGATE_TEST_LONG === '1'

/**
 * Options of every project. Tests run as they are built: what is tested is what is shipped. The files of a worker share
 * one process and what it has loaded and warmed up, which makes them several times as fast; no module keeps what a test
 * could stumble over.
 */
export const common = {
  isolate: false,
  server: { deps: { external: [/\/dist\/(?!.*\.test\.js)/] } },
  testTimeout: long ? 3_600_000 : 120_000,
  hookTimeout: 60_000,
  // A poll waits for what it expects: how long that takes on a busy machine says nothing.
  expect: { poll: { timeout: 60_000 } },
}
