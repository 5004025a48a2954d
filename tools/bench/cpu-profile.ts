/**
 * The part of a .cpuprofile (Node's --cpu-prof, V8's format) that is read: a tree of calls, and the call of each
 * sample.
 */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
    readonly children?: readonly number[]
  }[]
  /** Microseconds of the system's monotonic clock, the one of process.hrtime. */
  readonly startTime: number
  /** The node that ran at each sample, and the microseconds between a sample and the previous one. */
  readonly samples: readonly number[]
  readonly timeDeltas: readonly number[]
}

export type Area = (typeof areas)[number]['area'] | 'gc' | 'native and other'

/** Areas by the script of a function; the first matching row counts. */
const areas = [
  {
    area: 'render',
    of: /operations\/dist\/(answer|records\/(masked-account|transaction-view))\.js|contract\/dist\/echo\.js/,
  },
  { area: 'decode and check', of: /packages\/contract\/|gateway\/dist\/http\/public\/form-body\.js/ },
  { area: 'vault', of: /packages\/vault\/|packages\/operations\/dist\/records\/account-record\.js/ },
  { area: 'commit messaging', of: /packages\/storage\/|node:internal\/(worker|per_context\/messageport)/ },
  { area: 'log', of: /gateway\/dist\/runtime\/log\.js|node_modules\/(pino|sonic-boom|safe-stable-stringify)/ },
  { area: 'domain and simulator', of: /packages\/(domain|connectors|operations)\// },
  {
    area: 'http',
    of: /gateway\/dist\/http\/|node_modules\/|node:(_http|net|http|internal\/(http|stream_base|js_stream|net))/,
  },
] as const

/** Pseudo-functions of V8. A map, because functions are called `constructor` and `toString` too. */
const pseudo = new Map<string, Area | 'idle'>([
  ['(idle)', 'idle'],
  ['(garbage collector)', 'gc'],
  ['(program)', 'native and other'],
  ['(root)', 'native and other'],
])

export interface FunctionCost {
  /** `name file:line` */
  readonly name: string
  readonly area: Area
  readonly us: number
}

export interface Costs {
  readonly busyUs: number
  readonly idleUs: number
  readonly areas: readonly { readonly area: Area; readonly us: number }[]
  /** Most expensive first; self time, without that of called functions. */
  readonly functions: readonly FunctionCost[]
}

/**
 * Adds up the self time of every function and area.
 * Functions without a file (JSON.stringify, a cipher's update) and Node's own helpers count for the area that called
 * them, which can reduce the calls.
 *
 * @param fromUs,toUs the interval to evaluate, on the profile's clock
 */
export function costsOf({ nodes, samples, timeDeltas, startTime }: CpuProfile, fromUs = 0, toUs = Infinity): Costs {
  const selfUs = new Map<number, number>()
  let atUs = startTime
  for (const [index, node] of samples.entries()) {
    // A sample's node ran from its own moment until the next one.
    atUs += timeDeltas[index] ?? 0
    if (atUs < fromUs || atUs >= toUs) continue
    selfUs.set(node, (selfUs.get(node) ?? 0) + Math.max(0, timeDeltas[index + 1] ?? 0))
  }

  const byId = new Map(nodes.map((node) => [node.id, node]))
  const parents = new Map(nodes.flatMap((node) => (node.children ?? []).map((child) => [child, node.id] as const)))
  const functions = new Map<string, FunctionCost>()
  const byArea = new Map<Area, number>()
  let idleUs = 0
  let busyUs = 0
  for (const [id, us] of selfUs) {
    const area = areaOf(id)
    if (area === 'idle') {
      idleUs += us
      continue
    }
    busyUs += us
    byArea.set(area, (byArea.get(area) ?? 0) + us)
    const name = nameOf(id)
    functions.set(`${area} ${name}`, { name, area, us: (functions.get(`${area} ${name}`)?.us ?? 0) + us })
  }
  return {
    busyUs,
    idleUs,
    areas: [...byArea].map(([area, us]) => ({ area, us })).toSorted((a, b) => b.us - a.us),
    functions: [...functions.values()].toSorted((a, b) => b.us - a.us),
  }

  function areaOf(id: number): Area | 'idle' {
    for (let at: number | undefined = id; at !== undefined; at = parents.get(at)) {
      const { functionName = '', url = '' } = byId.get(at)?.callFrame ?? {}
      const area = pseudo.get(functionName) ?? areas.find(({ of }) => of.test(url))?.area
      if (area !== undefined) return area
    }
    return 'native and other'
  }

  function nameOf(id: number): string {
    const { functionName = '', url = '', lineNumber = -1 } = byId.get(id)?.callFrame ?? {}
    const file = url.replace(/^.*\/(?=packages\/|node_modules\/)/, '').replace('/dist/', '/')
    return `${functionName || '(anonymous)'}${file && ` ${file}:${lineNumber + 1}`}`
  }
}
