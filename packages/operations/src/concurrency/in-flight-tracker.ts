/** The operations that began between two calls of `settled`. */
interface Generation {
  count: number
  onEmpty: (() => void) | undefined
}

/** Counts operations in flight, and resolves when all that were in flight at one moment have ended. */
export interface InFlightTracker {
  /** An operation begins. @returns what `leave` takes when it has ended */
  enter(): Generation
  leave(generation: Generation): void
  /** Resolves when every operation that has begun so far has ended; later ones are not waited for. */
  settled(): Promise<void>
}

/** A tracker with nothing in flight. */
export function createInFlightTracker(): InFlightTracker {
  let present: Generation = { count: 0, onEmpty: undefined }
  let past = Promise.resolve()
  return {
    enter() {
      present.count += 1
      return present
    },
    leave(generation) {
      generation.count -= 1
      if (generation.count === 0) generation.onEmpty?.()
    },
    settled() {
      const ending = present
      if (ending.count === 0) return past
      present = { count: 0, onEmpty: undefined }
      const empty = new Promise<void>((resolve) => {
        ending.onEmpty = resolve
      })
      past = Promise.all([past, empty]).then(() => undefined)
      return past
    },
  }
}
