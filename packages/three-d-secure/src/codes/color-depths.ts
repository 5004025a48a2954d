/** Values of `browserColorDepth`, bits per pixel. EMV 3-D Secure, table A.1. */
export const colorDepths = ['1', '4', '8', '15', '16', '24', '32', '48'] as const

export type ColorDepth = (typeof colorDepths)[number]

/**
 * The code of a browser's colour depth; depths without a code, such as 30 bits, have the next lower code, or else 1.
 *
 * @param bits `screen.colorDepth`
 */
export const colorDepthFor = (bits: number): ColorDepth =>
  colorDepths.findLast((depth) => Number(depth) <= bits) ?? colorDepths[0]
