/** The accounts of the ledger. Each merchant has its own set, so no account is ever shared by two merchants. */
export const merchantAccount = (merchant_id: string): string => `merchant ${merchant_id}`;
export const customerAccount = (customer_id: string): string => `customer ${customer_id}`;
/** What the acquirer has collected for the merchant: the counterpart of the balances that we owe. */
export const clearingAccount = (merchant_id: string): string => `clearing ${merchant_id}`;
export const costsAccount = (merchant_id: string): string => `costs ${merchant_id}`;
export const taxAccount = (merchant_id: string): string => `tax ${merchant_id}`;
/** Money that is held until a chargeback is decided. */
export const chargebacksAccount = (merchant_id: string): string => `chargebacks ${merchant_id}`;

/** Money that is on its way to the merchant's bank. */
export const payoutsAccount = (merchant_id: string): string => `payouts ${merchant_id}`;

/** All accounts of a merchant but those of its customers. */
export const accountsBesideCustomers = (merchant_id: string): string[] =>
  [merchantAccount, clearingAccount, costsAccount, taxAccount, chargebacksAccount, payoutsAccount].map(account =>
    account(merchant_id),
  );
