import { freePort, newDatabase, removeDatabase } from '@tollgate/storage/testing'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { type HostProcess, hostTransactions, settingsForHost, startHost } from '../support/acquirer-host.ts'
import { codesOf, startExternalLoad } from '../support/external-load.ts'
import { cleanUp, type GatewayProcess, startGateway, temporaryFolder } from '../support/process.ts'
import { expectSettled, postgresQuery, untilConnected } from '../support/settled.ts'

// Two gateways on one database send payments to one acquirer at the same time.

const rounds = process.env['TOLLGATE_TEST_LONG'] === '1' ? 3 : 1
const PAYMENTS = 150

let database: string
let host: HostProcess
let gateways: [GatewayProcess, GatewayProcess]

beforeAll(async () => {
  database = await newDatabase(process.env['TOLLGATE_TEST_DATABASE_URL'])
  const acquirerPort = await freePort()
  host = await startHost(acquirerPort, temporaryFolder())
  const env = { ...settingsForHost(acquirerPort), TOLLGATE_DATABASE_URL: database }
  const setup = { data: temporaryFolder(), env }
  // The second start reads the keys that the first one has written.
  const first = await startGateway(setup)
  gateways = [first, await startGateway(setup)]
})

afterAll(async () => {
  await cleanUp()
  await removeDatabase(database)
})

/**
 * Terminal, trace number and day of each sent message, as the gateways have stored them. The repeat of a message has
 * its references, and is an attempt of the same transaction.
 */
async function sentMessages(): Promise<readonly string[]> {
  const rows = await postgresQuery(database)<{ sentAs: string }>(
    'SELECT DISTINCT transaction_id, sent_as AS "sentAs" FROM acquirer_attempt',
  )
  return rows.map(({ sentAs }) => {
    const { terminalId, stan, atMs }: { terminalId: string; stan: string; atMs: number } = JSON.parse(sentAs)
    return `${terminalId} ${stan} ${new Date(atMs).toISOString().slice(5, 10)}`
  })
}

const repeated = (names: readonly string[]): readonly string[] =>
  names.filter((name, index) => names.indexOf(name) !== index)

/** Expects that no two messages have the same terminal, trace number and day. */
async function expectUniqueMessages(): Promise<void> {
  const atHost = await hostTransactions(host)
  expect(repeated(atHost.map(({ terminal, stan, transmittedAt }) => `${terminal} ${stan} ${transmittedAt}`))).toEqual(
    [],
  )
  const days = atHost.map(({ terminal, stan, transmittedAt }) => `${terminal} ${stan} ${transmittedAt.slice(0, 4)}`)
  expect(repeated(days)).toEqual([])
  expect(repeated(await sentMessages())).toEqual([])
}

test('messages of two gateways have different terminals and trace numbers', async () => {
  for (const gateway of gateways) await untilConnected(gateway)
  for (let round = 0; round < rounds; round += 1) {
    const load = startExternalLoad(gateways, { label: `together-${round}`, payments: PAYMENTS, concurrent: 32 })
    await load.done
    expect(Object.keys(codesOf(load.sent))).toEqual(['000.100.112'])
  }
  await expectUniqueMessages()
  expect(new Set((await hostTransactions(host)).map(({ terminal }) => terminal)).size).toBe(2)
  await expectSettled(gateways[0], postgresQuery(database), host)
})

test('a gateway that replaces a killed one does not repeat its trace numbers', async () => {
  for (let kill = 0; kill < 2; kill += 1) {
    const load = startExternalLoad(gateways, { label: `killed-${kill}`, payments: 80 })
    await load.untilSent(60)
    const [killed, surviving] = gateways
    await killed.kill9()
    await load.done
    gateways = [surviving, await killed.restart()]
    const settled = await expectSettled(gateways[kill % 2 === 0 ? 1 : 0], postgresQuery(database), host)
    console.log(`kill -9 of a replica: ${JSON.stringify({ codes: codesOf(load.sent), ...settled })}`)
    await expectUniqueMessages()
  }
})
