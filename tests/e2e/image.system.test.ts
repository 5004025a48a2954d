import { execFile, execFileSync } from 'node:child_process'
import { chmodSync, chownSync, cpSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { settings } from '@tollgate/gateway'
import { freePort } from '@tollgate/storage/testing'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { argumentsOf, stagesOf } from '../support/dockerfile.ts'
import { cardPayment } from '../support/payments.ts'
import { cleanUp, launch, startGateway, temporaryFolder } from '../support/process.ts'

// The image of deploy/Dockerfile without a container engine: a folder with the files that its last stage copies, in
// which the tests run its commands. Tests that run as root run the commands as a user who cannot write the folder.

const root = join(import.meta.dirname, '../../..')
const [buildStage = [], finalStage = []] = stagesOf(readFileSync(join(root, 'deploy/Dockerfile'), 'utf8'))
const env = Object.fromEntries(
  argumentsOf(finalStage, 'ENV').flatMap((line) =>
    Array.from(line.matchAll(/(\w+)=(\S+)/g), ([, name = '', value = '']) => [name, value]),
  ),
)
const parseStrings = (text: string): string[] => JSON.parse(text)
const [command = []] = argumentsOf(finalStage, 'CMD').map(parseStrings)
const [health = []] = argumentsOf(finalStage, 'HEALTHCHECK').map((line) => parseStrings(line.slice(line.indexOf('['))))

const isLong = process.env['TOLLGATE_TEST_LONG'] === '1'

/** The id of an unprivileged user; undefined without root, because only root can start a process of another user. */
const user = process.getuid?.() === 0 ? 65_534 : undefined
let image: string

/** Creates a folder that belongs to the user of the image's processes. */
function folderOfUser(): string {
  const folder = temporaryFolder()
  if (user !== undefined) chownSync(folder, user, user)
  return folder
}

beforeAll(() => {
  image = temporaryFolder()
  chmodSync(image, 0o755)
  for (const line of argumentsOf(finalStage, 'COPY')) {
    const [from, ...paths] = line.split(' ')
    expect(from).toBe('--from=build')
    const target = paths.pop() ?? ''
    for (const path of paths) {
      const destination = target.endsWith('/') ? join(image, target, basename(path)) : join(image, target)
      cpSync(join(root, path.replace('/build/', '')), destination, { recursive: true })
    }
  }
})
afterAll(cleanUp)

const programOf = (line: readonly string[]) => {
  const [executable, ...rest] = line
  expect(executable).toBe('node')
  return { command: [process.execPath, ...rest], folder: image, user }
}

test('the image is built by npm, has only required modules and existing settings, and runs as user node', () => {
  expect(argumentsOf(buildStage, 'RUN')).toEqual(['npm ci', 'npm run build'])
  expect(readdirSync(join(image, 'node_modules')).toSorted()).toEqual(['@photostructure', 'node-gyp-build'])
  const settingNames = new Set<string>(Object.values(settings).map(({ name }) => name))
  expect(Object.keys(env).filter((name) => name !== 'NODE_ENV' && !settingNames.has(name))).toEqual([])
  expect(argumentsOf(finalStage, 'USER')).toEqual(['node'])
})

test('the image is built and runs on one pinned, maintained release of Node', () => {
  const [version, ...otherVersions] = [buildStage, finalStage].flatMap((lines) =>
    argumentsOf(lines, 'FROM').map((line) => /^node:(?<version>\d+\.\d+\.\d+)-/.exec(line)?.groups?.['version']),
  )
  expect(otherVersions).toEqual([version])
  // Even major versions have long-term support; that of Node 20 and 22 has ended or ends soon.
  const major = Number(version?.split('.')[0])
  expect([major >= 24, major % 2]).toEqual([true, 0])
})

test('a gateway of the image accepts payments, is healthy, exits with 0 and adds no file to the image', async () => {
  const [data, port] = [folderOfUser(), await freePort()]
  const before = readdirSync(image, { recursive: true })
  const otherPorts = { TOLLGATE_MANAGE_PORT: '0', TOLLGATE_SHOP_PORT: 'off', TOLLGATE_SIMULATOR_PORT: 'off' }
  const setup = { data, program: programOf(command), env: { ...env, TOLLGATE_DATA: data, PORT: port, ...otherPorts } }
  // Enables the sandbox, which is off by default on all addresses.
  const gateway = await startGateway({ ...setup, env: { ...setup.env, TOLLGATE_SANDBOX: 'on' } })
  expect((await gateway.pay(cardPayment())).status).toBe(200)
  const healthExitCode = (checkedPort: string) =>
    new Promise((resolve) => {
      const options = { cwd: image, env: { PORT: checkedPort } }
      const child = execFile(process.execPath, programOf(health).command.slice(1), options, () =>
        resolve(child.exitCode),
      )
    })
  expect([await healthExitCode(port), await healthExitCode('1')]).toEqual([0, 1])
  gateway.signal('SIGTERM')
  expect(await gateway.ended).toEqual({ code: 0, signal: null })
  expect(readdirSync(image, { recursive: true })).toEqual(before)
})

const tracked = isLong ? gitFiles() : []

/** The tracked files of this repository; none if this folder is no checkout of git. */
function gitFiles(): readonly string[] {
  try {
    return execFileSync('git', ['ls-files'], { cwd: root, encoding: 'utf8', stdio: 'pipe' }).trim().split('\n')
  } catch {
    return []
  }
}

test.runIf(tracked.length > 0)(
  'the commands of the first stage build from a clone the same files as in the dist folder of this checkout',
  () => {
    const clone = temporaryFolder()
    for (const path of tracked) cpSync(join(root, path), join(clone, path))
    for (const line of argumentsOf(buildStage, 'RUN')) execFileSync('sh', ['-c', line], { cwd: clone, stdio: 'pipe' })
    const [fromClone, fromCheckout] = [clone, root].map((folder) => readdirSync(join(folder, 'dist')).toSorted())
    expect(fromClone).toEqual(fromCheckout)
  },
)

describe('a start fails with an error of one line without permission', () => {
  async function refusalOf(data: string, furtherSettings: Readonly<Record<string, string>> = {}): Promise<string> {
    const launched = launch({
      data,
      program: programOf(command),
      env: { ...env, TOLLGATE_DATA: data, PORT: '0', ...furtherSettings },
    })
    expect([await launched.ended, launched.stdout()]).toEqual([{ code: 1, signal: null }, ''])
    expect(launched.stderr()).toMatch(/^tollgate: .+\n$/)
    return launched.stderr()
  }
  /** Sets the permissions of a file or folder. Without root, the gateway runs as its owner, whom `mode` restricts. */
  const restrict = (path: string, mode: number) => {
    chmodSync(path, mode)
    return path
  }

  test.runIf(isLong)('to write the data folder', async () => {
    const data = restrict(temporaryFolder(), 0o555)
    expect(await refusalOf(data)).toMatch(/EACCES: .+tollgate\.db\.lock'; the user that runs Tollgate must own it/)
    expect(readdirSync(data)).toEqual([])
  })

  test.runIf(isLong)('to write the lock file of the database', async () => {
    const data = folderOfUser()
    for (const name of ['tollgate.db.lock', 'tollgate.db']) {
      writeFileSync(join(data, name), '')
      restrict(join(data, name), 0o444)
    }
    expect(await refusalOf(data)).toMatch(/EACCES: .+tollgate\.db\.lock'; the user that runs Tollgate must own it/)
  })

  test('to read the keys, and creates no file', async () => {
    const [data, keyFolder] = [folderOfUser(), folderOfUser()]
    const keys = join(keyFolder, 'keys.json')
    writeFileSync(keys, '')
    restrict(keys, 0o000)
    expect(await refusalOf(data, { TOLLGATE_KEYS: keys })).toMatch(
      /keys\.json: EACCES: .+; the user that runs Tollgate must own it/,
    )
    expect(readdirSync(data)).toEqual([])
  })
})
