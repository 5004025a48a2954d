import { expect, test } from 'vitest'
import { parseUrl } from './parse-url.ts'

test.each([
  ['https://shop.example/a?b=c', 'https://shop.example/a?b=c'],
  ['https://bücher.example/ü', 'https://xn--bcher-kva.example/%C3%BC'],
  ['shop:done', 'shop:done'],
  ['shop.example', undefined],
  ['', undefined],
])('%j is parsed as %j', (text, href) => expect(parseUrl(text)?.href).toBe(href))

test('the result does not depend on the number of calls', () => {
  const rejected = Array.from({ length: 20_000 }, (_, call) =>
    parseUrl(call % 2 === 0 ? 'https://bücher.example/' : 'https://shop.example/'),
  ).filter((url) => url === undefined)
  expect(rejected).toEqual([])
})
