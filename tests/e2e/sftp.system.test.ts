import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { newKeys } from '@tollgate/sftp/testing'
import { type RunningSimulators, startSimulators } from '@tollgate/simulators'
import { afterEach, expect, test } from 'vitest'
import { externalPayment } from '../support/external-load.ts'
import { bodyOf } from '../support/http.ts'
import { manage } from '../support/manage.ts'
import { post } from '../support/payments.ts'
import { cleanUp, startGateway, temporaryFolder } from '../support/process.ts'
import { untilConnected } from '../support/settled.ts'

// The SFTP server of the simulators stands for that of an acquirer and that of a merchant.

const DAY_MS = 86_400_000
const SECONDS = 1_000
const merchant = '70119a7e5eed000000000000000000e0'
let simulators: RunningSimulators | undefined

afterEach(async () => {
  await simulators?.close()
  await cleanUp()
})

interface Lists {
  readonly files: readonly { readonly state: string; readonly rows: number; readonly arrivedBy: string }[]
  readonly balances: readonly { readonly acquirer: string }[]
}

test('the settlement file of a payment is pulled, and its row is delivered to the merchant', async () => {
  const [folder, keys] = [temporaryFolder(), newKeys()]
  let aheadMs = 0
  const clock = { now: () => Date.now() + aheadMs }
  const sftp = { port: 0, folder, publicKeys: [keys.publicKey] }
  simulators = await startSimulators({ host: '127.0.0.1', port: 0, acquirerPort: 0, clock, sftp })
  const { url, acquirerAddress, sftp: server } = simulators
  if (!acquirerAddress || !server) throw new Error('the simulators are not complete')
  const gateway = await startGateway({
    data: temporaryFolder(),
    env: {
      TOLLGATE_SIMULATOR_URL: url,
      TOLLGATE_ACQUIRER_ADDRESS: `${acquirerAddress.host}:${acquirerAddress.port}`,
    },
  })
  await untilConnected(gateway)
  const credentials = { privateKey: keys.privateKey }
  const serverFor = (username: string) => ({ ...server.address, username, hostKeys: [server.hostKey] })
  const advance = (duration: string) => manage(gateway, 'POST', '/clock', { advance: duration })
  const { id: sourceId } = await manage<{ id: string }>(gateway, 'POST', '/settlement-sources', {
    server: serverFor('settlement'),
    credentials,
  })
  await manage(gateway, 'POST', '/sftp-targets', {
    entityId: merchant,
    purpose: 'reconciliationRecord',
    server: serverFor('records'),
    credentials,
  })

  const { id } = bodyOf(await gateway.client.send(post('/v1/payments', externalPayment({}))))
  aheadMs = 2 * DAY_MS
  await advance('P2D')
  await expect
    .poll(async () => (await manage<Lists>(gateway, 'GET', '/ledger/balances')).balances, { timeout: 60 * SECONDS })
    .toContainEqual(expect.objectContaining({ acquirer: 'external' }))
  await expect.poll(() => readdirSync(join(folder, 'settlement')).length, { timeout: 60 * SECONDS }).toBeGreaterThan(0)

  // The first poll after the file was written sees it, a later one takes it.
  for (let polls = 0; polls < 2; polls += 1) {
    await manage(gateway, 'POST', `/settlement-sources/${sourceId}/pull`)
    const attempts = async () =>
      (await manage<{ poll: { dueAt: string } }>(gateway, 'GET', `/settlement-sources/${sourceId}`)).poll
    await expect.poll(attempts, { timeout: 60 * SECONDS }).toMatchObject({ failedAttempts: 0 })
    await advance('PT1M')
  }
  await expect
    .poll(async () => (await manage<Lists>(gateway, 'GET', '/settlement-files')).files, { timeout: 60 * SECONDS })
    .toContainEqual(expect.objectContaining({ arrivedBy: 'sftp', state: 'read', rows: expect.any(Number) }))

  await advance('P1D')
  const records = () => {
    const names = existsSync(join(folder, 'records')) ? readdirSync(join(folder, 'records')) : []
    return names
      .filter((name) => name.endsWith('.csv'))
      .map((name) => readFileSync(join(folder, 'records', name), 'utf8'))
  }
  await expect.poll(() => records().join(''), { timeout: 90 * SECONDS }).toContain(id)
})
