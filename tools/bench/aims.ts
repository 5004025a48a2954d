/** Design aims on 2 cores, and the minima that are required. */
export interface Aim {
  readonly aim: number
  readonly floor: number
  readonly better: 'higher' | 'lower'
}

export const aims = {
  ratio: { aim: 0.5, floor: 0.35, better: 'higher' },
  p99Ms: { aim: 25, floor: 50, better: 'lower' },
  postgresRatio: { aim: 1.5, floor: 1, better: 'higher' },
  storedRatio: { aim: 0.9, floor: 0.7, better: 'higher' },
  queryP99Ms: { aim: 5, floor: 10, better: 'lower' },
  queryPageMs: { aim: 30, floor: 60, better: 'lower' },
  firstPaymentMs: { aim: 2000, floor: 5000, better: 'lower' },
  residentMb: { aim: 250, floor: 500, better: 'lower' },
  deliveriesPerSecond: { aim: 3000, floor: 2000, better: 'higher' },
  lagP99Ms: { aim: 1000, floor: 2000, better: 'lower' },
  loaderKb: { aim: 6, floor: 6, better: 'lower' },
  frameKb: { aim: 35, floor: 35, better: 'lower' },
  othersLagRatio: { aim: 1.2, floor: 1.5, better: 'lower' },
} as const satisfies Record<string, Aim>

/** A remark for the reader, without an effect on the exit status. */
export function standing(
  value: number,
  { aim, floor, better }: Aim,
): 'aim met' | 'between aim and floor' | 'below floor' {
  const reaches = (bound: number) => (better === 'higher' ? value >= bound : value <= bound)
  if (reaches(aim)) return 'aim met'
  return reaches(floor) ? 'between aim and floor' : 'below floor'
}
