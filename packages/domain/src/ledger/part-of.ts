/** The part of an amount in millionths, rounded half up. The product of both numbers may exceed the exact integers. */
export function partOf(amountMinor: number, millionths: number): number {
  if (millionths === 0) return 0
  return Number((BigInt(amountMinor) * BigInt(millionths) + 500_000n) / 1_000_000n)
}
