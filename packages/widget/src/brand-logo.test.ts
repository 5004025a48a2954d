import { brands } from '@tollgate/contract'
import { expect, test } from 'vitest'
import { brandLogo } from './brand-logo.ts'

test.each(Object.entries(brands))('the logo of %s is small and has no scripts or references', (code, { name }) => {
  const svg = brandLogo(code, name)
  expect(svg).toMatch(/^<svg xmlns="http:\/\/www\.w3\.org\/2000\/svg" viewBox="0 0 48 32"[^]*<\/svg>\n$/)
  expect(svg).not.toMatch(/script|href|url\(| on\w+=|&(?!\w+;)/)
  expect(svg.length).toBeLessThan(600)
})
