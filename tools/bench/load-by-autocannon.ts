import autocannon from 'autocannon'
import type { Round, LoadFigures } from './round.ts'
import { bodyOf } from './workload.ts'

let count = 0

/** Runs one round of load with autocannon in this process. Latencies are whole milliseconds. */
export async function loadByAutocannon({ url, requests, connections, seconds }: Round): Promise<LoadFigures> {
  const result = await autocannon({
    url,
    connections,
    duration: seconds,
    requests: [
      {
        method: 'POST',
        path: '/v1/payments',
        setupRequest(request) {
          count += 1
          const next = requests[count % requests.length]
          if (!next) return request
          return {
            ...request,
            headers: {
              ...request.headers,
              authorization: next.authorization,
              'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
            },
            body: bodyOf(next, count),
          }
        },
      },
    ],
  })
  return {
    answers: result['2xx'],
    seconds: result.duration,
    meanMs: result.latency.average,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: {
      'answers that are not 2xx': result.non2xx,
      'failed connections': result.errors - result.timeouts,
      timeouts: result.timeouts,
    },
  }
}
