import { execFile } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { BenchError } from './bench-error.ts'
import { limits } from './limits.ts'
import type { Round, LoadFigures } from './round.ts'
import { killAtExit, scratch } from './clean-up.ts'
import { NUMBER_PLACEHOLDER, type PreparedRequest } from './workload.ts'

const run = promisify(execFile)
let rounds = 0

/** Runs one round of load with wrk on one thread: more threads would take processor time from the measured servers. */
export async function loadByWrk({ url, requests, connections, seconds }: Round): Promise<LoadFigures> {
  rounds += 1
  // Rounds may run at the same time, so each has a number and a script of its own.
  const round = String(rounds).padStart(3, '0')
  const script = scratch(`round-${round}.lua`)
  writeFileSync(script, luaScript(requests, round))
  const options = ['--threads', '1', '--connections', String(connections), '--duration', `${seconds}s`]
  const running = run('wrk', [...options, '--latency', '--script', script, url], {
    timeout: seconds * 1000 + limits.loadGraceMs,
    killSignal: 'SIGKILL',
  })
  killAtExit(running.child)
  const { stdout } = await running
  return figuresIn(stdout)
}

/**
 * The script of wrk. It builds each request once; before each sending it inserts only the number of the payment, which
 * is the round and the count. Every number has the length of the placeholder, so the content-length stays correct. The
 * gateway and the baseline send no 1xx or 3xx, so wrk's own count of statuses from 400 on includes all answers that are
 * not 2xx; a `response` hook would cost more than the request.
 */
function luaScript(requests: readonly PreparedRequest[], round: string): string {
  const parts = requests.map(({ authorization, body }) => {
    return `  { ${luaText(authorization)}, ${luaText(body)} },`
  })
  return `
local parts = {
${parts.join('\n')}
}
local heads, middles, tails = {}, {}, {}
function init(args)
  for index, part in ipairs(parts) do
    local whole = wrk.format('POST', '/v1/payments', {
      ['Host'] = wrk.host .. ':' .. wrk.port,
      ['Authorization'] = part[1],
      ['Content-Type'] = 'application/x-www-form-urlencoded; charset=UTF-8',
    }, part[2])
    heads[index], middles[index], tails[index] =
      whole:match('^(.-)${NUMBER_PLACEHOLDER}(.-)${NUMBER_PLACEHOLDER}(.*)$')
  end
end
local count = 0
function request()
  count = count + 1
  local index = count % #heads + 1
  local number = string.format('${round}%07d', count)
  return heads[index] .. number .. middles[index] .. number .. tails[index]
end
function done(summary, latency)
  local e = summary.errors
  io.write(string.format(
    '\\nfigures {"answers":%d,"seconds":%.6f,"meanMs":%.3f,"p50Ms":%.3f,"p99Ms":%.3f,' ..
    '"failures":{"refused connections":%d,"failed reads":%d,"failed writes":%d,' ..
    '"answers from 400 on":%d,"timeouts":%d}}\\n',
    summary.requests, summary.duration / 1e6,
    latency.mean / 1e3, latency:percentile(50) / 1e3, latency:percentile(99) / 1e3,
    e.connect, e.read, e.write, e.status, e.timeout))
end
`
}

/** The texts are ASCII, escaped by URLSearchParams or base64: their quoted JSON string is also a Lua string. */
function luaText(text: string): string {
  return JSON.stringify(text)
}

function figuresIn(output: string): LoadFigures {
  const json = /^figures (\{.*\})$/m.exec(output)?.[1]
  if (json === undefined) throw new BenchError(`wrk printed no result: ${output.slice(0, limits.outputBytes)}`)
  const figures: LoadFigures = JSON.parse(json)
  return figures
}
