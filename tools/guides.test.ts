import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { settings } from '@tollgate/gateway'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'

// The documents that people type from, held against the product itself.

const root = join(import.meta.dirname, '../..')
const read = (path: string) => readFileSync(join(root, path), 'utf8')

/** The shell blocks of the README, without their fences. */
const blocks = Array.from(read('README.md').matchAll(/^```sh\n([^]*?)\n```$/gm), ([, block = '']) => block)
const README_URL = 'http://127.0.0.1:8080'

interface Started {
  readonly child: ChildProcess
  readonly url: string
  /** What it printed until it was ready. */
  readonly printed: string
}

/** Starts the gateway as `npm start` does, on a port that the system picks. */
async function start(data: string): Promise<Started> {
  const env = { PATH: process.env['PATH'], PORT: '0', TOLLGATE_DATA: data, TOLLGATE_LOG: 'silent' }
  const args = [join(root, 'packages/cli/dist/main.js'), 'serve']
  const child = spawn(process.execPath, args, { env, stdio: ['ignore', 'pipe', 'inherit'] })
  let printed = ''
  for await (const chunk of child.stdout) {
    printed += String(chunk)
    const url = /^Tollgate listening on (\S+)$/m.exec(printed)?.[1]
    if (url !== undefined) return { child, url, printed }
  }
  throw new Error(`the gateway did not start: ${printed}`)
}

async function kill({ child }: Started): Promise<void> {
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}

/** A curl command as fetch takes it. The README needs no more of the shell than this. */
function requestOf(command: string, variables: ReadonlyMap<string, string>): { path: string; init: RequestInit } {
  const whole = command.replaceAll(/ \\\n\s*/g, ' ').replaceAll(/\$([A-Z]+)/g, (_, name: string) => {
    const value = variables.get(name)
    if (value === undefined) throw new Error(`${name} is not set`)
    return value
  })
  const words = Array.from(whole.matchAll(/"([^"]*)"|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '')
  const [curl, url = '', ...options] = words
  const valuesOf = (option: string) => options.filter((_, index) => options[index - 1] === option)
  expect([curl, url.startsWith(README_URL), options.length % 2]).toEqual(['curl', true, 0])
  const parted = (text: string, at: string): [string, string] => {
    const [name = '', ...value] = text.split(at)
    return [name, value.join(at)]
  }
  const headers = valuesOf('-H').map((header) => parted(header, ': '))
  const parameters = valuesOf('-d').map((pair) => parted(pair, '='))
  const body = parameters.length > 0 && { method: 'POST', body: new URLSearchParams(parameters) }
  return { path: url.slice(README_URL.length), init: { headers: Object.fromEntries(headers), ...body } }
}

describe('the README', () => {
  const data = mkdtempSync(join(tmpdir(), 'tollgate-readme-'))
  let gateway: Started

  beforeAll(async () => {
    gateway = await start(data)
  })
  afterAll(async () => {
    await kill(gateway)
    rmSync(data, { recursive: true, force: true })
  })

  async function answerTo(command: string, variables: ReadonlyMap<string, string>): Promise<string> {
    const { path, init } = requestOf(command, variables)
    const response = await fetch(gateway.url + path, init)
    const { id, result }: { id: string; result: { code: string } } = JSON.parse(await response.text())
    expect([command, response.status, result.code]).toEqual([command, 200, '000.100.110'])
    return id
  }

  test('shows the first payment that the gateway prints when it starts', () => {
    const example = /^curl [^]*?[^\\]$/m.exec(gateway.printed)?.[0]
    expect(blocks.find((block) => block.startsWith('curl'))).toBe(example?.replace(gateway.url, README_URL))
  })

  test('shows commands that work one after the other, and payments that outlive kill -9', async () => {
    const variables = new Map<string, string>()
    let lastId = ''
    for (const block of blocks) {
      if (block.startsWith('curl')) lastId = await answerTo(block, variables)
      for (const [, name = '', value = ''] of block.matchAll(/^([A-Z]+)=(\S+)$/gm)) {
        variables.set(name, name === 'PAYMENT' ? lastId : value)
      }
    }
    const reading = blocks.find((block) => block.includes('?entityId='))
    await kill(gateway)
    gateway = await start(data)
    expect(await answerTo(reading ?? '', variables)).toBe(variables.get('PAYMENT'))
  })
})

describe('the guide for operators', () => {
  const guide = read('docs/guides/operate.md')

  test('lists every setting of the process, as the program describes it', () => {
    const rows = Object.values(settings).map(({ name, standard, about }) => {
      return `| \`${name}\` | ${standard === null ? '' : `\`${standard}\``} | ${about} |`
    })
    expect(guide).toContain(`\n|---|---|---|\n${rows.join('\n')}\n\n`)
  })

  test('lists every setting of an entity', () => {
    const source = read('packages/gateway/src/settings.ts')
    const names = Array.from(source.matchAll(/^ {4}(\w+): Type\.Optional\(/gm), ([, name]) => name)
    const [, table = ''] = /^\| setting of an entity \| \|\n\|---\|---\|\n((?:\|.*\n)+)/m.exec(guide) ?? []
    expect(Array.from(table.matchAll(/^\| `(\w+)` \|/gm), ([, name]) => name)).toEqual(names)
  })
})
