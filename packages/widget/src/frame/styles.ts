import { limits } from '../limits.ts'
import type { Pair } from '../shared/parameters.ts'

/** What a page may style of the text in a frame: how it looks, never where it is, nor anything that loads. */
const properties = new Set([
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

/** The declarations that may be applied. A value that could call for another file is none of them. */
export const allowedStyles = (pairs: readonly Pair[]): readonly Pair[] =>
  pairs.filter(
    ([name, value]) =>
      properties.has(name) &&
      value.length <= limits.styleCharsMax &&
      !/(?:url|image|var|env|attr)\(|[\\@]/i.test(value),
  )
