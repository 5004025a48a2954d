import { colorDepths } from '../codes/color-depths.ts'
import { app, before220, browser, either, has, is, optional, payment } from '../field.ts'
import { required, requiredIf, shopper, since220, threeRi } from '../field.ts'
import { byVersion, cardNumber, codes, day, digits, extensibleCodes, flag, json, list, minute } from '../format.ts'
import { month, object, pattern, second, text, url, uuid } from '../format.ts'
import { header, ids, phone } from './common.ts'

/** Recurring and instalment payments: their amount is required even if the request is without a payment (02). */
const severalPayments = either(is('threeDSRequestorAuthenticationInd', '02', '03'), is('threeRIInd', '01', '02'))
const purchase = either(payment, severalPayments)
const instalments = either(is('threeDSRequestorAuthenticationInd', '03'), is('threeRIInd', '02'))
const decoupled = is('threeDSRequestorDecReqInd', 'Y')
/** Whether the browser runs scripts, which some fields require. Version 2.1.0 assumes scripts. */
const scripted = either(before220, is('browserJavascriptEnabled', true))

const authenticationInfo = object({
  threeDSReqAuthMethod: optional(extensibleCodes('01', '02', '03', '04', '05', '06', '07', '08', '09')),
  threeDSReqAuthTimestamp: optional(minute),
  threeDSReqAuthData: optional(text(1, 20_000)),
})

const priorAuthenticationInfo = object({
  threeDSReqPriorRef: optional(uuid),
  threeDSReqPriorAuthMethod: optional(extensibleCodes('01', '02', '03', '04')),
  threeDSReqPriorAuthTimestamp: optional(minute),
  threeDSReqPriorAuthData: optional(text(1, 2_048)),
})

const accountInfo = object({
  chAccAgeInd: optional(codes('01', '02', '03', '04', '05')),
  chAccChange: optional(day),
  chAccChangeInd: optional(codes('01', '02', '03', '04')),
  chAccDate: optional(day),
  chAccPwChange: optional(day),
  chAccPwChangeInd: optional(codes('01', '02', '03', '04', '05')),
  nbPurchaseAccount: optional(digits(1, 4)),
  provisionAttemptsDay: optional(digits(1, 3)),
  txnActivityDay: optional(digits(1, 3)),
  txnActivityYear: optional(digits(1, 3)),
  paymentAccAge: optional(day),
  paymentAccInd: optional(codes('01', '02', '03', '04', '05')),
  shipAddressUsage: optional(day),
  shipAddressUsageInd: optional(codes('01', '02', '03', '04')),
  shipNameIndicator: optional(codes('01', '02')),
  suspiciousAccActivity: optional(codes('01', '02')),
})

const riskIndicator = object({
  deliveryEmailAddress: optional(text(1, 254)),
  deliveryTimeframe: optional(codes('01', '02', '03', '04')),
  giftCardAmount: optional(digits(1, 15)),
  giftCardCount: optional(digits(2, 2)),
  giftCardCurr: optional(digits(3, 3)),
  preOrderDate: optional(day),
  preOrderPurchaseInd: optional(codes('01', '02')),
  reorderItemsInd: optional(codes('01', '02')),
  shipIndicator: optional(extensibleCodes('01', '02', '03', '04', '05', '06', '07')),
})

const renderOptions = object({
  sdkInterface: required(codes('01', '02', '03')),
  sdkUiType: required(list(codes('01', '02', '03', '04', '05'), 5)),
})

/**
 * Authentication request, 3DS server to directory server to ACS. EMV 3-D Secure, table B.1.
 *
 * Fields that the specification leaves to markets and directory servers ("required unless market or regional mandate
 * restricts sending this information") are optional here.
 */
