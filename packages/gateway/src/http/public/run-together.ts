/**
 * Returns a function that queues work until the current turn of the event loop has read all sockets, and then runs it
 * in the order of arrival. Requests that arrive together then pass the same code one after another, while it is in the
 * processor's caches, and share the batches of vault and storage. The queue has at most the requests without an answer,
 * which are bounded. Work must not throw, because the rest of the queue would be lost.
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
