import { expect, test } from 'vitest'
import { parseUrl } from './parse-url.ts'

test.each([
  ['https://shop.example/a?b=c', 'https://shop.example/a?b=c'],
  ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
  ['shop:done', 'shop:done'],
  ['shop.example', undefined],
  ['', undefined],
])('%s is read as %s', (text, href) => expect(parseUrl(text)?.href).toBe(href))

test('an answer does not change with the number of calls', () => {
  const wrong = Array.from({ length: 20_000 }, (_, call) =>
    parseUrl(call % 2 === 0 ? 'https://bücher.example/' : 'https://shop.example/'),
  ).filter((url) => url === undefined)
  expect(wrong).toEqual([])
})