export const areq = {
  ...header,
  deviceChannel: required(codes('01', '02', '03')),
  messageCategory: required(extensibleCodes('01', '02')),

  threeDSServerTransID: ids.server,
  threeDSServerRefNumber: required(text(1, 32)),
  threeDSServerOperatorID: optional(text(1, 32)),
  threeDSServerURL: required(url(2_048)),
  /** The directory server adds the field before it forwards the request to the ACS. */
  dsTransID: optional(uuid),
  dsReferenceNumber: optional(text(1, 32)),
  dsURL: optional(url(2_048)),
  threeDSReqAuthMethodInd: optional(extensibleCodes('01', '02', '03'), shopper),

  threeDSRequestorID: required(text(1, 35)),
  threeDSRequestorName: required(text(1, 40)),
  threeDSRequestorURL: required(url(2_048)),
  threeDSRequestorAuthenticationInd: required(
    byVersion({
      '2.1.0': extensibleCodes('01', '02', '03', '04', '05', '06'),
      '2.2.0': extensibleCodes('01', '02', '03', '04', '05', '06', '07', '08', '09', '10'),
    }),
    shopper,
  ),
  threeDSRequestorAuthenticationInfo: optional(authenticationInfo),
  threeDSRequestorPriorAuthenticationInfo: optional(priorAuthenticationInfo),
  threeDSRequestorChallengeInd: optional(
    byVersion({
      '2.1.0': extensibleCodes('01', '02', '03', '04'),
      '2.2.0': extensibleCodes('01', '02', '03', '04', '05', '06', '07', '08', '09'),
    }),
    shopper,
  ),
  threeDSRequestorDecReqInd: optional(codes('Y', 'N'), since220),
  /** Minutes, 1 to 10080. */
  threeDSRequestorDecMaxTime: requiredIf(
    decoupled,
    pattern(/^(0000[1-9]|000[1-9][0-9]|00[1-9][0-9]{2}|0[1-9][0-9]{3}|100[0-7][0-9]|10080)$/),
    since220,
  ),
  threeRIInd: required(
    byVersion({
      '2.1.0': extensibleCodes('01', '02', '03', '04', '05'),
      '2.2.0': extensibleCodes('01', '02', '03', '04', '05', '06', '07', '08', '09', '10', '11'),
    }),
    threeRi,
  ),
  threeDSCompInd: required(codes('Y', 'N', 'U'), browser),

  acctNumber: required(cardNumber),
  acctType: optional(extensibleCodes('01', '02', '03')),
  acctID: optional(text(1, 64)),
  acctInfo: optional(accountInfo),
  cardExpiryDate: optional(month),
  cardholderName: optional(text(2, 45)),
  payTokenInd: optional(flag),
  payTokenSource: requiredIf(is('payTokenInd', true), extensibleCodes('01', '02'), since220),

  acquirerBIN: requiredIf(payment, digits(1, 11)),
  acquirerMerchantID: requiredIf(payment, text(1, 35)),
  mcc: requiredIf(payment, digits(4, 4)),
  merchantCountryCode: requiredIf(payment, digits(3, 3)),
  merchantName: requiredIf(payment, text(1, 40)),
  merchantRiskIndicator: optional(riskIndicator),

  /** Minor units. */
  purchaseAmount: requiredIf(purchase, digits(1, 48)),
  purchaseCurrency: requiredIf(purchase, digits(3, 3)),
  purchaseExponent: requiredIf(purchase, digits(1, 1)),
  /** UTC. */
  purchaseDate: requiredIf(purchase, second),
  /** 2 to 999. */
  purchaseInstalData: requiredIf(instalments, pattern(/^(00[2-9]|0?[1-9][0-9]|[1-9][0-9]{2}|[2-9])$/)),
  recurringExpiry: requiredIf(severalPayments, day),
  /** Minimum number of days between two charges. */
  recurringFrequency: requiredIf(severalPayments, digits(1, 4)),
  transType: optional(codes('01', '03', '10', '11', '28')),

  addrMatch: optional(codes('Y', 'N'), shopper),
  billAddrCity: optional(text(1, 50)),
  billAddrCountry: requiredIf(has('billAddrState'), digits(3, 3)),
  billAddrLine1: optional(text(1, 50)),
  billAddrLine2: optional(text(1, 50)),
  billAddrLine3: optional(text(1, 50)),
  billAddrPostCode: optional(text(1, 16)),
  billAddrState: optional(text(1, 3)),
  email: optional(text(3, 254)),
  homePhone: optional(phone),
  mobilePhone: optional(phone),
  workPhone: optional(phone),
  shipAddrCity: optional(text(1, 50)),
  shipAddrCountry: requiredIf(has('shipAddrState'), digits(3, 3)),
  shipAddrLine1: optional(text(1, 50)),
  shipAddrLine2: optional(text(1, 50)),
  shipAddrLine3: optional(text(1, 50)),
  shipAddrPostCode: optional(text(1, 16)),
  shipAddrState: optional(text(1, 3)),

  browserAcceptHeader: required(text(1, 2_048), browser),
  browserIP: optional(text(1, 45), browser),
  browserJavaEnabled: requiredIf(scripted, flag, browser),
  browserJavascriptEnabled: required(flag, { ...browser, ...since220 }),
  browserLanguage: required(text(1, 8), browser),
  browserColorDepth: requiredIf(scripted, codes(...colorDepths), browser),
  browserScreenHeight: requiredIf(scripted, digits(1, 6), browser),
  browserScreenWidth: requiredIf(scripted, digits(1, 6), browser),
  /** Minutes from local time to UTC: 300 in New York's winter. */
  browserTZ: requiredIf(scripted, pattern(/^[+-]?[0-9]{1,4}$/), browser),
  browserUserAgent: required(text(1, 2_048), browser),
  notificationURL: required(url(256), browser),

  deviceInfo: optional(text(1, 64_000), app),
  deviceRenderOptions: required(renderOptions, app),
  sdkAppID: required(uuid, app),
  /** The SDK's data about the device, encrypted for the directory server. */
  sdkEncData: optional(text(1, 64_000), app),
  sdkEphemPubKey: required(json(256), app),
  /** Minutes, at least 5. */
  sdkMaxTimeout: required(pattern(/^(0[5-9]|[1-9][0-9])$/), app),
  sdkReferenceNumber: required(text(1, 32), app),
  sdkTransID: required(uuid, app),

  broadInfo: optional(json(4_096)),
  whiteListStatus: optional(codes('Y', 'N', 'E', 'P', 'R', 'U'), since220),
  whiteListStatusSource: requiredIf(has('whiteListStatus'), extensibleCodes('01', '02', '03'), since220),
}
