/** Size of the frame of a challenge, in CSS pixels. */
export interface WindowSize {
  readonly width: number
  readonly height: number
}

const table = {
  '01': { width: 250, height: 400 },
  '02': { width: 390, height: 400 },
  '03': { width: 500, height: 600 },
  '04': { width: 600, height: 400 },
  /** The whole page. */
  '05': undefined,
} as const satisfies Readonly<Record<string, WindowSize | undefined>>

/** Value of `challengeWindowSize`. */
export type ChallengeWindow = keyof typeof table

/** EMV 3-D Secure, table A.1, `challengeWindowSize`; undefined is the full page. */
export const challengeWindows: Readonly<Record<ChallengeWindow, WindowSize | undefined>> = table

/** Whether a text is the code of a window. */
export const isChallengeWindow = (code: unknown): code is ChallengeWindow =>
  typeof code === 'string' && Object.hasOwn(table, code)

/**
 * The largest window of a fixed size that fits a space; never 05, the whole page.
 *
 * @param widthPx the width of the space, CSS pixels
 * @param heightPx the height of the space
 * @returns the smallest window if none fits
 */
export function windowThatFits(widthPx: number, heightPx: number): ChallengeWindow {
  const sizes = Object.entries(challengeWindows).flatMap(([code, size]) => (size ? [{ code, size }] : []))
  const fitting = sizes
    .filter(({ size }) => size.width <= widthPx && size.height <= heightPx)
    .toSorted((left, right) => right.size.width * right.size.height - left.size.width * left.size.height)
  const code = fitting[0]?.code
  return isChallengeWindow(code) ? code : '01'
}
