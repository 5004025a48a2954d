import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { metrics, sandboxIds, sandboxToken, settings } from '@tollgate/gateway'
import { entitySettingTable } from '@tollgate/operations'
import { afterAll, describe, expect, test, vi } from 'vitest'
import { blocksOf, jsonIn, readDocument, shellIn, SHOWN_URL } from './guides/examples.ts'
import {
  type Answer,
  answerTo,
  runApprovedCommand,
  runCommands,
  gatewayFor,
  kill,
  operatorEnv,
  program,
  runInShell,
  startGateway,
  type StartedGateway,
  startProgram,
} from './guides/running-gateway.ts'

// Tests of the commands in documents against the product.

/** The gateway for the pages whose commands do not affect other pages. */
const shared = gatewayFor('guides')

const inShell = (command: string, variables: Readonly<Record<string, string>> = {}) =>
  runInShell(shared.running(), command, variables)

describe('the README and the guide for merchants', () => {
  const blocks = blocksOf('README.md')

  test('show, in the README, the first payment that the gateway prints when it starts', () => {
    const example = /^curl [^]*?[^\\]$/m.exec(shared.running().printed)?.[0]
    expect(blocks.find((block) => block.startsWith('curl'))).toBe(example?.replace(shared.running().url, SHOWN_URL))
  })

  test('show commands that work in sequence, and a payment that survives kill -9', async () => {
    const variables = await runCommands(shared.running().url, [...blocks, ...blocksOf('docs/guides/integrate.md')])
    const readCommand = blocks.find((block) => block.includes('?entityId='))
    await shared.killAndRestart()
    expect(await runApprovedCommand(shared.running().url, readCommand ?? '', variables)).toBe(variables.get('PAYMENT'))
  })
})

describe('the guide to checkouts', () => {
  const page = readDocument('docs/guides/checkouts.md')

  test('shows a checkout from its creation to its status, and a payment by redirect', async () => {
    const variables = new Map([
      ['TOKEN', sandboxToken],
      ['ENTITY', sandboxIds.channel],
    ])
    const answers: Answer[] = []
    for (const block of shellIn(page)) {
      const [, name] = /^([A-Z]+)=\S+$/.exec(block) ?? []
      if (name === undefined) answers.push(await answerTo(shared.running().url, block, variables))
      else variables.set(name, answers.at(-1)?.id ?? '')
    }
    const [created, submitted, status, redirected] = answers
    const [prepared, paid, pending] = jsonIn(page)
    expect(created).toMatchObject({ status: 200, ...prepared })
    expect(submitted).toMatchObject({ status: 200, ...paid })
    expect(status).toMatchObject({ status: 200, ...paid })
    expect(redirected).toMatchObject({ status: 200, ...pending, redirect: { url: expect.any(String) } })
  })
})

describe('the guide to schedules', () => {
  const blocks = [...blocksOf('README.md'), ...blocksOf('docs/guides/schedules.md')]

  test('shows commands that work in sequence', async () => {
    expect([...(await runCommands(shared.running().url, blocks)).keys()]).toContain('PLAN')
  })
})

describe('the guide to 3-D Secure', () => {
  const guide = 'docs/guides/three-d-secure.md'

  test('shows an authentication and its query', async () => {
    const { channel } = sandboxIds
    const variables = new Map([
      ['TOKEN', sandboxToken],
      ['ENTITY', channel],
    ])
    const page =
      readDocument(guide)
        .split('\n## ')
        .find((part) => part.startsWith('Without a payment')) ?? ''
    const [shown] = jsonIn(page)
    for (const command of shellIn(page)) {
      const answer = await answerTo(shared.running().url, command.replace(/\nAUTHENTICATION=.*/, ''), variables)
      expect(answer).toMatchObject({ status: 200, ...shown })
      variables.set('AUTHENTICATION', answer.id)
    }
    expect(variables.size).toBe(3)
  })

  test('shows a challenge in an app, from the start to the end of the payment', async () => {
    const page =
      readDocument(guide)
        .split('\n## ')
        .find((part) => part.startsWith('In an app')) ?? ''
    const [payCommand = '', challengeCommand = '', readCommand = ''] = shellIn(page)
    const [pending, paid] = jsonIn(page)
    const payment = await inShell(payCommand.replace(/\nPAYMENT=.*/, ''), {
      TOKEN: sandboxToken,
      ENTITY: sandboxIds.channel,
    })
    expect([payment['paymentType'], payment['result']]).toEqual([pending?.['paymentType'], pending?.['result']])
    const challenge = Object(payment['challenge'])
    expect(Object.keys(challenge)).toEqual(Object.keys(Object(pending?.['challenge'])))
    const { threeDSServerTransID, acsTransID } = challenge
    const challengeAnswer = await inShell(challengeCommand, { SERVER: threeDSServerTransID, ACS: acsTransID })
    expect(challengeAnswer).toMatchObject({ messageType: 'CRes', transStatus: 'Y' })
    const id = String(payment['id'])
    await vi.waitFor(async () => {
      const completed = await inShell(readCommand, { TOKEN: sandboxToken, ENTITY: sandboxIds.channel, PAYMENT: id })
      expect(completed).toMatchObject(Object(paid))
    })
  })

  test('names a channel of the sandbox by its last digits, and the start prints the ids of all channels', () => {
    const { channel, secureChannel, legacyChannel, secureLegacyChannel, mastercardChannel } = sandboxIds
    const printed = Array.from(shared.running().printed.matchAll(/ ([0-9a-f]{32})$/gm), ([, id]) => id)
    expect(printed).toEqual([channel, secureChannel, legacyChannel, secureLegacyChannel, mastercardChannel])
    expect(readDocument(guide)).toContain(secureLegacyChannel.slice(-4))
  })
})

