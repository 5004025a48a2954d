import fc from 'fast-check'

/**
 * All code points of Unicode except surrogates, for the option `unit` of `fc.string`. The built-in unit `binary` of
 * fast-check generates the same, but needs a second to list all code points.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10f7ff })
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800))
