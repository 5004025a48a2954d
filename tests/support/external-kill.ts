import { expect } from 'vitest'
import { setFaults, settingsForHost, startHost } from './acquirer-host.ts'
import { codesOf, startExternalLoad } from './external-load.ts'
import { freePort } from './free-port.ts'
import { bodyOf } from './http.ts'
import { cardPayment } from './payments.ts'
import { startGateway, temporaryFolder } from './process.ts'
import { expectSettled, type Query, untilConnected } from './settled.ts'

// Kills with SIGKILL under load, of a gateway and of its acquirer. After each one the books of both are equal.

/** Rounds on one acquirer, which shows a limited number of transactions. */
const ROUNDS = 2
const hosts = process.env['TOLLGATE_TEST_LONG'] === '1' ? 25 : 1
const PAYMENTS = 100
const LATENCY_MS = 200

/** The storage of the gateway under test. */
export interface KillSetup {
  readonly env: Readonly<Record<string, string>>
  readonly query: (data: string) => Query
}

/** The processes that are killed and started again. */
type Victim = 'gateway' | 'host' | 'gateway and host'

/** Kills the victim twice, each time under load, and expects equal books. @returns the numbers of each round */
export async function killUnderLoad(victim: Victim, { env, query: queryOf }: KillSetup): Promise<readonly object[]> {
  const report: object[] = []
  const data = temporaryFolder()
  const query = queryOf(data)
  for (let hostNumber = 0; hostNumber < hosts; hostNumber += 1) {
    const acquirerPort = await freePort()
    let host = await startHost(acquirerPort, temporaryFolder())
    let gateway = await startGateway({ data, env: { ...settingsForHost(acquirerPort), ...env } })
    // A payment of the simulator: transactions after it are at this acquirer.
    const { id: from } = bodyOf(await gateway.pay(cardPayment()))
    for (let round = 0; round < ROUNDS; round += 1) {
      const label = `${victim}-${hostNumber}-${round}`
      await untilConnected(gateway)
      // Most requests in flight are at the acquirer when a process is killed.
      await setFaults(host, [{ knob: 'latencyMs', value: LATENCY_MS }])
      const load = startExternalLoad([gateway], { label, payments: PAYMENTS })
      await load.untilSent(40 + Math.floor(Math.random() * 80))
      await Promise.all([victim !== 'host' && gateway.kill9(), victim !== 'gateway' && host.kill9()])
      if (victim !== 'gateway') host = await host.restart()
      await load.done
      if (victim !== 'host') gateway = await gateway.restart()
      await setFaults(host, [])
      const settled = await expectSettled(gateway, query, host, from)
      const codes = codesOf(load.sent)
      report.push({ killed: label, codes, ...settled })
      expect(codes.none !== undefined).toBe(victim !== 'host')
      expect(settled.reversals).toBeGreaterThan(0)
    }
    await gateway.stop()
    host.signal('SIGTERM')
    await host.ended
  }
  return report
}
