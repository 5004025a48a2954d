import { Secret } from '@tollgate/contract'
import type { MessageOf } from '@tollgate/three-d-secure'
import { expect, it } from 'vitest'
import { limits } from '../../limits.ts'
import { createSessions, type Session } from './sessions.ts'

const areq: Omit<MessageOf<'AReq'>, 'acctNumber'> = {
  messageVersion: '2.2.0',
  deviceChannel: '02',
  messageCategory: '01',
  threeDSServerTransID: 'd290f1ee-6c54-4b01-90e6-d701748f0851',
  threeDSServerRefNumber: 'TOLLGATE',
  threeDSServerURL: 'https://pay.example',
  threeDSRequestorID: 'requestor',
  threeDSRequestorName: 'Shop',
  threeDSRequestorURL: 'https://shop.example',
}

const sessionOf = (acsTransID: string): Session => ({
  areq: { ...areq, acctNumber: new Secret(new Uint8Array([1, 2, 3, 4])) },
  acsTransID,
  dsTransID: acsTransID,
  brand: 'VISA',
  fault: undefined,
  last4: '1234',
  amount: '',
  state: 'waiting',
  dueMs: 0,
  tries: 0,
  sessionData: undefined,
  result: undefined,
})

it('above the limit the oldest session is dropped, its card number is wiped, and the other sessions are kept', () => {
  const sessions = createSessions()
  const all = Array.from({ length: limits.challengesMax + 1 }, (_, index) => sessionOf(`session ${index}`))
  for (const session of all) sessions.add(session)
  const [first, second] = all
  expect(sessions.size).toBe(limits.challengesMax)
  expect(sessions.find('session 0')).toBeUndefined()
  expect(first?.areq.acctNumber.use((digits) => [...digits])).toEqual([0, 0, 0, 0])
  expect(sessions.find('SESSION 1')).toBe(second)
})
