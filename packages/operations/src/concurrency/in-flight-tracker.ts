/** The operations that began between two calls of `inFlightEnded`. */
interface Generation {
  count: number
  onEmpty: (() => void) | undefined
}

/** Counts operations in flight, so that a caller can wait until those that began before its call have ended. */
export interface InFlightTracker {
  /** Called when an operation begins. @returns the argument of `leave` when the operation ends */
  enter(): Generation
  leave(generation: Generation): void
  /** Resolves when every operation that has begun so far has ended, without waiting for later operations. */
  inFlightEnded(): Promise<void>
}

/** Creates a tracker without operations in flight. */
export function createInFlightTracker(): InFlightTracker {
  let current: Generation = { count: 0, onEmpty: undefined }
  let earlier = Promise.resolve()
  return {
    enter() {
      current.count += 1
      return current
    },
    leave(generation) {
      generation.count -= 1
      if (generation.count === 0) generation.onEmpty?.()
    },
    inFlightEnded() {
      const ending = current
      if (ending.count === 0) return earlier
      current = { count: 0, onEmpty: undefined }
      const empty = new Promise<void>((resolve) => {
        ending.onEmpty = resolve
      })
      earlier = Promise.all([earlier, empty]).then(() => undefined)
      return earlier
    },
  }
}
