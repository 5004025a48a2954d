import { expect, test } from 'vitest'
import { isLanguage, languages } from './languages.ts'

test('the widget has the 25 languages of the contract, in the order of the contract', () => {
  expect(Object.keys(languages).join(', ')).toBe(
    'en, de, fr, es, it, nl, dk, fi, se, tr, ja, sl, pt, pl, cz, hu, bg, ro, ru, cn, gr, no, sk, ar, ko',
  )
})

test.each(Object.entries(languages))(
  'the tag of %s is canonical, and its name in Intl contains the name in the table',
  (_, { tag, name }) => {
    expect(Intl.getCanonicalLocales(tag)).toEqual([tag])
    const displayName = new Intl.DisplayNames('en', { type: 'language' }).of(tag.split('-')[0] ?? tag) ?? ''
    expect(displayName).toContain(name.split(',')[0])
  },
)

test('only Arabic is written from right to left', () => {
  const rtl = Object.entries(languages).filter(([, language]) => language.direction === 'rtl')
  expect(rtl.map(([code]) => code)).toEqual(['ar'])
})

test.each([
  ['en', true],
  ['EN', false],
  ['da', false],
  ['', false],
])('isLanguage(%j) is %s', (code, expected) => expect(isLanguage(code)).toBe(expected))
