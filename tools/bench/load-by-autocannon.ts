import autocannon from 'autocannon'
import type { Round, LoadFigures } from './round.ts'
import { REFERENCE_PLACEHOLDER } from './workload.ts'

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
          const { authorization, body } = next
          return {
            ...request,
            headers: {
              ...request.headers,
              authorization,
              'content-type': 'application/x-www-form-urlencoded; charset=UTF-8',
            },
            body: body.replace(REFERENCE_PLACEHOLDER, `order-${String(count).padStart(16, '0')}`),
          }
        },
      },
    ],
  })
  return {
    answers: result['2xx'],
    seconds: result.duration,
    p50Ms: result.latency.p50,
    p99Ms: result.latency.p99,
    failures: {
      'answers that are not 2xx': result.non2xx,
      'failed connections': result.errors - result.timeouts,
      timeouts: result.timeouts,
    },
  }
}