describe('the guide to test data', () => {
  const page = readDocument('docs/guides/test-data.md')
  const shell = shellIn(page)

  test("shows a decline by the acquirer's test host, and a fault that causes a reversal", async () => {
    const variables = { TOKEN: sandboxToken, ENTITY: sandboxIds.channel }
    const [decline = '', setFault = '', debit = '', listing = '', removeFaults = ''] = shell
    const [declined, reversed, transactions] = jsonIn(page)
    await vi.waitFor(async () => expect(await inShell(decline, variables)).toMatchObject(Object(declined)))
    expect(await inShell(setFault)).toMatchObject({ faults: [{ knob: 'wrongAmount', next: 1 }] })
    expect(await inShell(debit, variables)).toMatchObject(Object(reversed))
    expect(await inShell(listing)).toMatchObject(Object(transactions))
    expect(await inShell(removeFaults)).toMatchObject({ faults: [] })
  })

  test('shows how to start the host in a process of its own', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'tollgate-test-host-'))
    const command = shell.find((block) => block.startsWith('tollgate simulate --acquirer-port')) ?? ''
    const [word, ...args] = command.replace('8084', '0 --port 0').split(' ')
    expect(word).toBe('tollgate')
    const env = { PATH: process.env['PATH'] }
    const ready = /^Simulated acquirer listening on (\S+)$/m
    await kill(await startProgram(args, { cwd: folder, env, ready }))
    expect(readdirSync(folder)).toEqual(['acquirer.journal'])
    rmSync(folder, { recursive: true })
  })
})

describe('the guide for existing clients', () => {
  const blocks = blocksOf('docs/guides/move-existing-clients.md')

  test('shows commands that work in sequence', async () => {
    const variables = await runCommands(shared.running().url, blocks)
    expect([...variables.keys()]).toContain('PAYMENT')
  })

  test('shows how a channel is set to accept an existing client', async () => {
    const { legacyChannel, channel } = sandboxIds
    const payment = blocks.find((block) => block.startsWith('curl'))?.replace(legacyChannel, channel) ?? ''
    expect((await answerTo(shared.running().url, payment, new Map())).status).toBe(401)
    const command = blocks.find((block) => block.startsWith('tollgate'))?.replace('<channel id>', channel) ?? ''
    const [, ...args] = Array.from(command.matchAll(/'([^']*)'|(\S+)/g), ([, quoted, plain]) => quoted ?? plain ?? '')
    execFileSync(process.execPath, [program, ...args], { env: operatorEnv(shared.running()), stdio: 'pipe' })
    await runApprovedCommand(shared.running().url, payment, new Map())
  })
})

