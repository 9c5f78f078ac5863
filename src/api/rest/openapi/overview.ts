/** The introduction of the document, and the tags that group its operations. */
import type { Route } from '../routes';

export const ABOUT = `Payments and recurring billing in Colombian pesos.

Every path begins with the version and the merchant. Send the API key as the user of Basic authentication, with an empty password.

- **Amounts** are pesos with at most two decimals; they are the only numbers that are not whole. Thousands are not
  separated: three decimals as in \`100.000\` are refused (1003).
- **Tolerance.** This document says the proper form. Besides it, numbers may come as numeric texts and texts of digits as numbers, booleans as "true" and "false", words of a choice in any letter case, card numbers with spaces and dashes; \`null\` means absent; unknown members are ignored; metadata may be a map or a list of key and value.
- **Texts** hold no NUL. Their length is counted in characters.
- **Dates.** Days are days in America/Bogota; moments are answered with the offset -05:00.
- **Repeating.** Every POST takes an Idempotency-Key; a repeat with it does nothing twice.
- **Errors** are all of one form, with a code of the table in the schema ErrorCode. A request of the wrong form is 400/1001; one whose values are not accepted, or do not fit together, is 422/1003.
- **Order of checks**: the key, what the path names, the form of the body, its values, the state of things.`;

export const tags = [
  { name: 'merchant', description: 'The merchant whose key it is' },
  { name: 'statement', description: 'What moved on the account of the merchant' },
  { name: 'settlements', description: 'What the acquirer has paid for the merchant, day by day' },
  { name: 'stats', description: 'Figures for a dashboard' },
  { name: 'search', description: 'What a text is found in' },
  { name: 'audit_log', description: 'Who did what' },
  { name: 'keys', description: 'The API keys of the merchant' },
  { name: 'sessions', description: 'What pages in browsers work with instead of a key' },
  { name: 'customers', description: 'Those who pay the merchant' },
  { name: 'tokens', description: 'Cards that only the payer has typed; for browsers, with the public key' },
  { name: 'devices', description: "Visits of payers' browsers; for device.js, with the public key" },
  { name: 'cards', description: "Saved cards, the merchant's and its customers'" },
  { name: 'charges', description: 'Charges in all their forms, their capture and refund' },
  { name: 'pse', description: 'Payments by bank account' },
  { name: 'fees', description: "Money from a customer's account to the merchant" },
  { name: 'payouts', description: 'Money of the merchant to its bank account' },
  { name: 'fraud_rules', description: 'What is refused before the acquirer is asked' },
  { name: 'fraud_settings', description: 'Which default rules the merchant has' },
  { name: 'plans', description: 'What a subscription is charged, and how often' },
  { name: 'subscriptions', description: 'Customers who are charged every period' },
  { name: 'events', description: 'What happened' },
  { name: 'webhooks', description: 'Where the merchant learns of events' },
  { name: 'sandbox', description: 'What a merchant rehearses with; not there in production' },
] as const;

/** The resource that a path ends in: what is below a customer or a plan is its own. */
export function tagOf({ path }: Route): string {
  const below = path.replace(/^\/(customers|plans)\/:\w+(?=\/)/, '');
  return below.split('/')[1] || 'merchant';
}
