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
