import * as fc from 'fast-check'

/** Ids of rows other than transactions, and of their references to each other. */
export const plainIds = ['x1', 'x2']

export const listOf = <T>(arbitrary: fc.Arbitrary<T>, maxLength = 2) => fc.array(arbitrary, { maxLength })
/** Rows of a table, mostly none: a unit with rows of every table would seldom be committed. */
export const rowsOf = <T>(arbitrary: fc.Arbitrary<T>) =>
  fc.oneof({ weight: 3, arbitrary: fc.constant<T[]>([]) }, { weight: 1, arbitrary: listOf(arbitrary) })
export const id = fc.constantFrom(...plainIds)
export const bytes = fc.option(fc.uint8Array({ maxLength: 40 }))
export const text = fc.string({ unit: 'grapheme', maxLength: 20 })
export const integer = fc.maxSafeInteger()

/** Few different values of a column `sealed`, so that many compare-and-sets succeed. */
export const fewValues = fc.constantFrom(null, Uint8Array.of(), Uint8Array.of(1))

/** Sums of few days, at most one of each day. */
export const sumsOf = <T>(rowOf: (day: number, amount: number) => T) =>
  fc
    .uniqueArray(fc.nat(1))
    .chain((days) =>
      fc.tuple(...days.map((day) => fc.integer({ min: -9, max: 9 }).map((amount) => rowOf(day, amount)))),
    )
