// One PostgreSQL server for all tests of a run: the server that TOLLGATE_TEST_DATABASE_URL names, otherwise a new one.
// If PostgreSQL is missing, root installs it with apt-get. The test files create databases of their own on
// this server. The worker processes of a run also share one folder for files.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPrograms, startPostgres } from '../packages/storage/dist/testing/index.js'

const remedy = 'apt-get install postgresql (15 or later), or set TOLLGATE_TEST_DATABASE_URL'

/**
 * Finds the folder of PostgreSQL's programs, and installs them if they are missing. If that fails, returns undefined.
 * @throws Error instead of returning undefined if CI is set, because CI may not omit tests
 */
function programsOf({ PATH = '', CI }) {
  const programs = findPrograms(PATH) ?? (install() ? findPrograms(PATH) : undefined)
  if (programs) return programs
  if (CI) throw new Error(`The tests need PostgreSQL: ${remedy}`)
  return undefined
}

function install() {
  if (process.getuid?.() !== 0) return false
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'postgresql'], { env, stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

const { TOLLGATE_TEST_DATABASE_URL: configuredUrl, TOLLGATE_TEST_DATABASE_PROGRAMS: knownPrograms } = process.env
const programs = configuredUrl ? undefined : (knownPrograms ?? programsOf(process.env))
if (programs) process.env.TOLLGATE_TEST_DATABASE_PROGRAMS = programs

export const hasPostgres = configuredUrl !== undefined || programs !== undefined

export async function setup() {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-tests-'))
  process.env.TOLLGATE_TEST_FOLDER = folder
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  if (!hasPostgres) console.error(`There is no PostgreSQL, and the tests that need it are left out: ${remedy}`)
  if (!programs) return removeFolder
  // Tests crash the server but not the machine, so fsync is not needed.
  const server = await startPostgres(programs, ['fsync=off', 'max_connections=200', 'shared_buffers=16MB'])
  process.env.TOLLGATE_TEST_DATABASE_URL = server.url
  return async () => {
    await server.remove()
    removeFolder()
  }
}
