/** Ledger accounts. Every account belongs to exactly one merchant. */
export const merchantAccount = (merchant_id: string): string => `merchant ${merchant_id}`;
export const customerAccount = (customer_id: string): string => `customer ${customer_id}`;
/** The acquirer's collections for the merchant: the counterpart of the balances owed to the merchant. */
export const clearingAccount = (merchant_id: string): string => `clearing ${merchant_id}`;
export const costsAccount = (merchant_id: string): string => `costs ${merchant_id}`;
export const taxAccount = (merchant_id: string): string => `tax ${merchant_id}`;
/** Disputed amounts of open chargebacks. */
export const chargebacksAccount = (merchant_id: string): string => `chargebacks ${merchant_id}`;

/** Payouts in transit to the merchant's bank. */
export const payoutsAccount = (merchant_id: string): string => `payouts ${merchant_id}`;

export const accountsExceptCustomers = (merchant_id: string): string[] =>
  [merchantAccount, clearingAccount, costsAccount, taxAccount, chargebacksAccount, payoutsAccount].map(account =>
    account(merchant_id),
  );
