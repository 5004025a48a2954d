// One PostgreSQL server for all tests of a run: the one that TOLLGATE_TEST_DATABASE_URL names, else one of our own, by
// the programs found on this machine or installed for it. Each test file makes a database of its own there.
import { execFileSync } from 'node:child_process'

export async function setup() {
  if (process.env.TOLLGATE_TEST_DATABASE_URL) return undefined
  const { findPrograms, startPostgres } = await import('../packages/storage/dist/testing/postgres-server.js')
  const find = () => findPrograms(process.env.PATH ?? '')
  const programs = find() ?? install(find)
  if (!programs) {
    const message =
      'The tests need PostgreSQL 15 or later: apt-get install postgresql, or set TOLLGATE_TEST_DATABASE_URL'
    if (process.env.CI) throw new Error(message)
    // Those that need it fail, the others run.
    console.error(message)
    return undefined
  }
  // What a crash of the server leaves is tested, a crash of the machine is not.
  const server = await startPostgres(programs, ['fsync=off', 'max_connections=200', 'shared_buffers=16MB'])
  process.env.TOLLGATE_TEST_DATABASE_URL = server.url
  process.env.TOLLGATE_TEST_DATABASE_PROGRAMS = programs
  return server.remove
}

function install(find) {
  if (process.getuid?.() !== 0) return undefined
  try {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    execFileSync('apt-get', ['install', '-y', '-qq', '--no-install-recommends', 'postgresql'], { env, stdio: 'ignore' })
    return find()
  } catch {
    return undefined
  }
}
