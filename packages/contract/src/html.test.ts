import { expect, test } from 'vitest'
import { escapeHtml, html } from './html.ts'

test('the characters < > & and both quotes are escaped', () => {
  expect(escapeHtml(`<a href="x" title='y'>&amp;</a>`)).toBe(
    '&lt;a href=&quot;x&quot; title=&#39;y&#39;&gt;&amp;amp;&lt;/a&gt;',
  )
})

test('a template escapes texts and inserts HTML unchanged', () => {
  const items = ['a', '<b>'].map((text) => html`<li>${text}</li>`)
  expect(html`<ul class="${'"'}">${items}</ul>${undefined}${2}`.html).toBe(
    '<ul class="&quot;"><li>a</li><li>&lt;b&gt;</li></ul>2',
  )
})
