import type { ResultCode } from '@tollgate/contract'
import { describe, expect, it } from 'vitest'
import { httpStatusOf, refusalHttpStatus, statusOf } from './result.ts'

describe('the status of a code', () => {
  it.each<[code: ResultCode, status: string, httpStatus: number]>([
    ['000.100.110', 'ACK', 200],
    ['000.000.001', 'ACK', 200],
    ['000.400.020', 'ACK', 200],
    ['000.200.000', 'PENDING', 200],
    ['800.400.500', 'PENDING', 200],
    ['000.100.203', 'ACK', 200],
    ['800.100.152', 'NOK', 400],
    ['100.100.101', 'NOK', 400],
    ['900.100.300', 'NOK', 400],
    ['300.100.100', 'NOK', 400],
  ])('%s is %s, HTTP %d', (code, status, httpStatus) => {
    expect([statusOf(code), httpStatusOf(code)]).toEqual([status, httpStatus])
  })

  it('is HTTP 400 for a refusal and HTTP 404 for an unknown reference', () => {
    expect(refusalHttpStatus).toEqual({ refused: 400, unknown: 404 })
  })
})
