import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { brands, widgetTexts } from '@tollgate/contract'
import { describe, expect, test } from 'vitest'
import { assetIndex, assetText } from './fake-gateway.ts'

const kilobytes = (name: string): number => gzipSync(assetText(name), { level: 9 }).length / 1_000

describe('bundles of the widget', () => {
  test.each([
    ['paymentWidgets.js', 4],
    ['form.js', 13],
    ['frame.js', 35],
    ['widget.css', 4],
    ['frame.css', 1],
  ] as const)('%s has at most %i kB when compressed', (name, kilobytesMax) =>
    expect(kilobytes(name)).toBeLessThanOrEqual(kilobytesMax),
  )

  test('have the digests in the index, which describes scripts, style sheets and images', () => {
    for (const [name, { type, sha384 }] of Object.entries(assetIndex)) {
      expect([name, sha384]).toEqual([name, createHash('sha384').update(assetText(name)).digest('base64')])
      expect(type).toMatch(/^(?:text\/(?:javascript|css); charset=utf-8|image\/svg\+xml)$/)
    }
  })

  test.each([
    ['paymentWidgets.js', 'form.js'],
    ['form.js', 'widget.css'],
  ])('%s requests %s with its digest', (importer, asset) =>
    expect(assetText(importer)).toContain(`sha384-${assetIndex[asset]?.sha384}`),
  )

  test('contain a logo of every brand', () =>
    expect(Object.keys(brands).filter((code) => !assetIndex[`logos/${code}.svg`])).toEqual([]))

  test.each(['paymentWidgets.js', 'form.js', 'frame.js'])('%s does not turn text into markup or code', (name) =>
    expect(assetText(name)).not.toMatch(
      /innerHTML|outerHTML|insertAdjacentHTML|document\.write|\beval\b|new Function|srcdoc/,
    ),
  )

  test('use only error texts that exist', () => {
    const keys = new Set(assetText('form.js').match(/\berror[A-Z]\w+\b/g))
    expect([...keys].filter((key) => !(key in widgetTexts.en) && key !== 'reportError')).toEqual([])
    expect(keys.size).toBeGreaterThan(5)
  })
})
