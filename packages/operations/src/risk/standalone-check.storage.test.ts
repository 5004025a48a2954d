import { afterAll, expect, test } from 'vitest'
import { channelSettings } from '../directory/entity-settings.ts'
import { testGateway } from '@tollgate/gateway/testing'
import { systemCommand } from '../system-command.ts'
import { standaloneRiskCheck } from './standalone-check.ts'

const tollgate = await testGateway()
afterAll(() => tollgate.close())
const { gateway } = tollgate

test.each([
  ['an enabled', true, '000.300.100'],
  ['a disabled', false, '600.200.201'],
])('standalone risk check on %s channel', async (_what, enabled, code) => {
  const channel = { id: 'c', merchant: 'm', name: 'Tea', settings: channelSettings([{ enabled }]), risk: undefined }
  const call = systemCommand(gateway, channel, '', { amount: '92.00', currency: 'EUR', 'customer.ip': '192.0.2.1' })
  expect((await standaloneRiskCheck(gateway, call)).answer.code).toBe(code)
})
