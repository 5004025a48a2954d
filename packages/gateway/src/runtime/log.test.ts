import { expect, test } from 'vitest'
import { limits } from '../limits.ts'
import { createLog } from './log.ts'

const logWith = (threshold: 'debug' | 'info' | 'error' | 'silent') => {
  const blocks: string[] = []
  return { log: createLog(threshold, (lines) => blocks.push(lines)), blocks }
}
const linesOf = (blocks: readonly string[]) =>
  blocks
    .join('')
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line))

test('a line is a JSON object with its level, time and fields', () => {
  const { log, blocks } = logWith('info')
  log.info({ operation: 'create"Payment\n', ms: 1.25 })
  log.error({ error: 'TypeError' })
  log.flush()
  expect(linesOf(blocks)).toEqual([
    {
      level: 'info',
      time: expect.stringMatching(/^\d{4}-\d\d-\d\dT[\d:.]+Z$/),
      operation: 'create"Payment\n',
      ms: 1.25,
    },
    { level: 'error', time: expect.any(String), error: 'TypeError' },
  ])
})

test.each([
  ['debug', ['info', 'error']],
  ['info', ['info', 'error']],
  ['error', ['error']],
  ['silent', []],
] as const)('at the threshold %s the levels %j are written', (threshold, levels) => {
  const { log, blocks } = logWith(threshold)
  log.info({ a: 1 })
  log.error({ a: 1 })
  log.flush()
  expect(linesOf(blocks).map(({ level }) => level)).toEqual(levels)
})

test('whole lines are written in blocks, and flush writes the rest once', () => {
  const { log, blocks } = logWith('info')
  const text = 'x'.repeat(100)
  for (let n = 0; n < 200; n += 1) log.info({ n, text })
  const early = blocks.length
  log.flush()
  log.flush()
  expect(early).toBeGreaterThan(1)
  expect(blocks).toHaveLength(early + 1)
  for (const block of blocks) {
    expect(block.endsWith('\n')).toBe(true)
    expect(block.length).toBeLessThan(limits.logBlockChars + 300)
  }
  expect(linesOf(blocks).map(({ n }) => n)).toEqual(Array.from({ length: 200 }, (_, n) => n))
})
