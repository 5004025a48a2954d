import type { PaymentMethod } from './payment-methods.ts'
import { isKeyOf } from './is-key-of.ts'

/** The kind of a brand, which determines the parameters of its account, such as `card.*` or `bankAccount.*`. */
export type BrandKind =
  | 'card'
  | 'wallet'
  | 'directDebit'
  | 'onlineTransfer'
  | 'virtualAccount'
  | 'invoice'
  | 'prepayment'
  | 'voucher'
  | 'giftCard'
  | 'other'

/** One value of `paymentBrand`. */
export interface Brand {
  readonly kind: BrandKind
  /**
   * `sync`: the first answer is final, unless 3-D Secure follows. `async`: the first answer is pending, and the shopper
   * is sent to `redirect.url`, unless the request identifies an account or an agreement.
   */
  readonly flow: 'sync' | 'async'
  readonly name: string
  /** The payment method, if other than that of the kind: DC for debit cards. */
  readonly method?: PaymentMethod
  /** The provider requires an identification document (contract: `customer.identificationDocType`). */
  readonly identification?: true
}

/** The payment method of each kind, by which queries find transactions. */
const kindMethods: Readonly<Record<BrandKind, PaymentMethod>> = {
  card: 'CC',
  wallet: 'WA',
  directDebit: 'DD',
  onlineTransfer: 'OT',
  virtualAccount: 'VA',
  invoice: 'IV',
  prepayment: 'PP',
  voucher: 'PP',
  giftCard: 'VA',
  other: 'VA',
}

