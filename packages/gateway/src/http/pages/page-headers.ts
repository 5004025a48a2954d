/** Where browsers report what a page of ours would not let them do. */
export const REPORTS = '/pages/reports'

/** The end of every policy: older browsers know `report-uri`, others the name that `reporting-endpoints` gives. */
const REPORTED = `report-uri ${REPORTS}; report-to reports`

export const reported = (policy: string): string => `${policy}; ${REPORTED}`

/** Nothing of a page that says one sentence may be loaded, framed or remembered. */
export const pageHeaders = {
  'content-security-policy': reported(
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  ),
  'reporting-endpoints': `reports="${REPORTS}"`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const
