/**
 * The parts of a .cpuprofile (Node's --cpu-prof, V8's format) that the benchmark reads: a tree of calls, and the call
 * of each sample.
 */
export interface CpuProfile {
  readonly nodes: readonly {
    readonly id: number
    readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
    readonly children?: readonly number[]
  }[]
  /** Microseconds of the system's monotonic clock, which is also the clock of process.hrtime. */
  readonly startTime: number
  /** The id of the node that ran at each sample. */
  readonly samples: readonly number[]
  /** The microseconds between each sample and the previous one. */
  readonly timeDeltas: readonly number[]
}

export type Area = (typeof areas)[number]['area'] | 'gc' | 'native and other'

/** Areas by the URL of the script that contains a function; the first matching row counts. */
const areas = [
  {
    area: 'render',
    script: /operations\/dist\/(answer|records\/(masked-account|transaction-view))\.js|contract\/dist\/echo\.js/,
  },
  { area: 'decode and check', script: /packages\/contract\/|gateway\/dist\/http\/public\/form-body\.js/ },
  { area: 'vault', script: /packages\/vault\/|packages\/operations\/dist\/records\/account-record\.js/ },
  { area: 'commit messaging', script: /packages\/storage\/|node:internal\/(worker|per_context\/messageport)/ },
  { area: 'log', script: /gateway\/dist\/runtime\/log\.js|node_modules\/(pino|sonic-boom|safe-stable-stringify)/ },
  { area: 'domain and simulator', script: /packages\/(domain|connectors|operations)\// },
  {
    area: 'http',
    script: /gateway\/dist\/http\/|node_modules\/|node:(_http|net|http|internal\/(http|stream_base|js_stream|net))/,
  },
] as const

/**
 * Pseudo-functions of V8. The table is a map, because an object would find its inherited properties for a function that
 * is named `constructor` or `toString`.
 */
const pseudoFunctions = new Map<string, Area | 'idle'>([
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
  /** The most expensive functions first, by self time: without the time of called functions. */
  readonly functions: readonly FunctionCost[]
}

/**
 * Adds up the self time of every function and area.
 * Functions without a file (JSON.stringify, a cipher's update) and scripts that match no area count for the area that
 * called them, because that area determines the number of calls.
 *
 * @param fromUs,toUs the interval to evaluate, on the profile's clock
 */
export function costsOf({ nodes, samples, timeDeltas, startTime }: CpuProfile, fromUs = 0, toUs = Infinity): Costs {
  const selfUs = new Map<number, number>()
  let atUs = startTime
  for (const [index, node] of samples.entries()) {
    // The node of a sample ran from this sample until the next one.
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
    for (let nodeId: number | undefined = id; nodeId !== undefined; nodeId = parents.get(nodeId)) {
      const { functionName = '', url = '' } = byId.get(nodeId)?.callFrame ?? {}
      const area = pseudoFunctions.get(functionName) ?? areas.find(({ script }) => script.test(url))?.area
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
