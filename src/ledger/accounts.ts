/** The accounts of the books. Each merchant has its own set, so no two merchants ever meet on one. */
export const merchantAccount = (merchant_id: string): string => `merchant ${merchant_id}`;
export const customerAccount = (customer_id: string): string => `customer ${customer_id}`;
/** What the acquirer has collected for the merchant and we owe it, seen from the acquirer's side. */
export const clearing = (merchant_id: string): string => `clearing ${merchant_id}`;
export const costs = (merchant_id: string): string => `costs ${merchant_id}`;
export const tax = (merchant_id: string): string => `tax ${merchant_id}`;
/** Money that is held while a chargeback is not decided. */
export const chargebacks = (merchant_id: string): string => `chargebacks ${merchant_id}`;
