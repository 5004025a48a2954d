import type { CardBrandCode } from './brands.ts'

/** The numbers of a card brand, and the rules of its network. */
export interface CardBrand {
  /** Leading digits of its numbers, `51-55 2221-2720`; empty when the brand has no ranges of its own. */
  readonly ranges: string
  /** Permitted numbers of digits, `13 16 18-19`. */
  readonly lengths: string
  /** Whether every number ends in a Luhn check digit (ISO/IEC 7812-1). */
  readonly luhn: boolean
  readonly cvvLength: 3 | 4
  /** Whether an authorisation may be captured in several parts. */
  readonly multipleCaptures: boolean
  /** Whether its ranges exclude the narrower ranges of other networks within them. */
  readonly residual: boolean
  /** Co-brands: the networks whose numbers may have this brand too, as the shopper or the merchant chooses. */
  readonly networks: readonly CardBrandCode[]
}

const scheme = (ranges: string, lengths: string, more: Partial<CardBrand> = {}): CardBrand => ({
  ranges,
  lengths,
  luhn: true,
  cvvLength: 3,
  multipleCaptures: false,
  residual: false,
  networks: [],
  ...more,
})
const coBrand = (...networks: CardBrandCode[]): CardBrand => scheme('', '12-19', { networks })
/** A brand whose ranges are not public: `paymentBrand` has to name it, because it is never detected from a number. */
const storeCard = scheme('', '8-19')

/**
 * The card brands. Ranges are the published ones of each scheme; if they overlap, the longest prefix takes precedence.
 */
export const cardBrands: Readonly<Record<CardBrandCode, CardBrand>> = {
  AIRPLUS: scheme('122 192', '15', { networks: ['MASTER'] }),
  ALIA: storeCard,
  ALIADEBIT: storeCard,
  AMEX: scheme('34 37', '15', { cvvLength: 4, multipleCaptures: true }),
  ARGENCARD: scheme('501105', '16'),
  AXP: scheme('', '15', { cvvLength: 4, multipleCaptures: true, networks: ['AMEX'] }),
  BCMC: scheme('479658 606005 6703', '16-19', { networks: ['VISA', 'MASTER', 'MAESTRO'] }),
  CABAL: scheme('589657 604201-604219', '16'),
  CABALDEBIT: coBrand('CABAL'),
  CARNET: scheme('286900 502275 506199-506499 627535 636318 636379 639388 639484 639559', '16'),
  CARTEBANCAIRE: scheme('', '12-19', { multipleCaptures: true, networks: ['VISA', 'MASTER', 'MAESTRO'] }),
  CARTEBLEUE: coBrand('VISA'),
  CASHLINKMALTA: storeCard,
  CENCOSUD: scheme('603493', '16'),
  COSMOPROF_RCC: storeCard,
  DANKORT: scheme('5019', '16', { networks: ['VISA'] }),
  DINERS: scheme('300-305 3095 36 38-39', '14-19', { multipleCaptures: true }),
  DISCOVER: scheme('6011 644-649 65', '16-19', { multipleCaptures: true }),
  ELO: scheme(
    '401178-401179 431274 438935 451416 457393 457631-457632 504175 506699-506778 509000-509999 627780 636297 636368 ' +
      '650031-650033 650035-650051 650405-650439 650485-650538 650541-650598 650700-650718 650720-650727 ' +
      '650901-650978 651652-651679 655000-655019 655021-655058',
    '16',
    { networks: ['VISA', 'MASTER', 'DISCOVER'] },
  ),
  HIPERCARD: scheme('384100 384140 384160 606282', '13 16 19'),
  JAYWAN: coBrand('VISA', 'MASTER', 'DISCOVER', 'UNIONPAY'),
  JCB: scheme('3528-3589', '16-19', { multipleCaptures: true }),
  MADA: scheme(
    '400861 401757 407197 407395 409201 410685 412565 417633 419593 422817-422819 428331 428671-428673 431361 ' +
      '432328 434107 439954 440533 440647 440795 445564 446393 446404 446672 455036 455708 457865 458456 462220 ' +
      '468540-468543 483010-483012 484783 486094-486096 489317-489319 493428 504300 508160 513213 520058 521076 ' +
      '524130 524514 529415 529741 530060 530906 531095 531196 532013 535825 535989 536023 537767 539931 543085 ' +
      '543357 549760 554180 557606 558848 585265 588845-588851 588982-588983 589005 589206 604906 605141 636120 ' +
      '968201-968211',
    '16',
    { networks: ['VISA', 'MASTER'] },
  ),
  MAESTRO: scheme('50 56-58 6', '12-19', { residual: true }),
  MASTER: scheme('51-55 2221-2720', '16', { multipleCaptures: true }),
  MASTERDEBIT: coBrand('MASTER'),
  MERCADOLIVRE: coBrand('VISA', 'MASTER'),
  MIR: scheme('2200-2204', '16-19'),
  NARANJA: scheme('402918 527572 589562', '16'),
  NATIVA: scheme('487017 520053 546553', '16', { networks: ['VISA', 'MASTER'] }),
  OMANNET: coBrand('VISA', 'MASTER'),
  PETCO_MASTERCARD: coBrand('MASTER'),
  PETCO_UPLCC: storeCard,
  PMICHAELS_PLCC: storeCard,
  PROSTIR: scheme('9804', '16-19'),
  RUPAY: scheme('508500-508999 606985-607984 608001-608500 652150-653149 817200-820199', '16', {
    networks: ['DISCOVER', 'JCB'],
  }),
  SCHEELS: storeCard,
  SERVIRED: coBrand('VISA', 'MASTER', 'MAESTRO'),
  STAPLES: storeCard,
  TARJETASHOPPING: scheme('603488', '16'),
  TCARD: storeCard,
  TCARDDEBIT: storeCard,
  TRADE_UK: storeCard,
  TROY: scheme('9792', '16', { networks: ['DISCOVER'] }),
  UNIONPAY: scheme('62 810-817', '14-19', { luhn: false, multipleCaptures: true }),
  UNIONPAY_SMS: scheme('', '14-19', { luhn: false, networks: ['UNIONPAY'] }),
  VISA: scheme('4', '13 16 18-19', { multipleCaptures: true }),
  VISADEBIT: coBrand('VISA'),
  VISAELECTRON: coBrand('VISA'),
  VPAY: coBrand('VISA'),
}

/** Published ranges of networks without a brand in the table: Verve and Hiper. */
export const otherNetworks = '506099-506198 507865-507964 637095 637568 637599 637609 637612'
