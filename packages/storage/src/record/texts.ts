/**
 * The texts of values among the words, frozen like all words: constants, brands, and descriptions of responses and
 * results.
 */
export const texts: readonly string[] = `
true
false
null
CREDIT
DEBIT
PREPAID
Approved
Tollgate Simulator
Tollgate Test Bank
+442079460000
https://
INITIAL
REPEATED
UNSCHEDULED
RECURRING
INSTALLMENT
DEFERRED
SUBSEQUENT
INTERNET
COUNT
FINAL
APPROVED
NOTAUTHORISED
AUTHCODE
2.2.0
2.1.0
text/html
application/json
Mozilla/5.0 (
Europe/
UNPROCESSED
@example.com
@outlook.com
@hotmail.com
@icloud.com
@yahoo.com
@web.de
@gmx.de
ACI_INSTANTPAY
AFFIRM
AFTERPAY
AIRPLUS
ALIA
ALIADEBIT
ALIPAY
AMEX
APOSTAR
APPLEPAY
APPLEPAYTKN
ARGENCARD
ASTROPAY_STREAMLINE_CASH
ASTROPAY_STREAMLINE_OT
BALOTO
BANCOLOMBIA
BBVA_CONTINENTAL
BCMC
BEVALIDA
BITCOIN
BOLETO
BOTON_PSE
CABAL
CABALDEBIT
CAJA_AREQUIPA
CAJA_CUSCO
CAJA_HUANCAYO
CAJA_ICA
CAJA_PIURA
CAJA_TACNA
CAJA_TRUJILLO
CARNET
CARTEBANCAIRE
CARTEBLEUE
CASEYS_GIFT_CARD
CASHLINKMALTA
CASHU
CENCOSUD
CHINAUNIONPAY
CLICK_TO_PAY
CLIQ
COSMOPROF_RCC
DANKORT
DAOPAY
DIMONEX
DINERS
DIRECTDEBIT_SEPA
DISCOVER
EFECTY
ENTERCASH
ENTERPAY
FACILYPAY_3X
FACILYPAY_3XSANSFRAIS
FACILYPAY_4X
FACILYPAY_4XSANSFRAIS
GANA
GIROPAY
GOOGLEPAY
GOOGLEPAYTKN
HEB_GIFT_CARD
HIPERCARD
IDEAL
IKANOOI_SE
INICIS
INTERAC_ONLINE
INTERBANK
JAYWAN
KLARNA_PAYMENTS_BILLPAY
KLARNA_PAYMENTS_PAYLATER
KLARNA_PAYMENTS_PAYNOW
KLARNA_PAYMENTS_SLICEIT
KNET
LINEPAY
MADA
MAESTRO
MASTER
MASTERDEBIT
MASTERPASS
MBWAY
MERCADOLIVRE
MONEYBOOKERS
MONEYSAFE
NARANJA
NATIVA
NEQUI
OMANNET
ONECARD
OXXO
PAGO_EFECTIVO
PAGO_FACIL
PAYBOX
PAYDIREKT
PAYNET
PAYOLUTION_ELV
PAYOLUTION_INS
PAYOLUTION_INVOICE
PAYPAL
PAYPAL_CONTINUE
PAYSAFECARD
PAYTRAIL
PAZE
PETCO_GIFT_CARD
PETCO_MASTERCARD
PETCO_UPLCC
PF_KARTE_DIRECT
PMICHAELS_PLCC
POLI
POSTPAY
PREPAYMENT
PROSTIR
PRZELEWY
PUNTO_RED
QIWI
RAKUTENPAY
RAPI_PAGO
RATENKAUF
RATEPAY_INVOICE
RED_SERVI
RUPAY
SADAD
SAMSUNGPAY
SCHEELS
SCOTIABANK
SENCILLITO
SEPA
SERVIRED
SHETAB
SHOPIFY
SIBS_MULTIBANCO
SOFINCOSANSFRAIS
SOFORTUEBERWEISUNG
STAPLES
STC_PAY
SU_RED
SU_SUERTE
TARJETASHOPPING
TCARD
TCARDDEBIT
TENPAY
TRADE_UK
TROY
TRUSTLY
TRUSTPAY_VA
UNIONPAY
UNIONPAY_SMS
VALU
VENMO_PAYFAST
VISA
VISADEBIT
VISAELECTRON
VPAY
WECHAT_PAY
WESTERN_UNION
YANDEX
Approved for a part of the amount
Transaction approved
Approved, very important customer
Transaction not valid
Declined: this transaction is not permitted
Amount not valid
Declined: the amount is not valid
No such card number
transaction declined (invalid card)
No such issuer
Approved, update track 3
Cancelled by the customer
Cancelled by the shopper
Enter the transaction again
Timeout at the connector or acquirer; please try again later
Response not valid
The connector or acquirer answered with an error
No action taken, nothing to reverse
The requested function cannot be applied to the referenced transaction
Malfunction suspected
Transaction fee not acceptable
Record not found
cannot find transaction
File not available for the moment
Format error
Declined: the acquirer reports a format error
Bank not supported by the switch
Declined: the authorisation centre does not process this card type
Completed in part
Expired card, pick up
Declined: the expiry date is wrong
Suspected fraud, pick up
Declined: manipulation is suspected
Contact the acquirer, pick up
Declined: the card is to be picked up
Restricted card, pick up
Declined: the use of the card is restricted
Call acquirer security, pick up
Too many wrong PINs, pick up
Declined: the PIN was entered incorrectly too often
No credit account
Declined: the account is blocked
Function not supported
Lost card, pick up
Declined: the card is lost
No universal account
Stolen card, pick up
Declined: the card is stolen
No investment account
Closed account
Not enough funds
Declined: not enough money or credit
No current account
No savings account
Expired card
Wrong PIN
Declined: the personal identification number is wrong
No record of the card
Not permitted to the cardholder
Not permitted to the terminal
Suspected fraud
Contact the acquirer
Declined by the authorisation system
Withdrawal amount exceeded
Restricted card
Security violation
Original amount incorrect
The amount does not match the referenced transaction
Withdrawal frequency exceeded
Declined: the card is used too often
Call acquirer security
Hard capture at the machine
Response received too late
Timeout: the outcome is uncertain
PIN data required
Declined: the issuer asks for authentication of the cardholder
Too many wrong PINs
Earlier message not found
Earlier message found, data differ
Declined: the referencing transaction does not match
Card not activated, or blocked at first use
Declined: the card is blocked
Already reversed
The referenced transaction was already refunded, captured or reversed
Date not valid, or system not available
Cryptographic error in the PIN
Card verification data wrong
Declined: the card verification code is wrong
PIN cannot be verified
No reason to decline
PIN cannot be verified now
Cryptographic failure
Terminal not valid
Declined: the configuration at the acquirer is invalid
Issuer or switch not available
Timeout at the connector or acquirer
No route to the issuer
Violation of law
Duplicate transmission
Duplicate of an earlier transaction
Reconciliation error
System malfunction
Reconciliation totals reset
Message authentication failed
Error in the internal gateway
Encryption keys out of step
Refer to the card issuer
Refer to the card issuer, special conditions
Unknown merchant or service provider
Pick up the card, no fraud
Do not honour
Error
Pick up the card, special conditions
Honour with identification
Request in progress
Another transaction of this payment is being processed; please try again later
Additional authentication of the customer required
Not supported, or blocked by the issuer
Verification data failed
Blocked by the cardholder
Surcharge not permitted
Stand-in forced
Cash service not available
Cash limit of the issuer exceeded
Card verification code wrong
PIN change declined
Card authentication failed
Stop this recurring payment
The cardholder told the bank to stop this recurring payment
Stop all recurring payments of the merchant
The cardholder told the bank to stop all recurring payments of this merchant
Does not qualify for PIN
All authorisations revoked
Declined: the cardholder revoked all authorisations
Declined offline, could not go online
The connector or acquirer is down
Transaction approved for a part of the amount
transaction pending
successfully created checkout
Waiting for the external risk check
3-D Secure: technical error during authentication
Too many requests. Please try again later.
Wrong account identifier
Account closed
Account blocked, or blocked for direct debits
Transaction forbidden on this kind of account
Wrong transaction code
Duplicate collection
Creditor identifier not recognised
Date not valid
Settlement failed
File format not valid
Wrong local instrument or scheme
No valid mandate
Data of the mandate missing or wrong
The debtor is deceased
Refused by the debtor, no reason given
Refused by the bank, no reason given
Wrong BIC
Regulation
`
  .trim()
  .split('\n')