/** Every brand, sorted. */
const table = {
  ACI_INSTANTPAY: { kind: 'onlineTransfer', flow: 'async', name: 'Pay by Bank' },
  AFFIRM: { kind: 'invoice', flow: 'async', name: 'Affirm' },
  AFTERPAY: { kind: 'invoice', flow: 'sync', name: 'Afterpay' },
  AIRPLUS: { kind: 'card', flow: 'sync', name: 'AirPlus' },
  ALIA: { kind: 'card', flow: 'sync', name: 'Alia' },
  ALIADEBIT: { kind: 'card', flow: 'sync', name: 'Alia Debit', method: 'DC' },
  ALIPAY: { kind: 'wallet', flow: 'async', name: 'Alipay' },
  AMEX: { kind: 'card', flow: 'sync', name: 'American Express' },
  APOSTAR: { kind: 'voucher', flow: 'async', name: 'Apostar' },
  APPLEPAY: { kind: 'wallet', flow: 'sync', name: 'Apple Pay' },
  APPLEPAYTKN: { kind: 'wallet', flow: 'sync', name: 'Apple Pay, network token' },
  ARGENCARD: { kind: 'card', flow: 'sync', name: 'Argencard' },
  ASTROPAY_STREAMLINE_CASH: { kind: 'voucher', flow: 'async', name: 'AstroPay Cash', identification: true },
  ASTROPAY_STREAMLINE_OT: {
    kind: 'onlineTransfer',
    flow: 'async',
    name: 'AstroPay Online Transfer',
    identification: true,
  },
  AXP: { kind: 'card', flow: 'sync', name: 'American Express, second contract' },
  BALOTO: { kind: 'voucher', flow: 'async', name: 'Baloto', identification: true },
  BANCOLOMBIA: { kind: 'onlineTransfer', flow: 'async', name: 'Bancolombia' },
  BBVA_CONTINENTAL: { kind: 'voucher', flow: 'async', name: 'BBVA Continental' },
  BCMC: { kind: 'card', flow: 'sync', name: 'Bancontact', method: 'DC' },
  BCP: { kind: 'voucher', flow: 'async', name: 'BCP' },
  BEVALIDA: { kind: 'voucher', flow: 'async', name: 'Bevalida' },
  BITCOIN: { kind: 'virtualAccount', flow: 'async', name: 'Bitcoin' },
  BOLETO: { kind: 'voucher', flow: 'async', name: 'Boleto', identification: true },
  BOTON_PSE: { kind: 'onlineTransfer', flow: 'async', name: 'Botón PSE', identification: true },
  CABAL: { kind: 'card', flow: 'sync', name: 'Cabal' },
  CABALDEBIT: { kind: 'card', flow: 'sync', name: 'Cabal Debit', method: 'DC' },
  CAJA_AREQUIPA: { kind: 'voucher', flow: 'async', name: 'Caja Arequipa' },
  CAJA_CUSCO: { kind: 'voucher', flow: 'async', name: 'Caja Cusco' },
  CAJA_HUANCAYO: { kind: 'voucher', flow: 'async', name: 'Caja Huancayo' },
  CAJA_ICA: { kind: 'voucher', flow: 'async', name: 'Caja Ica' },
  CAJA_PIURA: { kind: 'voucher', flow: 'async', name: 'Caja Piura' },
  CAJA_TACNA: { kind: 'voucher', flow: 'async', name: 'Caja Tacna' },
  CAJA_TRUJILLO: { kind: 'voucher', flow: 'async', name: 'Caja Trujillo' },
  CARNET: { kind: 'card', flow: 'sync', name: 'Carnet' },
  CARTEBANCAIRE: { kind: 'card', flow: 'sync', name: 'Cartes Bancaires' },
  CARTEBLEUE: { kind: 'card', flow: 'sync', name: 'Carte Bleue', method: 'DC' },
  CASEYS_GIFT_CARD: { kind: 'giftCard', flow: 'sync', name: 'Casey’s gift card' },
  CASHLINKMALTA: { kind: 'card', flow: 'sync', name: 'Cashlink Malta' },
  CASHU: { kind: 'virtualAccount', flow: 'async', name: 'CashU' },
  CENCOSUD: { kind: 'card', flow: 'sync', name: 'Cencosud' },
  CHINAUNIONPAY: { kind: 'onlineTransfer', flow: 'async', name: 'UnionPay online' },
  CLICK_TO_PAY: { kind: 'wallet', flow: 'sync', name: 'Click to Pay' },
  CLIQ: { kind: 'onlineTransfer', flow: 'sync', name: 'CliQ' },
  COSMOPROF_RCC: { kind: 'card', flow: 'sync', name: 'CosmoProf store card' },
  DANKORT: { kind: 'card', flow: 'sync', name: 'Dankort', method: 'DC' },
  DAOPAY: { kind: 'virtualAccount', flow: 'async', name: 'Daopay' },
  DIMONEX: { kind: 'voucher', flow: 'async', name: 'Dimonex' },
  DINERS: { kind: 'card', flow: 'sync', name: 'Diners Club' },
  DIRECTDEBIT_SEPA: { kind: 'directDebit', flow: 'sync', name: 'SEPA direct debit' },
  DISCOVER: { kind: 'card', flow: 'sync', name: 'Discover' },
  EFECTY: { kind: 'voucher', flow: 'async', name: 'Efecty', identification: true },
  EFT: { kind: 'onlineTransfer', flow: 'async', name: 'Electronic funds transfer' },
  ELO: { kind: 'card', flow: 'sync', name: 'Elo' },
  ENTERCASH: { kind: 'onlineTransfer', flow: 'async', name: 'Entercash' },
  ENTERPAY: { kind: 'invoice', flow: 'async', name: 'Enterpay' },
  EPS: { kind: 'onlineTransfer', flow: 'async', name: 'eps' },
  FACILYPAY_3X: { kind: 'invoice', flow: 'async', name: 'Oney in 3 instalments' },
  FACILYPAY_3XSANSFRAIS: { kind: 'invoice', flow: 'async', name: 'Oney in 3 instalments, without fees' },
  FACILYPAY_4X: { kind: 'invoice', flow: 'async', name: 'Oney in 4 instalments' },
  FACILYPAY_4XSANSFRAIS: { kind: 'invoice', flow: 'async', name: 'Oney in 4 instalments, without fees' },
  GANA: { kind: 'voucher', flow: 'async', name: 'Gana' },
  GIROPAY: { kind: 'onlineTransfer', flow: 'async', name: 'giropay' },
  GOOGLEPAY: { kind: 'wallet', flow: 'sync', name: 'Google Pay' },
  GOOGLEPAYTKN: { kind: 'wallet', flow: 'sync', name: 'Google Pay, network token' },
  HEB_GIFT_CARD: { kind: 'giftCard', flow: 'sync', name: 'H-E-B gift card' },
  HIPERCARD: { kind: 'card', flow: 'sync', name: 'Hipercard' },
  IDEAL: { kind: 'onlineTransfer', flow: 'async', name: 'iDEAL' },
  IKANOOI_SE: { kind: 'invoice', flow: 'async', name: 'Ikano' },
  INICIS: { kind: 'onlineTransfer', flow: 'async', name: 'Inicis' },
  INTERAC_ONLINE: { kind: 'onlineTransfer', flow: 'async', name: 'Interac Online' },
  INTERBANK: { kind: 'voucher', flow: 'async', name: 'Interbank' },
  JAYWAN: { kind: 'card', flow: 'sync', name: 'Jaywan' },
  JCB: { kind: 'card', flow: 'sync', name: 'JCB' },
  KLARNA_PAYMENTS_BILLPAY: { kind: 'invoice', flow: 'async', name: 'Klarna bill' },
  KLARNA_PAYMENTS_PAYLATER: { kind: 'invoice', flow: 'async', name: 'Klarna Pay Later' },
  KLARNA_PAYMENTS_PAYNOW: { kind: 'onlineTransfer', flow: 'async', name: 'Klarna Pay Now' },
  KLARNA_PAYMENTS_SLICEIT: { kind: 'invoice', flow: 'async', name: 'Klarna Slice It' },
  KNET: { kind: 'onlineTransfer', flow: 'async', name: 'KNET' },
  LINEPAY: { kind: 'wallet', flow: 'sync', name: 'LINE Pay' },
  MADA: { kind: 'card', flow: 'sync', name: 'mada', method: 'DC' },
  MAESTRO: { kind: 'card', flow: 'sync', name: 'Maestro', method: 'DC' },
  MASTER: { kind: 'card', flow: 'sync', name: 'Mastercard' },
  MASTERDEBIT: { kind: 'card', flow: 'sync', name: 'Mastercard Debit', method: 'DC' },
  MASTERPASS: { kind: 'wallet', flow: 'async', name: 'Masterpass' },
  MBWAY: { kind: 'onlineTransfer', flow: 'async', name: 'MB WAY' },
  MERCADOLIVRE: { kind: 'card', flow: 'sync', name: 'Mercado Livre' },
  MIR: { kind: 'card', flow: 'sync', name: 'Mir' },
  MONEYBOOKERS: { kind: 'virtualAccount', flow: 'async', name: 'Skrill' },
  MONEYSAFE: { kind: 'virtualAccount', flow: 'async', name: 'MoneySafe' },
  NARANJA: { kind: 'card', flow: 'sync', name: 'Naranja' },
  NATIVA: { kind: 'card', flow: 'sync', name: 'Nativa' },
  NEQUI: { kind: 'wallet', flow: 'async', name: 'Nequi' },
  OMANNET: { kind: 'card', flow: 'sync', name: 'OmanNet', method: 'DC' },
  ONECARD: { kind: 'virtualAccount', flow: 'async', name: 'OneCard' },
  OXXO: { kind: 'voucher', flow: 'async', name: 'OXXO' },
  PAGO_EFECTIVO: { kind: 'voucher', flow: 'async', name: 'PagoEfectivo' },
  PAGO_FACIL: { kind: 'voucher', flow: 'async', name: 'Pago Fácil', identification: true },
  PAYBOX: { kind: 'virtualAccount', flow: 'async', name: 'Paybox' },
  PAYDIREKT: { kind: 'onlineTransfer', flow: 'async', name: 'giropay, formerly paydirekt' },
  PAYNET: { kind: 'voucher', flow: 'async', name: 'Paynet' },
  PAYOLUTION_ELV: { kind: 'invoice', flow: 'async', name: 'Payolution direct debit' },
  PAYOLUTION_INS: { kind: 'invoice', flow: 'async', name: 'Payolution instalments' },
  PAYOLUTION_INVOICE: { kind: 'invoice', flow: 'async', name: 'Payolution invoice' },
  PAYPAL: { kind: 'virtualAccount', flow: 'async', name: 'PayPal' },
  PAYPAL_CONTINUE: { kind: 'virtualAccount', flow: 'async', name: 'PayPal, continued' },
  PAYSAFECARD: { kind: 'virtualAccount', flow: 'async', name: 'paysafecard' },
  PAYTRAIL: { kind: 'onlineTransfer', flow: 'async', name: 'Paytrail' },
  PAZE: { kind: 'wallet', flow: 'sync', name: 'Paze' },
  PETCO_GIFT_CARD: { kind: 'giftCard', flow: 'sync', name: 'Petco gift card' },
  PETCO_MASTERCARD: { kind: 'card', flow: 'sync', name: 'Petco Mastercard' },
  PETCO_UPLCC: { kind: 'card', flow: 'sync', name: 'Petco store card' },
  PF_KARTE_DIRECT: { kind: 'onlineTransfer', flow: 'async', name: 'PostFinance Card' },
  PMICHAELS_PLCC: { kind: 'card', flow: 'sync', name: 'Michaels store card' },
  POLI: { kind: 'onlineTransfer', flow: 'async', name: 'POLi' },
  POSTPAY: { kind: 'invoice', flow: 'sync', name: 'Postpay' },
  PREPAYMENT: { kind: 'prepayment', flow: 'async', name: 'Prepayment' },
  PROSTIR: { kind: 'card', flow: 'sync', name: 'Prostir' },
  PRZELEWY: { kind: 'onlineTransfer', flow: 'async', name: 'Przelewy24' },
  PUNTO_RED: { kind: 'voucher', flow: 'async', name: 'Punto Red' },
  QIWI: { kind: 'virtualAccount', flow: 'async', name: 'QIWI' },
  RAKUTENPAY: { kind: 'wallet', flow: 'sync', name: 'Rakuten Pay' },
  RAPI_PAGO: { kind: 'voucher', flow: 'async', name: 'Rapipago', identification: true },
  RATENKAUF: { kind: 'invoice', flow: 'async', name: 'ratenkauf' },
  RATEPAY_INVOICE: { kind: 'invoice', flow: 'sync', name: 'Ratepay invoice' },
  RED_SERVI: { kind: 'voucher', flow: 'async', name: 'Red Servi' },
  RUPAY: { kind: 'card', flow: 'sync', name: 'RuPay' },
  SADAD: { kind: 'onlineTransfer', flow: 'async', name: 'SADAD' },
  SAMSUNGPAY: { kind: 'wallet', flow: 'sync', name: 'Samsung Pay' },
  SCHEELS: { kind: 'card', flow: 'sync', name: 'Scheels store card' },
  SCOTIABANK: { kind: 'voucher', flow: 'async', name: 'Scotiabank' },
  SENCILLITO: { kind: 'voucher', flow: 'async', name: 'Sencillito' },
  SEPA: { kind: 'directDebit', flow: 'sync', name: 'SEPA' },
  SERVIRED: { kind: 'card', flow: 'sync', name: 'ServiRed' },
  SHETAB: { kind: 'onlineTransfer', flow: 'async', name: 'Shetab' },
  SHOPIFY: { kind: 'other', flow: 'sync', name: 'Shopify' },
  SIBS_MULTIBANCO: { kind: 'voucher', flow: 'async', name: 'Multibanco' },
  SOFINCOSANSFRAIS: { kind: 'invoice', flow: 'async', name: 'Sofinco, without fees' },
  SOFORTUEBERWEISUNG: { kind: 'onlineTransfer', flow: 'async', name: 'Sofort' },
  STAPLES: { kind: 'card', flow: 'sync', name: 'Staples store card' },
  STC_PAY: { kind: 'wallet', flow: 'async', name: 'stc pay' },
  SU_RED: { kind: 'voucher', flow: 'async', name: 'SuRed' },
  SU_SUERTE: { kind: 'voucher', flow: 'async', name: 'SuSuerte' },
  TARJETASHOPPING: { kind: 'card', flow: 'sync', name: 'Tarjeta Shopping' },
  TCARD: { kind: 'card', flow: 'sync', name: 'TCard' },
  TCARDDEBIT: { kind: 'card', flow: 'sync', name: 'TCard Debit', method: 'DC' },
  TENPAY: { kind: 'wallet', flow: 'async', name: 'Tenpay' },
  TRADE_UK: { kind: 'card', flow: 'sync', name: 'TradeUK store card' },
  TROY: { kind: 'card', flow: 'sync', name: 'Troy' },
  TRUSTLY: { kind: 'onlineTransfer', flow: 'async', name: 'Trustly' },
  TRUSTPAY_VA: { kind: 'onlineTransfer', flow: 'async', name: 'TrustPay' },
  UNIONPAY: { kind: 'card', flow: 'sync', name: 'UnionPay' },
  UNIONPAY_SMS: { kind: 'card', flow: 'sync', name: 'UnionPay, single message', method: 'DC' },
  VALU: { kind: 'invoice', flow: 'async', name: 'valU' },
  VENMO_PAYFAST: { kind: 'wallet', flow: 'sync', name: 'Venmo' },
  VISA: { kind: 'card', flow: 'sync', name: 'Visa' },
  VISADEBIT: { kind: 'card', flow: 'sync', name: 'Visa Debit', method: 'DC' },
  VISAELECTRON: { kind: 'card', flow: 'sync', name: 'Visa Electron', method: 'DC' },
  VPAY: { kind: 'card', flow: 'sync', name: 'V Pay', method: 'DC' },
  WECHAT_PAY: { kind: 'wallet', flow: 'async', name: 'WeChat Pay' },
  WESTERN_UNION: { kind: 'voucher', flow: 'async', name: 'Western Union' },
  YANDEX: { kind: 'virtualAccount', flow: 'async', name: 'Yandex' },
} as const satisfies Readonly<Record<string, Brand>>

