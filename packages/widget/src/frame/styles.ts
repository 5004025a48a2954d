import { limits } from '../limits.ts'
import type { Pair } from '../shared/parameters.ts'

/**
 * Style properties of a frame's text that a page may set: appearance only, no position and no property that loads a
 * file.
 */
const allowedProperties = new Set([
  'color',
  'caret-color',
  'direction',
  'font-family',
  'font-feature-settings',
  'font-size',
  'font-style',
  'font-variant',
  'font-variant-numeric',
  'font-weight',
  'letter-spacing',
  'line-height',
  'opacity',
  'text-align',
  'text-indent',
  'text-shadow',
  'text-transform',
])

/** The permitted declarations. A value that could load a file is not permitted. */
export const allowedStyles = (pairs: readonly Pair[]): readonly Pair[] =>
  pairs.filter(
    ([name, value]) =>
      allowedProperties.has(name) &&
      value.length <= limits.styleCharsMax &&
      !/(?:url|image|var|env|attr)\(|[\\@]/i.test(value),
  )
