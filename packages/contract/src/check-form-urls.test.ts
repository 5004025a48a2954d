import { describe, expect, test } from 'vitest'
import { checkForm } from './check-form.ts'
import { decodeForm } from './decode-form.ts'
import { parseUrl } from './parse-url.ts'
import { sections } from './sections.ts'

describe('a URL', () => {
  const urls = sections
    .flatMap(({ rows }) => rows)
    .filter(({ format }) => format.kind === 'url')
    .map(({ name }) => name)
  const webAddresses = ['merchant.url', 'threeDSecure.merchant.url', 'risk.merchantWebsite']
  const errorsOf = (template: string, value: string) =>
    checkForm(
      decodeForm(new TextEncoder().encode(new URLSearchParams({ [template.replace('[n]', '[0]')]: value }).toString())),
      'createPayment',
      { compatibility: 'legacy' },
    ).filter(({ name }) => name === template.replace('[n]', '[0]'))
  const isAccepted = (name: string, value: string): boolean => errorsOf(name, value).length === 0

  test('is the value of four parameters', () => {
    expect(urls.toSorted()).toEqual([
      'cart.items[n].imageUrl',
      'cart.items[n].productUrl',
      'notificationUrl',
      'shopperResultUrl',
    ])
  })

  const executed = [
    'javascript:alert(1)',
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    '\u00a0javascript:alert(1)',
    'java\tscript:alert(1)',
    'java\nscript:alert(1)',
    'java\r\nscript:alert(1)',
    '\tjavascript:alert(1)',
    'javascript\t:alert(1)',
    'data:text/html,<script>',
    '\nd\tata:text/html,x',
    'vbscript:x()',
    'file:///etc/passwd',
    'blob:https://shop.example/7',
    'about:blank',
    'filesystem:https://shop.example/x',
    'view-source:https://shop.example/',
  ]
  test.each(executed)('that a browser would execute or read locally is refused: %j', (value) => {
    for (const name of urls) expect([name, isAccepted(name, value)]).toEqual([name, false])
    // Parameters for web addresses also accept plain text, such as a scheme after U+00A0, which no browser recognises.
    for (const name of webAddresses)
      expect([name, isAccepted(name, value)]).toEqual([name, parseUrl(value) === undefined])
  })

  const withBlanks = [
    ' https://shop.example/',
    'https://shop.example/ ',
    'https://shop.example/a b',
    'https://shop.example/a\tb',
    'https://shop.\nexample/',
    'ht\ttps://shop.example/',
    'https://shop.example/\u0000',
    'https://shop.example/\u007f',
    'https://shop.example/\u0085',
    'https://shop.example/\u00a0',
    'https://shop.example/\u2028',
    'https://shop.example/\ufeff',
    'shop://done\u0001',
  ]
  test.each(withBlanks)('with a blank or control character is refused: %j', (value) => {
    for (const name of urls) expect([name, isAccepted(name, value)]).toEqual([name, false])
  })

  test.each([
    'https://shop.example/result?order=1&a=%20',
    'shop://done',
    'http://127.0.0.1:8082/',
    'https://café.example/é',
  ])('is accepted: %j', (value) => {
    for (const name of [...urls, ...webAddresses]) expect([name, isAccepted(name, value)]).toEqual([name, true])
  })

  test.each(['www.shop.example', 'Shop, Main Street 7', 'https://shop.example/a b'])(
    'is not required of a parameter for web addresses: %j',
    (value) => {
      for (const name of webAddresses) expect([name, isAccepted(name, value)]).toEqual([name, true])
    },
  )
})
