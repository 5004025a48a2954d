import { resultCodes, transactionTypes } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import { paymentLimits } from '../limits.ts'
import { decide, wrongTypeRefusal, unknownReference } from './decide.ts'
import { exampleTree, parseLine } from '../testing/example-tree.ts'
import { moves } from './moves.ts'
import { type Right, rights } from './rights.ts'
import { type PaymentType, paymentTypes } from './transaction.ts'

/** For every type, a payment with a transaction of the type to which no other refers, and that transaction's id. */
const unreferenced: Readonly<Record<PaymentType, readonly [lines: readonly string[], id: string]>> = {
  PA: [['PA 92.00'], '1'],
  DB: [['DB 92.00'], '1'],
  CD: [['CD 92.00'], '1'],
  CP: [['PA 92.00', 'CP 60.00'], '2'],
  RV: [['PA 92.00', 'RV 92.00'], '2'],
  RF: [['DB 92.00', 'RF 10.00'], '2'],
  RB: [['DB 92.00', 'RB 10.00'], '2'],
  CB: [['DB 92.00', 'CB 10.00'], '2'],
  CR: [['DB 92.00', 'CB 10.00', 'CR 10.00 of 2'], '3'],
  RC: [['PA 92.00', 'RC 10.00'], '2'],
}

const referencedBy = (type: PaymentType) => paymentTypes.filter((referenced) => moves[type].after[referenced])

/** Members of a command that some moves require besides a suitable reference. */
const requirements = { incremental: true, isAccountAvailable: true, rights }

const pairs = paymentTypes.flatMap((type) => paymentTypes.map((referenced) => ({ type, referenced })))

describe('the table of moves', () => {
  it('contains only codes of the registry', () => {
    for (const { unknown, wrongType, wrongTypeRefusals = {}, requiredRight } of Object.values(moves)) {
      const refusals = Object.values(wrongTypeRefusals).map(({ code }) => code)
      for (const code of [unknown, wrongType, ...refusals, ...(requiredRight ? [requiredRight.code] : [])])
        expect(resultCodes).toHaveProperty([code])
    }
  })

  it('leads to every type from the types that begin a payment', () => {
    const reached = new Set(paymentTypes.filter((type) => moves[type].begin))
    for (const _ of paymentTypes) {
      for (const { type, referenced } of pairs) {
        if (reached.has(referenced) && moves[type].after[referenced]) reached.add(type)
      }
    }
    expect(reached).toEqual(new Set(paymentTypes))
  })

  it('equals the published table', () => {
    expect(Object.fromEntries(paymentTypes.map((type) => [type, referencedBy(type)]))).toEqual({
      PA: ['PA'],
      DB: [],
      CD: [],
      CP: ['PA'],
      RV: ['PA', 'DB', 'CP', 'RB'],
      RF: ['DB', 'CD', 'CP', 'RB', 'RC'],
      RB: ['DB', 'CP'],
      CB: ['DB', 'CP', 'RF', 'RB', 'CR'],
      CR: ['CB'],
      RC: ['PA', 'DB', 'CP', 'RB'],
    })
  })

  it.each(paymentTypes)('%s refers only to types in its list of the contract', (type) => {
    expect(transactionTypes[type].references).toEqual(expect.arrayContaining(referencedBy(type)))
  })

  it.each(pairs)('$type on $referenced is accepted exactly if the table contains the pair', ({ type, referenced }) => {
    const [lines, id] = unreferenced[referenced]
    const amountMinor = type === 'RV' ? undefined : 100
    const command = { ...parseLine(type).command, amountMinor, ...requirements }
    const decision = decide(exampleTree(lines), id, command, paymentLimits)
    expect(decision).toEqual(
      moves[type].after[referenced]
        ? expect.objectContaining({ kind: 'go', type })
        : wrongTypeRefusal(type, referenced),
    )
  })

  it.each<[PaymentType, string]>([
    ['PA', '700.400.580'],
    ['DB', '700.400.580'],
    ['CD', '700.400.580'],
    ['CP', '700.400.510'],
    ['RV', '700.400.530'],
    ['RF', '600.200.500'],
    ['RB', '700.400.580'],
    ['CB', '700.400.580'],
    ['CR', '700.400.580'],
    ['RC', '700.400.580'],
  ])('%s of an unknown id is refused with %s', (type, code) => {
    expect(unknownReference(type)).toMatchObject({ kind: 'unknown', code })
    for (const tree of [undefined, exampleTree(['PA 92.00'])]) {
      expect(decide(tree, '9', parseLine(type).command, paymentLimits)).toEqual(unknownReference(type))
    }
  })

  it.each<[PaymentType, string]>([
    ['CP', '700.400.510'],
    ['RV', '700.400.530'],
    ['RF', '600.200.500'],
    ['RB', '700.400.520'],
    ['CB', '700.400.550'],
    ['CR', '700.400.420'],
    ['RC', '700.400.560'],
  ])('%s of a transaction of the wrong type is refused with %s', (type, code) => {
    expect(wrongTypeRefusal(type)).toMatchObject({ kind: 'refused', code })
  })

  it.each<[PaymentType, callerRights: readonly Right[], code: string | undefined]>([
    ['CB', [], '700.400.402'],
    ['CB', ['chargeback'], undefined],
    ['CB', ['system'], undefined],
    ['CR', [], '700.400.402'],
    ['CR', ['chargeback'], undefined],
    ['CR', ['system'], undefined],
    ['RC', [], '700.400.562'],
    ['RC', ['chargeback'], '700.400.562'],
    ['RC', ['system'], undefined],
  ])('%s by a caller with the rights %j has the refusal %s', (type, callerRights, code) => {
    const referencedType = paymentTypes.find((referenced) => moves[type].after[referenced])
    const [lines, id] = unreferenced[referencedType ?? 'PA']
    const command = { ...parseLine(type).command, amountMinor: 100, rights: callerRights }
    expect(decide(exampleTree(lines), id, command, paymentLimits)).toMatchObject(code ? { code } : { kind: 'go' })
    // The right is checked before the type, so that the answer reveals nothing about the payment.
    const decision = decide(exampleTree(['PA 92.00', 'RV 92.00']), '2', command, paymentLimits)
    expect(decision).toMatchObject({ code: code ?? moves[type].wrongType })
  })

  it.each<[PaymentType, recorded: boolean]>([
    ['CP', false],
    ['RV', false],
    ['RF', false],
    ['RB', false],
    ['CB', true],
    ['CR', true],
    ['RC', true],
  ])('%s is recorded without an acquirer: %s', (type, recorded) => {
    const referencedType = paymentTypes.find((referenced) => moves[type].after[referenced])
    const [lines, id] = unreferenced[referencedType ?? 'PA']
    const amountMinor = type === 'RV' ? undefined : 100
    const decision = decide(
      exampleTree(lines),
      id,
      { ...parseLine(type).command, amountMinor, ...requirements },
      paymentLimits,
    )
    expect(decision.kind === 'go' && decision.recorded !== undefined).toBe(recorded)
  })
})
