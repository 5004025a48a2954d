import { expect, it } from 'vitest'
import { exampleTree } from '../testing/example-tree.ts'
import { soleCaptureOf } from './sole-capture.ts'

it.each<[name: string, lines: string[], id: string | undefined]>([
  ['nothing captured', ['PA 92.00'], undefined],
  ['captured once', ['PA 92.00', 'CP 60.00'], '2'],
  ['captured twice', ['PA 92.00', 'CP 60.00', 'CP 32.00'], undefined],
  ['refunded in part', ['PA 92.00', 'CP 60.00', 'RF 10.00 of 2'], '2'],
  ['one capture reversed', ['PA 92.00', 'CP 60.00', 'RV 60.00 of 2', 'CP 92.00'], '4'],
  ['one capture declined', ['PA 92.00', 'CP 60.00 NOK', 'CP 92.00'], '3'],
  ['a capture that is pending', ['PA 92.00', 'CP 60.00 PENDING'], '2'],
  ['a second capture that is pending', ['PA 92.00', 'CP 60.00', 'CP 32.00 PENDING'], undefined],
  ['a debit', ['DB 92.00'], undefined],
])('%s: %j has the sole capture %s', (_name, lines, id) => {
  expect(soleCaptureOf(exampleTree(lines), '1')?.id).toBe(id)
})
