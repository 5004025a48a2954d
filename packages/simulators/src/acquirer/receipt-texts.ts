/**
 * The host's texts for the receipt of a terminal, by response code: letters and digits only. After other responses the
 * terminal has the text of the gateway.
 */
export const receiptTexts: Readonly<Record<string, string>> = {
  '01': 'CALLISSUER',
  '10': 'PARTIALAPPROVAL',
  '41': 'CAPTURECARD',
  '43': 'CAPTURECARD',
  '51': 'INSUFFICIENTFUNDS',
  '54': 'EXPIREDCARD',
  '55': 'WRONGPIN',
  '61': 'LIMITEXCEEDED',
  '65': 'INSERTCARD',
  '70': 'ENTERPIN',
  '75': 'PINBLOCKED',
  '91': 'ISSUERUNAVAILABLE',
}
