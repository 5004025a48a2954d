import { openMemory } from '@tollgate/storage'
import { afterAll, describe, expect, test } from 'vitest'
import { formOf, otherMerchant, type Parameters, summary, testGateway } from '@tollgate/gateway/testing'
import { sandboxIds, sandboxToken } from '../directory/sandbox.ts'

const tollgate = await testGateway({ storage: openMemory() })
afterAll(() => tollgate.close())

const query = (path: string, parameters: Parameters) => tollgate.send('GET', path, parameters)

describe('a query', () => {
  const day = { 'date.from': '2026-05-04 00:00:00', 'date.to': '2026-05-04 23:59:59' }
  test.each<{ path: string; parameters: Parameters; names: readonly string[] }>([
    { path: '/v1/query', parameters: { limit: '99' }, names: ['limit'] },
    { path: '/v3/query', parameters: { limit: '501', pageNo: '0' }, names: ['limit', 'pageNo'] },
    { path: '/v1/query', parameters: { pageNo: '1' }, names: ['pageNo'] },
    { path: '/v1/query', parameters: { 'date.from': day['date.from'] }, names: ['date.to'] },
    { path: '/v1/query', parameters: { 'date.to': day['date.to'] }, names: ['date.from'] },
    { path: '/v1/query', parameters: { ...day, 'date.from': '2026-05-05 00:00:00' }, names: ['date.to'] },
    { path: '/v1/query', parameters: { ...day, 'date.from': '2026-05-04' }, names: ['date.from'] },
    { path: '/v1/query', parameters: { ...day, merchantTransactionId: 'a' }, names: ['merchantTransactionId'] },
    { path: '/v1/query', parameters: { paymentTypes: 'DB,XX' }, names: ['paymentTypes'] },
    { path: '/v1/query', parameters: { paymentMethods: 'CC,' }, names: ['paymentMethods'] },
    { path: '/v1/query', parameters: { includeLinkedTransactions: 'yes' }, names: ['includeLinkedTransactions'] },
    { path: '/v1/query', parameters: { shortId: '1234.5678.90123' }, names: ['shortId'] },
    { path: '/v1/query', parameters: { merchantTransactionId: 'a'.repeat(256) }, names: ['merchantTransactionId'] },
    {
      path: `/v1/query/${'a'.repeat(32)}`,
      parameters: { ...day, limit: '100' },
      names: ['limit', 'date.from', 'date.to'],
    },
    { path: `/v3/query/${'a'.repeat(32)}`, parameters: { shortId: 'a', pageNo: '1' }, names: ['shortId', 'pageNo'] },
  ])('with invalid parameters to $path is refused with errors for $names', async ({ path, parameters, names }) => {
    const answer = await query(path, parameters)
    expect(summary(answer)).toEqual([400, '200.300.404'])
    expect(answer.body.result.parameterErrors.map(({ name }: { name: string }) => name)).toEqual(names)
  })

  test.each(['/v1/query', '/v3/query', `/v1/query/${'a'.repeat(32)}`, `/v3/query/${'a'.repeat(32)}`])(
    'to %s with an unknown parameter is refused with or without entityId, but not on a legacy channel',
    async (path) => {
      const statusAndNames = async (parameters: Parameters) => {
        const url = `${path}?${formOf({ merchantTransactionID: 'order-1', ...parameters })}`
        const headers = { authorization: `Bearer ${sandboxToken}` }
        const { status, body } = await tollgate.request({ method: 'GET', url, headers })
        return [status, ...(body.result.parameterErrors ?? []).map(({ name }: { name: string }) => name)]
      }
      expect(await statusAndNames({ entityId: sandboxIds.channel })).toEqual([400, 'merchantTransactionID'])
      // Without entityId the token also reaches strict channels.
      expect(await statusAndNames({})).toEqual([400, 'merchantTransactionID'])
      const [status, ...names] = await statusAndNames({ entityId: sandboxIds.legacyChannel })
      expect([status === 400, names]).toEqual([false, []])
    },
  )

  test('with an unknown parameter is not refused if all channels of the token are legacy', async () => {
    const { channel, token } = await otherMerchant(tollgate)
    const queryWithUnknown = () =>
      tollgate.request({ method: 'GET', url: '/v1/query?a=b', headers: { authorization: `Bearer ${token}` } })
    expect((await queryWithUnknown()).body.result.code).toBe('200.300.404')
    await tollgate.manage('PATCH', `/entities/${channel}`, { settings: { compatibility: 'legacy' } })
    expect((await queryWithUnknown()).body.result.code).toBe('700.400.580')
  })

  test('without entityId is refused for the token of a psp', async () => {
    const { psp } = await otherMerchant(tollgate)
    const { body } = await tollgate.manage('POST', '/tokens', { entityId: psp })
    const answer = await tollgate.request({
      method: 'GET',
      url: '/v1/query',
      headers: { authorization: `Bearer ${body.token}` },
    })
    expect(summary(answer)).toEqual([400, '200.300.407'])
  })
})
