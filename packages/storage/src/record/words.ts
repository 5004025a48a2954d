import { texts } from './texts.ts'

/**
 * The words of version 1 of the record format, frozen: a record contains the index of a word, so a change of one word
 * here would change the content of stored records. Other words need a new version of the format, beside this one.
 */

/**
 * The 96 words of one byte, most of them stretches between two values of an ordinary card payment; their index is their
 * code, and their order has no meaning.
 */
const stretches = String.raw`
","
":"
{"
"},"
"}
"}}
":{"
":[{"
"},{"
"}]
,"
},"
}}
"}],"
{}
":true
":null
000.100.110
000.100.112
000.000.000
EUR
USD
GBP
VISA
MASTER
AMEX
INTERNAL
EXTERNAL
LIVE
{"merchantTransactionId":"
","merchantInvoiceId":"
","customer":{"givenName":"
{"customer":{"givenName":"
{"customer":{"
"},"customer":{"
","surname":"
","email":"
","phone":"
","mobile":"
","birthDate":"
","companyName":"
","ip":"
","merchantCustomerId":"
","browser":{"acceptHeader":"
"},"billing":{"street1":"
"},"shipping":{"street1":"
"},"billing":{"
"},"shipping":{"
","street2":"
","city":"
","state":"
","postcode":"
","country":"
"},"customParameters":{"
"},"cart":{"items":[{"name":"
","quantity":"
","price":"
","currency":"
","totalAmount":"
@gmail.com
.com
{"descriptor":"
{"result":{"code":"
","result":{"code":"
","result":{"code":"000.100.110","description":"Request successfully processed in 'Merchant in Integrator Test Mode'
","result":{"code":"000.100.112","description":"Request successfully processed in 'Merchant in Connector Test Mode'
","result":{"code":"000.000.000","description":"Transaction approved
{"result":{"code":"000.100.110","description":"Request successfully processed in 'Merchant in Integrator Test Mode'
","description":"
","avsResponse":"
","cvvResponse":"
","avsResponse":"F","cvvResponse":"M"},"resultDetails":{"ExtendedDescription":"Approved","clearingInstituteName":"
"},"resultDetails":{"
"},"resultDetails":{"ExtendedDescription":"Approved","clearingInstituteName":"
"},"resultDetails":{"ExtendedDescription":"
"},"resultDetails":{"AuthorizationExpiresAt":"
","ExtendedDescription":"Approved","clearingInstituteName":"
","clearingInstituteName":"
Tollgate Simulator","ConnectorTxID1":"SIM-
","ConnectorTxID1":"
","ConnectorTxID2":"
","ConnectorTxID3":"
","AcquirerResponse":"
","AcquirerResponse":"00","AuthCode":"
","AuthCode":"
","CardholderInitiatedTransactionID":"
"},"card":{"bin":"
","last4Digits":"
","holder":"
","expiryMonth":"
","expiryYear":"20
","issuer":{"bank":"
Tollgate Test Bank","phone":"+442079460000","website":"https://bank.example"},"type":"
CREDIT","level":"0001","regulatedFlag":"false"}}
DEBIT","level":"0001","regulatedFlag":"true"}}
","type":"
`

/**
 * Names of members: of the parameters and answers in the order of the contract, then of facts. Each is a word that ends
 * at the start of its text, and another one that begins at the end of the text before.
 */
