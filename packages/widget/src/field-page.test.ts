import { expect, test } from 'vitest'
import { fieldPage, fieldPagePolicy } from './field-page.ts'

const page = {
  nonce: 'bm9uY2U=',
  scriptUrl: '/pages/assets/frame.js',
  scriptIntegrity: 'sha384-a',
  styleUrl: '/pages/assets/frame.css',
  styleIntegrity: 'sha384-b',
  lang: 'de',
  dir: 'ltr',
  title: 'Kartennummer',
} as const

test('the page of a field has a script and a style sheet, each with nonce and integrity, and nothing inline', () => {
  const html = fieldPage(page)
  expect(html.match(/<script[^]*?<\/script>/g)).toEqual([
    '<script src="/pages/assets/frame.js" integrity="sha384-a" crossorigin="anonymous" nonce="bm9uY2U="' +
      ' defer></script>',
  ])
  expect(html).toContain('integrity="sha384-b" crossorigin="anonymous" nonce="bm9uY2U="')
  expect(html).not.toMatch(/<style| style=| on\w+=/)
})

test('the page escapes its values', () => {
  const html = fieldPage({ ...page, title: '</title><script>"\'&', lang: '"><img>' })
  expect(html).toContain('&lt;/title&gt;&lt;script&gt;&quot;&#39;&amp;')
  expect(html).not.toContain('<img>')
})

test('the policy allows only scripts and styles with the nonce, and connections to the page’s own origin', () => {
  const policy = fieldPagePolicy('abc')
  for (const directive of [
    "default-src 'none'",
    "script-src 'nonce-abc'",
    "style-src 'nonce-abc'",
    "connect-src 'self'",
    "form-action 'none'",
  ]) {
    expect(policy.split('; ')).toContain(directive)
  }
  expect(policy).not.toContain('unsafe')
})
