/** From this amount on, in minor units of any currency, the last two digits may select a response code. */
export const outcomeAmountMinor = 1_000_000

/**
 * The response codes of requests (0100, 0200) by the last two digits of their amount: 10,000.51 is declined with 51.
 * Other digits have no effect. Advices and reversals are never declined by their amount.
 */
export const amountOutcomes: Readonly<Record<string, string>> = {
  '01': '01',
  '03': '03',
  '04': '04',
  '05': '05',
  '06': '06',
  '09': '09',
  '12': '12',
  '13': '13',
  '14': '14',
  '15': '15',
  '19': '19',
  '30': '30',
  '41': '41',
  '43': '43',
  '46': '46',
  '51': '51',
  '54': '54',
  '55': '55',
  '57': '57',
  '58': '58',
  '59': '59',
  '61': '61',
  '62': '62',
  '63': '63',
  '64': '64',
  '65': '65',
  '68': '68',
  '70': '70',
  '71': '1A',
  '72': 'N7',
  '73': 'R0',
  '74': 'R1',
  '75': '75',
  '76': 'R3',
  '77': '6P',
  '78': '78',
  '79': '79',
  '82': '82',
  '83': '83',
  '91': '91',
  '92': '92',
  '93': '93',
  '94': '94',
  '96': '96',
  '98': '98',
}

/** The response code that an amount selects; undefined if it selects none. */
export function outcomeOfAmount(amountMinor: number): string | undefined {
  return amountMinor < outcomeAmountMinor ? undefined : amountOutcomes[String(amountMinor % 100).padStart(2, '0')]
}
