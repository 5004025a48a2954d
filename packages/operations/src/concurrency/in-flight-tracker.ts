/** What began between two questions whether it has settled. */
interface Generation {
  count: number
  onEmpty: (() => void) | undefined
}

/** Counts what is under way, and tells when all that was under way at one moment has ended. */
export interface InFlightTracker {
  /** Something begins; what is returned goes to `leave` when it has ended. */
  enter(): Generation
  leave(generation: Generation): void
  /** Resolves when everything that has begun so far has ended, whatever begins meanwhile. */
  settled(): Promise<void>
}

/** A counter with nothing under way. */
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
