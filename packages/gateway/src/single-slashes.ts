/** A path as the router matches it: repeated slashes become one. */
export const withSingleSlashes = (path: string): string => path.replaceAll(/\/{2,}/g, '/')
