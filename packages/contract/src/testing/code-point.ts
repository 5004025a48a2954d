import fc from 'fast-check'

/**
 * The characters of Unicode, for the option `unit` of `fc.string`. Its own unit `binary` takes a second to list them
 * all.
 */
export const codePoint: fc.Arbitrary<string> = fc
  .integer({ min: 0, max: 0x10f7ff })
  .map((number) => String.fromCodePoint(number < 0xd800 ? number : number + 0x800))
