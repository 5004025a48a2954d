import { expect, it } from 'vitest'
import { type CpuProfile, costsOf } from './cpu-profile.ts'

const frame = (functionName: string, url = '', lineNumber = -1) => ({ functionName, url, lineNumber })

/** root → handler (http) → seal (vault) → constructor (native); root → idle, gc. */
const profile: CpuProfile = {
  nodes: [
    { id: 1, callFrame: frame('(root)'), children: [2, 5, 6] },
    { id: 2, callFrame: frame('handler', 'file:///x/packages/gateway/dist/http/public/server.js', 9), children: [3] },
    { id: 3, callFrame: frame('seal', 'file:///x/packages/vault/dist/vault.js', 19), children: [4] },
    { id: 4, callFrame: frame('constructor') },
    { id: 5, callFrame: frame('(idle)') },
    { id: 6, callFrame: frame('(garbage collector)') },
  ],
  startTime: 1000,
  samples: [2, 3, 4, 4, 5, 6, 5],
  timeDeltas: [0, 10, 20, 30, 40, 50, 60],
}

it('a sample counts until the next one, and a function without a file counts for the area of its caller', () => {
  const { busyUs, idleUs, areas } = costsOf(profile)
  expect({ busyUs, idleUs, areas }).toEqual({
    busyUs: 160,
    idleUs: 50,
    areas: [
      { area: 'vault', us: 90 },
      { area: 'gc', us: 60 },
      { area: 'http', us: 10 },
    ],
  })
})

it('functions are named by file and line, the most expensive first', () => {
  expect(costsOf(profile).functions).toEqual([
    { name: 'constructor', area: 'vault', us: 70 },
    { name: '(garbage collector)', area: 'gc', us: 60 },
    { name: 'seal packages/vault/vault.js:20', area: 'vault', us: 20 },
    { name: 'handler packages/gateway/http/public/server.js:10', area: 'http', us: 10 },
  ])
})

it('only samples in the given interval are counted', () => {
  const { busyUs, functions } = costsOf(profile, 1010, 1030)
  expect({ busyUs, names: functions.map(({ name }) => name) }).toEqual({
    busyUs: 20,
    names: ['seal packages/vault/vault.js:20'],
  })
})
