import type { Pair } from '../shared/parameters.ts'

/** The challenge windows of EMV 3-D Secure that fit into a form, by their code, widest first. */
const challengeWindows = [
  { code: '3', width: 500, height: 600 },
  { code: '2', width: 390, height: 400 },
  { code: '1', width: 250, height: 400 },
] as const

/**
 * The widest challenge window that fits into a form; the smallest one if none fits.
 *
 * @param width of the form in pixels
 */
export const challengeWindowFor = (width: number) =>
  challengeWindows.find((candidate) => candidate.width <= width) ?? challengeWindows[2]

/**
 * The browser data of a 3-D Secure request. The gateway adds the Accept header.
 *
 * @param width of the space for a challenge, in pixels
 */
export const browserParameters = (width: number): readonly Pair[] =>
  Object.entries({
    language: navigator.language.slice(0, 8),
    screenHeight: screen.height,
    screenWidth: screen.width,
    timezone: new Date().getTimezoneOffset(),
    userAgent: navigator.userAgent,
    javaEnabled: false,
    screenColorDepth: screen.colorDepth,
    challengeWindow: challengeWindowFor(width).code,
  }).map(([name, value]) => [`customer.browser.${name}`, String(value)])
