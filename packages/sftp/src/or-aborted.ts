/**
 * Waits for an event.
 *
 * @param start starts to wait, and calls its argument at the event
 * @returns resolves at the event, or when the signal aborts
 */
export function orAborted(signal: AbortSignal, start: (onEvent: () => void) => void): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve()
    const end = (): void => {
      signal.removeEventListener('abort', end)
      resolve()
    }
    signal.addEventListener('abort', end)
    start(end)
  })
}
