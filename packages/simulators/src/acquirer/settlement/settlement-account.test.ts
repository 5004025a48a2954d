import { readIban } from '@tollgate/domain'
import { readSettlementFile } from '@tollgate/settlement-files'
import { expect, test } from 'vitest'
import { createBusinessDays, midnightInUtc } from '../business-day.ts'
import { TestHost } from '../testing/test-host.ts'
import { settlementFileOf } from './settlement-file.ts'

test('a statement is of an account of its merchant, or of one of all merchants', async () => {
  const host = new TestHost()
  host.step('sale', { type: '0200' })
  const { bookings } = host.host.state
  const source = { bookings, businessDays: createBusinessDays(midnightInUtc), timeZone: 'UTC' }

  async function accountIn(day: string, merchant: string | undefined): Promise<string | undefined> {
    const file = settlementFileOf(source, { day, format: 'camt053', merchant })
    for await (const entries of readSettlementFile('camt.053', [file]))
      for (const entry of entries) if (entry.kind === 'summary') return entry.account
    throw new Error('the statement is not valid')
  }

  const merchants = [undefined, '999000000000001', '999000000000002']
  const accounts = await Promise.all(merchants.map((merchant) => accountIn('2026-11-20', merchant)))
  expect(accounts[0]).toBe('DE89370400440532013000')
  expect(new Set(accounts).size).toBe(merchants.length)
  for (const account of accounts) expect(readIban(Buffer.from(account ?? ''))).toMatchObject({ isValid: true })
  expect(await Promise.all(merchants.map((merchant) => accountIn('2026-11-21', merchant)))).toEqual(accounts)
})