/** A known value of `paymentBrand`. */
export type BrandCode = keyof typeof table

/** The brands of cards; their numbers are in `cardBrands`. */
export type CardBrandCode = {
  [Code in BrandCode]: (typeof table)[Code]['kind'] extends 'card' ? Code : never
}[BrandCode]

/** The brands by their code (contract: `paymentBrand`, 1 to 32 letters, digits and underscores). */
export const brands: Readonly<Record<BrandCode, Brand>> = table

/** Whether `code` is a known brand; upper case only. */
export const isBrand = isKeyOf(brands)

/** Whether `code` is a card brand. */
export const isCardBrand = (code: string): code is CardBrandCode => isBrand(code) && brands[code].kind === 'card'

/**
 * The payment method of a transaction (contract: `paymentMethods` of the query parameters).
 *
 * @param type payment type of the transaction, or of the transaction that it refers to; a payout to a bank account (CD)
 *   is a credit transfer
 */
export function paymentMethodOf(brand: BrandCode, type: string | undefined): PaymentMethod {
  const { kind, method } = brands[brand]
  return kind === 'directDebit' && type === 'CD' ? 'CT' : (method ?? kindMethods[kind])
}

/** Whether a brand is a SEPA scheme. All direct debits in the table are. */
export const isSepaBrand = (code: string): boolean => isBrand(code) && brands[code].kind === 'directDebit'
