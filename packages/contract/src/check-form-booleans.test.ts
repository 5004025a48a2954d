import { describe, expect, test } from 'vitest'
import { type Compatibility, checkForm } from './check-form.ts'
import { decodeForm } from './decode-form.ts'
import { isTrue } from './form.ts'
import { boolean } from './format.ts'
import { sections } from './sections.ts'

describe('the boolean parameters', () => {
  const all = sections.flatMap((section) => section.rows.map((row) => ({ ...row, surface: section.surface })))
  const booleans = all.filter(({ format }) => format === boolean)

  test('are the rows whose values are true and false in the contract', () => {
    expect(booleans.map(({ name }) => name).toSorted()).toEqual([
      'cart.payments[n].primary',
      'createRegistration',
      'customer.browser.javaEnabled',
      'includeLinkedTransactions',
      'integrity',
      'overrideHolder',
      'shipping.customer.browser.javaEnabled',
      'threeDSecure.decoupled',
      'threeDSecure.npa',
    ])
    const candidates = all.filter(({ format, legacy }) =>
      [format, legacy].some((each) => each?.accepts('true') && !each.accepts('that')),
    )
    expect(candidates.map(({ name }) => name).toSorted()).toEqual(booleans.map(({ name }) => name).toSorted())
  })

  const spellings = [
    ['true', true],
    ['1', true],
    ['True', true],
    ['TRUE', true],
    ['false', false],
    ['0', false],
    ['False', false],
    ['FALSE', false],
  ] as const
  test.each(booleans.flatMap((row) => spellings.map(([value, expected]) => ({ ...row, value, expected }))))(
    'are read in every spelling, of which strict channels accept two: $name=$value',
    ({ name: template, surface, value, expected }) => {
      const name = template.replace('[n]', '[0]')
      const form = () => decodeForm(new TextEncoder().encode(`${name}=${value}`), surface)
      const errorsOn = (compatibility: Compatibility) =>
        checkForm(form(), surface === 'query' ? 'queryPayments' : 'createCheckout', { compatibility })
          .filter((error) => error.name === name)
          .map(({ message }) => message)
      expect(form().sent.map((parameter) => isTrue(form(), parameter.name))).toEqual([expected])
      expect(errorsOn('legacy')).toEqual([])
      const isStrict = value === 'true' || value === 'false'
      expect(errorsOn('strict')).toEqual(isStrict ? [] : ['must be one of [true, false]'])
    },
  )

  test.each(['yes', 'tRUE', '2', 'on', ' true'])('refuse %j, also on legacy channels', (value) => {
    for (const { format, legacy } of booleans)
      expect([format.accepts(value), legacy?.accepts(value)]).toEqual([false, false])
  })
})
