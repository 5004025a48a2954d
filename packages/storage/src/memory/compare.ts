/** The order of texts by their UTF-16 units. */
export const compare = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
