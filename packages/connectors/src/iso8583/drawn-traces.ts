import { limits } from './requests/limits.ts'
import type { Trace } from './trace.ts'

/** The traces of drawn references, so that the message that follows does not parse their JSON. */
export interface DrawnTraces {
  readonly add: (sentAs: string, trace: Trace) => void
  /** @returns each trace once; undefined if there is none with these references */
  readonly take: (sentAs: string) => Trace | undefined
}

/** Traces by the text of their references: the oldest ones, whose messages were not sent, make room for new ones. */
export function createDrawnTraces(): DrawnTraces {
  const traces = new Map<string, Trace>()
  return {
    add(sentAs, trace) {
      const [oldest] = traces.size < limits.drawnTracesMax ? [] : traces.keys()
      if (oldest !== undefined) traces.delete(oldest)
      traces.set(sentAs, trace)
    },
    take(sentAs) {
      const trace = traces.get(sentAs)
      traces.delete(sentAs)
      return trace
    },
  }
}
