/**
 * Returns a function that runs a piece of work when the current turn of the event loop has read all sockets, after the
 * other pieces of the turn. Requests that arrive together then pass the same code one after another, so that it is in
 * the processor's caches, and share the batches of vault and storage. The work must not throw.
 *
 * @param later runs a function once the turn has read all sockets
 */
export function createRunTogether(later: (work: () => void) => void): (work: () => void) => void {
  let waiting: (() => void)[] = []
  function runAll(): void {
    const works = waiting
    waiting = []
    for (const work of works) work()
  }
  return (work) => {
    if (waiting.length === 0) later(runAll)
    waiting.push(work)
  }
}
