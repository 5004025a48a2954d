/**
 * Keyed single-flight with one trailing run: calls during a run share one further run, which begins when the current
 * run ends, because the current run may have missed the change that caused the call.
 *
 * @returns a function that runs the `work` of a `key`, at most one run at a time
 */
export function createSingleFlight<T>(): (key: string, work: () => Promise<T>) => Promise<T> {
  /** The run in flight of each key, and its trailing run if there is one. */
  const inFlight = new Map<string, { readonly now: Promise<T>; next: Promise<T> | undefined }>()

  function begin(key: string, work: () => Promise<T>): Promise<T> {
    const now = work()
    const run: { readonly now: Promise<T>; next: Promise<T> | undefined } = { now, next: undefined }
    inFlight.set(key, run)
    const end = () => {
      if (!run.next) inFlight.delete(key)
    }
    void now.then(end, end)
    return now
  }

  return (key, work) => {
    const run = inFlight.get(key)
    if (!run) return begin(key, work)
    const beginTrailingRun = () => begin(key, work)
    return (run.next ??= run.now.then(beginTrailingRun, beginTrailingRun))
  }
}
