import { describe, expect, test } from 'vitest'
import { blocksOf, readDocument, SHOWN_URL } from './guides/examples.ts'
import { gatewayFor, operatorEnv, runApprovedCommand } from './guides/running-gateway.ts'
import { openShell } from './guides/shell.ts'

describe('the guide to money', () => {
  const gateway = gatewayFor('money-guide')
  const page = readDocument('docs/guides/money.md')
  const parts = Array.from(page.matchAll(/^```(sh|json)\n([^]*?)\n```$/gm), ([, kind, text = '']) => ({ kind, text }))

  test('shows fees, and the figures of a first payment', async () => {
    const { url } = gateway.running()
    const shell = openShell(gateway.data, { PATH: process.env['PATH'] })
    try {
      const payment = blocksOf('README.md').find((block) => block.startsWith('curl')) ?? ''
      expect(payment).toContain(SHOWN_URL)
      const port = operatorEnv(gateway.running()).TOLLGATE_MANAGE_PORT ?? ''
      const simulators = /banks and wallets +(\S+)/.exec(gateway.running().printed)?.[1] ?? ''
      const outputs: string[] = []
      for (const [index, { kind, text }] of parts.entries()) {
        if (kind === 'json') continue
        const block = text
          .replace('127.0.0.1:8081', `127.0.0.1:${port}`)
          .replace(SHOWN_URL, url)
          .replace('http://127.0.0.1:8083', simulators)
        const next = parts[index + 1]
        outputs.push(await shell.run(block))
        // Figures are a few seconds behind the payment.
        if (next?.kind === 'json')
          await expect
            .poll(async () => JSON.parse(await shell.run(block)), { timeout: 60_000, interval: 500 })
            .toMatchObject(JSON.parse(next.text))
        if (index === 1) {
          expect(JSON.parse(outputs.at(-1) ?? '').feePlans[0].feePlan.fees).toHaveLength(3)
          await runApprovedCommand(url, payment, new Map())
        }
      }
      expect(outputs.find((output) => output.startsWith('day;'))?.split('\n')).toEqual([
        'day;merchantId;transactionId;settlementFile;payoutId;bankEntryId;kind;category;debit;credit;amount;currency;' +
          'acquirer;reference',
        expect.stringMatching(/;charge;charge;acquirerReceivable;merchantPending;92\.00;EUR;simulator;/),
        expect.stringMatching(/;charge;fee;merchantPending;feeIncome;1\.25;EUR;simulator;/),
        '',
      ])
      expect(await shell.run('cat statement.html')).toContain('<h1>Statement</h1>')
      const records = (await shell.run('cat records.csv')).trim().split('\n')
      const id = (await shell.run('echo $PAID')).trim()
      expect(records.map((line) => line.split(';')[10])).toEqual(['UniqueID', id, '', ''])
    } finally {
      await shell.kill()
    }
  })
})
