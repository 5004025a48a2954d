import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { limits } from './limits.ts'
import { pathBelow, resolvePath } from './virtual-path.ts'

const resolve = (text: string) => resolvePath(Buffer.from(text))

describe('a path of a client', () => {
  test.each([
    ['.', '/'],
    ['', '/'],
    ['/', '/'],
    ['..', '/'],
    ['../../..', '/'],
    ['/..//../', '/'],
    ['a', '/a'],
    ['/a/./b//c/', '/a/b/c'],
    ['/a/../b', '/b'],
    ['a/../../../etc/passwd', '/etc/passwd'],
    ['/...', '/...'],
    ['/a/.. /b', '/a/.. /b'],
    ['ä/日本', '/ä/日本'],
    ['%2e%2e/a', '/%2e%2e/a'],
  ])('%j is resolved to %j', (sent, path) => expect(resolve(sent)).toBe(path))

  test.each([
    ['a NUL', 'a\0b'],
    ['a line feed', 'a\nb'],
    ['DEL', 'a\u007f'],
    ['a backslash', '..\\..\\etc'],
    ['a name that is too long', 'x'.repeat(limits.nameBytesMax + 1)],
    ['a path that is too long', 'x/'.repeat(limits.pathBytesMax / 2 + 1)],
  ])('with %s is refused', (_, sent) => expect(resolve(sent)).toBeUndefined())

  test('that is not UTF-8 is refused', () => {
    expect(resolvePath(Buffer.from([0x61, 0xff]))).toBeUndefined()
    // An overlong form of `/` and a surrogate.
    expect(resolvePath(Buffer.from([0xc0, 0xaf]))).toBeUndefined()
    expect(resolvePath(Buffer.from([0xed, 0xa0, 0x80]))).toBeUndefined()
  })

  test('never leaves the root, whatever it is', () => {
    const part = fc.oneof(fc.constantFrom('..', '.', '', '/', '\\', '\0', 'a'), fc.string({ unit: 'binary' }))
    fc.assert(
      fc.property(fc.array(part), fc.constantFrom('/', ''), (parts, separator) => {
        const path = resolve(parts.join(separator))
        if (path === undefined) return
        expect(path).toMatch(/^\//)
        expect(`${path}/`).not.toMatch(/\/\.{1,2}\/|\/\/.|[\\\0]/)
        expect(resolve(path)).toBe(path)
        expect(pathBelow('/root', path)).toMatch(/^\/root(?:\/|$)/)
      }),
    )
  })
})