describe('the guide to keys', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tollgate-keys-guide-'))
  const keys = join(folder, 'keys.json')
  const lines = blocksOf('docs/guides/keys.md').flatMap((block) => block.split('\n'))
  let gateway: StartedGateway | undefined

  afterAll(async () => {
    if (gateway) await kill(gateway)
    rmSync(folder, { recursive: true, force: true })
  })

  /** Runs a line in the folder. `tollgate` is the program, which sends requests to the gateway if the gateway runs. */
  function run(line: string): string {
    const env = { PATH: process.env['PATH'], ...(gateway && operatorEnv(gateway)) }
    const tollgate = `tollgate() { '${process.execPath}' '${program}' "$@"; }`
    return execFileSync('sh', ['-ec', `${tollgate}\n${line}`], { cwd: folder, env, encoding: 'utf8' })
  }
  const status = (): { keys: { id: string; state: string }[]; remaining: number } =>
    JSON.parse(run('tollgate key status'))
  const previousKeyId = () => status().keys.find(({ state }) => state === 'previous')?.id ?? ''

  /** Completes a line that retires the previous key with its id, as soon as no record needs that key. */
  async function prepareLine(line: string): Promise<string> {
    if (!line.includes('key retire')) return line
    await expect.poll(() => status().remaining, { timeout: 60_000 }).toBe(0)
    return line.replace(/kek-[0-9a-f]{8}$/, previousKeyId())
  }

  test('shows commands that make a ring, rotate its keys while records use them, and retire the old key', async () => {
    const generateIndex = lines.findIndex((line) => line.startsWith('tollgate key generate'))
    run(lines[generateIndex] ?? '')
    gateway = await startGateway(folder, { TOLLGATE_KEYS: keys })
    const payment = blocksOf('README.md').find((block) => block.startsWith('curl'))
    await runApprovedCommand(gateway.url, payment ?? '', new Map())
    const before = new Set(status().keys.map(({ id }) => id))
    for (const line of lines.slice(generateIndex + 1)) run(await prepareLine(line))
    await expect.poll(() => status().remaining, { timeout: 60_000 }).toBe(0)
    const after = status().keys
    expect(after.map(({ state }) => state)).toEqual(['current', 'current', 'previous'])
    expect(after.filter(({ state }) => state === 'current').filter(({ id }) => before.has(id))).toEqual([])
    expect(previousKeyId()).toMatch(/^fpk-/)
  })
})

