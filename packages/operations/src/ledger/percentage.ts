/** Millionths of a percentage with up to four decimals: 1.25 % are 12,500 millionths. */
export function millionthsOf(percent: string): number {
  const [whole = '0', decimals = ''] = percent.split('.')
  return Number(whole) * 10_000 + Number(decimals.padEnd(4, '0'))
}
