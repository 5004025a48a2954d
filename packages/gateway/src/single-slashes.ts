/** A path as the router sees it: with one slash where several were sent. */
export const withSingleSlashes = (path: string): string => path.replaceAll(/\/{2,}/g, '/')
