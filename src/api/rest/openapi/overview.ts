/** The introduction of the document, and the tags of its operations. */
import type { Route } from '../routes';

export const ABOUT = `Payments and recurring billing in Colombian pesos.

Every path begins with the version and the merchant ID. Authenticate with HTTP Basic authentication: the API key is the user name, and the password is empty.

- **Amounts** are in pesos with at most two decimals; all other numbers are integers. Thousands separators are not
  allowed: three decimals as in \`100.000\` are rejected (1003).
- **Tolerance.** This document describes the canonical form. The API also accepts numbers as numeric strings and strings of digits as numbers, booleans as "true" and "false", enum values in any letter case, and card numbers with spaces and dashes; \`null\` means absent; unknown members are ignored; metadata may be a map or a list of key and value.
- **Texts** must not contain NUL. Length limits count characters.
- **Dates.** Dates are in America/Bogota; timestamps are returned with the offset -05:00.
- **Idempotency.** Every POST accepts an Idempotency-Key, with which retries are safe.
- **Errors** have one format, with a code of the schema ErrorCode. A malformed request returns 400/1001; invalid or inconsistent values return 422/1003.
- **Order of checks**: the API key, the resources in the path, the format of the body, its values, and the state of the resources.`;

export const tags = [
  { name: 'merchant', description: 'The authenticated merchant' },
  { name: 'statement', description: 'Account statement of the merchant' },
  { name: 'settlements', description: 'Daily settlements by the acquirer' },
  { name: 'stats', description: 'Statistics for a dashboard' },
  { name: 'search', description: 'Full-text search' },
  { name: 'audit_log', description: 'Audit log' },
  { name: 'keys', description: 'API keys of the merchant' },
  { name: 'sessions', description: 'Sessions for browser pages' },
  { name: 'customers', description: 'Customers of the merchant' },
  { name: 'tokens', description: 'Tokenized cards, created by browsers with the public key' },
  { name: 'devices', description: 'Device fingerprints of payers, created by device.js with the public key' },
  { name: 'cards', description: 'Saved cards of the merchant and its customers' },
  { name: 'charges', description: 'Charges, captures and refunds' },
  { name: 'pse', description: 'Bank payments (PSE)' },
  { name: 'fees', description: "Fees collected from customers' accounts" },
  { name: 'payment_links', description: 'Single-use links with which payers pay, save a card or subscribe' },
  { name: 'payouts', description: 'Payouts to the bank account of the merchant' },
  { name: 'fraud_rules', description: 'Rules that reject payments before they reach the acquirer' },
  { name: 'fraud_settings', description: 'Default fraud rules of the merchant' },
  { name: 'plans', description: 'Amounts and billing intervals of subscriptions' },
  { name: 'subscriptions', description: 'Recurring charges of customers' },
  { name: 'coupons', description: 'Discounts for subscriptions that redeem them' },
  { name: 'events', description: 'Events' },
  { name: 'webhooks', description: 'Endpoints that receive events' },
  { name: 'sandbox', description: 'Test operations, available only in the sandbox' },
] as const;

/** The resource of the path, without the customer that owns it (except for its own operations), or the plan whose subscriptions it lists. */
export function tagOf({ path }: Route): string {
  const below = path.replace(/^\/(customers\/:\w+(?=\/(?!portal|resume_emails))|plans\/:\w+(?=\/subscriptions))/, '');
  return below.split('/')[1] || 'merchant';
}
