/** Compares two texts by their UTF-16 code units, as `<` does. */
export const compareCodeUnits = (a: string, b: string): number => (a < b ? -1 : Number(a > b))