describe('the guide to webhooks', () => {
  const { data, running } = gatewayFor('webhooks-guide')
  const page = readDocument('docs/guides/webhooks.md')
  const lines = blocksOf('docs/guides/webhooks.md').flatMap((block) => block.split('\n'))
  const payment = blocksOf('README.md').find((block) => block.startsWith('curl')) ?? ''
  let receiver: ChildProcess | undefined
  let printed = ''

  afterAll(() => stopReceiver())

  /** Runs the receiver of the page; its output is in `printed`. @returns its port */
  async function startReceiver(keys: string, port = '0'): Promise<string> {
    await stopReceiver()
    const env = { PATH: process.env['PATH'], WEBHOOK_KEYS: keys, PORT: port }
    receiver = spawn(process.execPath, ['receiver.mjs'], { cwd: data, env, stdio: ['ignore', 'pipe', 'inherit'] })
    printed = ''
    receiver.stdout?.on('data', (chunk) => (printed += String(chunk)))
    await expect.poll(() => printed, { timeout: 20_000 }).toMatch(/^port \d+$/m)
    return /^port (\d+)$/m.exec(printed)?.[1] ?? ''
  }
  async function stopReceiver(): Promise<void> {
    if (!receiver) return
    const ended = once(receiver, 'exit')
    receiver.kill('SIGKILL')
    await ended
    receiver = undefined
  }
  /** Runs a command of the page with values for its placeholders, repeatedly until it succeeds. @returns its answer */
  async function run(line: string, values: Readonly<Record<string, string>> = {}) {
    const [word, ...args] = line.replaceAll(/<([a-z ]+)>/g, (_, name: string) => values[name] ?? name).split(' ')
    expect(word).toBe('tollgate')
    let answer = ''
    const attempt = () => {
      answer = execFileSync(process.execPath, [program, ...args], { env: operatorEnv(running()), encoding: 'utf8' })
      return true
    }
    await expect.poll(attempt, { timeout: 30_000 }).toBe(true)
    return JSON.parse(answer)
  }
  /** Removes the next line of the page, which must begin with this text. */
  const takeLine = (beginning: string): string => {
    const line = lines.shift() ?? ''
    expect(line.slice(0, beginning.length)).toBe(beginning)
    return line
  }
  const pay = () => runApprovedCommand(running().url, payment, new Map())
  async function advanceClock(advance: string): Promise<void> {
    const [, url = '', key = ''] = /management API +(\S+) +key (\S+)/.exec(running().printed) ?? []
    const headers = { authorization: `Bearer ${key}`, 'content-type': 'application/json' }
    const { ok } = await fetch(`${url}/clock`, { method: 'POST', headers, body: JSON.stringify({ advance }) })
    expect(ok).toBe(true)
  }
  const expectDelivery = (id: string) =>
    expect.poll(() => printed, { timeout: 20_000 }).toContain(`PAYMENT  ${id} DB 000.100.110`)

  test('shows a receiver, and commands for a webhook from its creation to its deletion', async () => {
    writeFileSync(join(data, 'receiver.mjs'), /^```js\n([^]*?)\n```$/m.exec(page)?.[1] ?? '')
    const { id, key } = await run(takeLine('tollgate webhook create'))
    const values: Record<string, string> = { 'webhook id': id }
    const testCommand = takeLine('tollgate webhook test <webhook id>')
    takeLine('WEBHOOK_KEYS=<key> node receiver.mjs')
    const port = await startReceiver(key)
    await run(`tollgate webhook change ${id} --url http://127.0.0.1:${port}/`)
    expect(await run(testCommand, values)).toMatchObject({ delivered: true, webhook: { state: 'active' } })
    await expectDelivery(await pay())

    await stopReceiver()
    const missedPayment = await pay()
    expect(await run(takeLine('tollgate delivery list --state parked'))).toMatchObject({ deliveries: [] })
    const listCommand = takeLine('tollgate delivery list --webhook <webhook id> --state waiting')
    const { deliveries } = await run(listCommand, values)
    values['delivery id'] = deliveries[0].id
    values['event id'] = deliveries[0].eventId
    expect(await run(takeLine('tollgate delivery show'), values)).toMatchObject({ event: { type: 'PAYMENT' } })
    await run(takeLine('tollgate delivery retry'), values)
    expect(await run(takeLine('tollgate delivery park'), values)).toMatchObject({ state: 'parked' })

    await startReceiver(key, port)
    expect(await run(takeLine('tollgate webhook replay <webhook id> --event'), values)).toEqual({ deliveries: 1 })
    await expectDelivery(missedPayment)
    expect(await run(takeLine('tollgate webhook replay <webhook id> --from'), values)).not.toHaveProperty('next')

    const { key: newKey } = await run(takeLine('tollgate webhook rotate'), values)
    await startReceiver(`${newKey},${key}`, port)
    expect(await run(takeLine('tollgate webhook test <webhook id> --overlap'), values)).toMatchObject({
      delivered: true,
    })
    await startReceiver(newKey, port)
    await expectDelivery(await pay())

    // The receiver refuses timestamps that are more than five minutes off, so deliveries must have the time of the
    // machine and not that of the advanced clock.
    await advanceClock('P30D')
    await expectDelivery(await pay())

    expect(await run(takeLine('tollgate webhook change <webhook id> --wrapper'), values)).toMatchObject({
      wrapper: 'json',
    })
    await expectDelivery(await pay())
    expect(await run(takeLine('tollgate webhook change <webhook id> --disable'), values)).toMatchObject({
      state: 'disabled',
    })
    expect(await run(takeLine('tollgate webhook delete'), values)).toEqual({ id, state: 'deleted' })
    expect(lines).toEqual([])
  })
})

describe('the guide for operators', () => {
  const guide = readDocument('docs/guides/operate.md')

  test('lists every setting of the process, as the program describes it', () => {
    const rows = Object.values(settings).map((setting) => {
      const { name, description } = setting
      return `| \`${name}\` | ${'default' in setting ? `\`${setting.default}\`` : ''} | ${description} |`
    })
    expect(guide).toContain(`\n|---|---|---|\n${rows.join('\n')}\n\n`)
  })

  test('lists every metric, as the program describes it', () => {
    const rows = metrics.map(({ name, type, labels, help }) => {
      return `| \`${name}\` | ${type} | ${labels.map((label) => `\`${label}\``).join(', ')} | ${help} |`
    })
    expect(guide).toContain(`\n|---|---|---|---|\n${rows.join('\n')}\n\n`)
  })

  test('lists every setting of an entity, as the program describes it', () => {
    const rows = Object.entries(entitySettingTable).map(([name, { inherit, description }]) => {
      const defaultValue = JSON.stringify(inherit([]))
      return `| \`${name}\` | ${defaultValue === undefined ? '' : `\`${defaultValue}\``} | ${description} |`
    })
    expect(guide).toContain(`\n|---|---|---|\n${rows.join('\n')}\n\n`)
  })
})
