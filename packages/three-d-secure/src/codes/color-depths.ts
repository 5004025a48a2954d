/** Values of `browserColorDepth`, bits per pixel. EMV 3-D Secure, table A.1. */
export const colorDepths = ['1', '4', '8', '15', '16', '24', '32', '48'] as const

/** One of them. */
export type ColorDepth = (typeof colorDepths)[number]

/**
 * What a browser's depth is called: there are screens of 30 bits, and no code for them, so that the next lower one is
 * sent.
 *
 * @param bits `screen.colorDepth`
 */
export const colorDepthFor = (bits: number): ColorDepth =>
  colorDepths.findLast((depth) => Number(depth) <= bits) ?? colorDepths[0]
