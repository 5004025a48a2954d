import { describe, expect, test } from 'vitest'
import { disputeNetworkOf, dueOnOf, flowOf, stageOf, statedReasonOf } from './dispute-rules.ts'

describe('the network of a dispute', () => {
  test.each<[brand: string | undefined, reason: string | undefined, network: string | undefined]>([
    ['VISA', undefined, 'VISA'],
    ['MAESTRO', '4837', 'MASTER'],
    ['DINERS', undefined, 'DISCOVER'],
    ['DIRECTDEBIT_SEPA', 'MD06', 'SEPA'],
    [undefined, '10.4', 'VISA'],
    [undefined, ' f29 ', 'AMEX'],
    [undefined, undefined, undefined],
    ['VISA', 'unknown', 'VISA'],
  ])('%s, %s: %s', (brand, reason, network) => {
    expect(disputeNetworkOf({ brand, reason })).toBe(network)
  })
})

describe('the flow of a dispute', () => {
  test.each<[reason: string | undefined, flow: string]>([
    ['10.4', 'allocation'],
    ['11.3', 'allocation'],
    ['12.6', 'collaboration'],
    ['13.1', 'collaboration'],
    [undefined, 'collaboration'],
  ])('of Visa, %s: %s', (reason, flow) => {
    expect(flowOf({ brand: 'VISA', reason }, 'VISA')).toBe(flow)
  })

  test('of other networks is a collaboration', () => {
    expect(flowOf({ brand: 'MASTER', reason: '10.4' }, 'MASTER')).toBe('collaboration')
  })
})

test('an answer is due by the period of the network, of several networks by the shortest', () => {
  expect(dueOnOf({ brand: 'MASTER', reason: undefined }, 'chargeback', '2026-11-01')).toBe('2026-12-16')
  expect(dueOnOf({ brand: undefined, reason: undefined }, 'chargeback', '2026-11-01')).toBe('2026-11-21')
  expect(dueOnOf({ brand: undefined, reason: '4837' }, 'chargeback', '2026-11-01')).toBe('2026-12-16')
  expect(dueOnOf({ brand: 'AMEX', reason: 'C08' }, 'preArbitration', '2026-11-01')).toBeUndefined()
})

test.each([
  ['VISA', 'chargeback', 'chargeback'],
  ['VISA', 'secondChargeback', 'preArbitration'],
  ['AMEX', 'chargeback', 'chargeback'],
  ['AMEX', 'secondChargeback', 'lost'],
  ['DIRECTDEBIT_SEPA', 'chargeback', 'lost'],
] as const)('%s: a %s that cannot be answered is lost, another one is not: %s', (brand, movement, stage) => {
  expect(stageOf({ brand, reason: undefined }, undefined, movement)).toBe(stage)
})

test('a reason has a meaning if its network knows it', () => {
  expect(statedReasonOf({ brand: 'VISA', reason: '13.1' })).toMatchObject({ resultCode: '000.100.221' })
  expect(statedReasonOf({ brand: 'VISA', reason: '4837' })).toBeUndefined()
  expect(statedReasonOf({ brand: 'VISA', reason: undefined })).toBeUndefined()
})
