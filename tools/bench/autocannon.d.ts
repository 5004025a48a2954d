/** The part of autocannon 9 that the benchmark uses; the package has no types. */
declare module 'autocannon' {
  interface Request {
    readonly method?: string
    readonly path?: string
    readonly headers?: Readonly<Record<string, string>>
    readonly body?: string
    /** Called for every request that is sent. */
    readonly setupRequest?: (request: Request) => Request
  }

  interface Result {
    readonly '2xx': number
    readonly non2xx: number
    readonly errors: number
    readonly timeouts: number
    /** Seconds. */
    readonly duration: number
    /** Milliseconds; the percentiles are whole. */
    readonly latency: { readonly average: number; readonly p50: number; readonly p99: number }
  }

  export default function autocannon(options: {
    readonly url: string
    readonly connections: number
    readonly duration: number
    readonly requests: readonly Request[]
  }): Promise<Result>
}
