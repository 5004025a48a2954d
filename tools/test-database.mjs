// One PostgreSQL server for all tests of a run: the one that TOLLGATE_TEST_DATABASE_URL names, else one of our own, by
// the programs found on this machine or installed for it. Each test file makes a database of its own there. And one
// folder for the files that the worker processes of a run share between their tests.
import { execFileSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findPrograms, startPostgres } from '../packages/storage/dist/testing/index.js'

const wanted = 'apt-get install postgresql (15 or later), or set TOLLGATE_TEST_DATABASE_URL'

/**
 * The folder of the programs; undefined where there are none.
 * @throws Error with CI set, where nothing is left out
 */
function programsOf({ PATH = '', CI }) {
  const programs = findPrograms(PATH) ?? (install() ? findPrograms(PATH) : undefined)
  if (programs) return programs
  if (CI) throw new Error(`The tests need PostgreSQL: ${wanted}`)
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

const { TOLLGATE_TEST_DATABASE_URL: given, TOLLGATE_TEST_DATABASE_PROGRAMS: found } = process.env
const programs = given ? undefined : (found ?? programsOf(process.env))
if (programs) process.env.TOLLGATE_TEST_DATABASE_PROGRAMS = programs

export const hasPostgres = given !== undefined || programs !== undefined

export async function setup() {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-tests-'))
  process.env.TOLLGATE_TEST_FOLDER = folder
  const removeFolder = () => rmSync(folder, { recursive: true, force: true })
  if (!hasPostgres) console.error(`There is no PostgreSQL, and the tests that need it are left out: ${wanted}`)
  if (!programs) return removeFolder
  // What a crash of the server leaves is tested, a crash of the machine is not.
  const server = await startPostgres(programs, ['fsync=off', 'max_connections=200', 'shared_buffers=16MB'])
  process.env.TOLLGATE_TEST_DATABASE_URL = server.url
  return async () => {
    await server.remove()
    removeFolder()
  }
}