const names = String.raw`
amount taxAmount discountAmount currency paymentBrand paymentType integrity overridePaymentType descriptor
merchantTransactionId merchantInvoiceId merchantMemo transactionCategory sequence numberOfCaptures promotionCode
locale transactionLinkId transactionPurposeCode integrationType transactionBai transactionTti
transactionProcessingCode testMode forex entityId Authorization card holder number expiryMonth expiryYear cvv
numberType walletA paymentToken walletB walletC cardNetwork cardType source virtualAccount accountId bankAccount
bankName iban bankCode bic country mandate id dateOfSignature transactionDueDate tokenAccount type cryptogram dtvc
customer merchantCustomerId givenName middleName surname sex birthDate phone mobile workPhone email companyName
identificationDocType identificationDocId ip merchantReference salutation language category status browserFingerprint
value browser acceptHeader screenHeight screenWidth timezone userAgent javaEnabled screenColorDepth challengeWindow
deviceId app shipping billing street1 street2 houseNumber1 houseNumber2 city state postcode normalized
validationStatus merchant method cost comment expectedDate logisticsProvider trackingNumber returnTrackingNumber
warehouse preference corporate description street address postCode suite postboxNumber purchase fax vatId sender
accountNumber accountNumberType sourceOfFunds recipient mcc countryCode geographicCoordinates serviceLocationCity
serviceLocationState serviceLocationCountryCode serviceLocationPostCode serviceLocationGeographicCoordinates
additionalContact customerContactPhone websiteId url partnerIdCode isoId payFacId payFacName marketplaceId
submerchantId taxId data foreignRetailIndicator legalName cart items merchantItemId quantity sku commodityCode
commodityDescription originalPrice price totalAmount totalTaxAmount tax taxCategory discount giftMessage
shippingMethod shippingInstructions shippingTrackingNumber quantityUnit productUrl imageUrl totalDiscountAmount
productCode partNumber vatReferenceNumber itemNumber sellerId firstName lastName apartment deliveryDate payments
primary marketPlace sellers airline ticketIssueAddress thirdPartyBooking bookingtype ticketDeliveryMethod
bookingRefNum agentName agentCode totalFeesAmount totalFareAmount ticketIssueDate passengers ticketRestricted
ticketNumber frequentFlyerNumber dob checkDigit residenceCountry legs stopOverAllowed restrictions flightNumber
fareBasis exchangeTicketNum departureCountry departureAirport airlineName airlineCode departureTime arrivalCountry
arrivalAirport arrivalTime couponNumber classOfService carrierCode timeToDeparture feesAmount fareAmount
departureTaxAmount departureDate arrivalDate createRegistration overrideHolder recurringMigration requestTimestamp
connectorTxId1 connectorTxId2 connectorTxId3 threeDSecure deviceInfo v2 visa requestorId requestorName mastercard amex
diners discover jcb cartebancaire channel npa decoupled threeRIInd authenticationInd eci verificationId
authenticationStatus dsTransactionId acsTransactionId challengeMandatedIndicator version authType
transactionStatusReason challengeIndicator exemptionFlag schemeData CB-ITEMSNB CB-SCORE_MERCHANT CB-USECASE
customParameters shopperResultUrl notificationUrl pos entryMode terminalId deviceType encryptedPin ksn encryptedSred
iccDataRequest location accuracy latitude longitude panSequenceNumber transactionSequenceNumber pinEntryCapability
transactionSource giftCard pin message risk channelId serviceId orderTimestamp parameters merchantWebsite accountToken
job year month dayOfMonth dayOfWeek hour minute second startDate endDate noticeUnit durationUnit noticeNumber
durationNumber noticeCallable expression standingInstruction recurringType mode initialTransactionId industryPractice
expiry frequency numberOfInstallments chargebackResultCode date from to sortValue sortOrder limit paymentTypes
paymentMethods includeLinkedTransactions shortId registrationId registrations pageNo recurring referencedId result
code avsResponse cvvResponse parameterErrors declineReason resultDetails ExtendedDescription clearingInstituteName
ConnectorTxID1 ConnectorTxID2 ConnectorTxID3 AcquirerResponse AuthCode CardholderInitiatedTransactionID
AuthorizationExpiresAt AvailableBalance DuplicateOf RetainedUntil VerifiedAt CardholderInfo TransactionStatusReason
RiskHits NotChecked MerchantAdviceCode bin last4Digits issuer bank website level regulatedFlag agreement score
brandResult buildNumber timestamp ndc redirect preconditions origin waitUntil challenge messageVersion
threeDSServerTransID acsTransID dsTransID sdkTransID acsReferenceNumber acsSignedContent clearing
authorizationAcquirerCode authorizationIssuerCode identifier merchantId iccDataResponse statusText plan active
timeZone chain nextRun retry lastRun effectiveEnd ended schedules records pages resultCodes name expiresAtMs final
redirected sessionId instruction frequencyDays browserChallengeWindow
`

/** Number of words of one byte. */
export const shortWords = 96

/** The words in the order of their codes. All consist of printable ASCII characters. */
export const words: readonly string[] = [
  ...stretches.trim().split('\n'),
  ...names
    .trim()
    .split(/\s/)
    .flatMap((name) => [`${name}":"`, `","${name}":"`]),
  ...texts,
]
