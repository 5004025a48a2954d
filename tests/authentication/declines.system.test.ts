import { sandboxIds } from '@tollgate/gateway'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { formOf, pageOf, RESULT_URL, withIssuers } from './with-issuers.ts'

// The limit of declines per card also applies to payments with 3-D Secure.

let setup: Awaited<ReturnType<typeof withIssuers>>
beforeAll(async () => {
  setup = await withIssuers()
  const settings = { declines: { card: 2 } }
  await setup.tollgate.manage('PATCH', `/entities/${sandboxIds.channel}`, { settings })
})
afterAll(() => setup.tollgate.close())

/** Creates a checkout, and submits it with a card that the issuer authenticates at once and the acquirer declines. */
async function submit(number: string) {
  const parameters = { amount: '92.00', currency: 'EUR', paymentType: 'DB', shopperResultUrl: RESULT_URL }
  const { body } = await setup.tollgate.send('POST', '/v1/checkouts', parameters)
  const path = `/v1/checkouts/${body.id}/payment`
  const card = { 'card.number': number, 'card.expiryMonth': '05', 'card.expiryYear': '2034' }
  const response = await setup.post(path, formOf({ ...card, 'card.holder': '{800.100.151}' }))
  const answer = response.json<{
    readonly result: { readonly code: string }
    readonly redirect: { readonly url: string }
  }>()
  return { path, code: answer.result.code, redirect: answer.redirect }
}
const resultOf = async (path: string): Promise<string> => (await setup.tollgate.send('GET', path)).body.result.code

test('successive declines of a card reach the limit', async () => {
  for (let attempt = 0; attempt < 2; attempt += 1) {
    const { path, code, redirect } = await submit('4200000000000091')
    expect(code).toBe('000.200.000')
    await setup.begin(pageOf({ redirect }))
    expect(await resultOf(path)).toBe('800.100.151')
  }
  expect((await submit('4200000000000091')).code).toBe('800.120.100')
})

test('payments of a card that await authentication at the same time reach the limit', async () => {
  const number = '4012001036275556'
  const sessions = [await submit(number), await submit(number), await submit(number)]
  expect(sessions.map(({ code }) => code)).toEqual(Array(3).fill('000.200.000'))
  for (const { redirect } of sessions) await setup.begin(pageOf({ redirect }))
  const codes = await Promise.all(sessions.map(({ path }) => resultOf(path)))
  expect(codes.toSorted()).toEqual(['800.100.151', '800.100.151', '800.120.100'])
})
