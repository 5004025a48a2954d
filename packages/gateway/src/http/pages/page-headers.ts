/** The address to which browsers report violations of a page's policy. */
export const REPORTS_PATH = '/pages/reports'

/** The end of every policy: older browsers support `report-uri`, newer browsers a name in `reporting-endpoints`. */
const REPORT_DIRECTIVES = `report-uri ${REPORTS_PATH}; report-to reports`

export const withReporting = (policy: string): string => `${policy}; ${REPORT_DIRECTIVES}`

/** Default headers of pages: a page loads nothing, cannot be framed and is not cached, unless it replaces a header. */
export const pageHeaders = {
  'content-security-policy': withReporting(
    "default-src 'none'; frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
  ),
  'reporting-endpoints': `reports="${REPORTS_PATH}"`,
  'referrer-policy': 'no-referrer',
  'x-content-type-options': 'nosniff',
  'cache-control': 'no-store',
} as const
