/**
 * The payment methods of charges. The API, its documents, the expiry, the dashboard, the simulated acquirer and the
 * reconciliation read them here. This file imports nothing, because the server and browsers share it.
 */
export interface MethodDefinition {
  /** The name for people. */
  name: { en: string; es: string };
  /** Title of its form in the OpenAPI document. */
  title: string;
  /** Name of an unpaid payment, for operators. */
  unpaid: string;
  /** Default payment period. */
  expiryHours: number;
  /** Payment period while an unpaid payment keeps other payers from one of the limited payments of a link. */
  placeHours?: number;
  /** Operation of the acquirer, one per method, and the instructions that it returns; absent for our payment page. */
  issue?: { operation: string; instructions: 'references' | 'url' | 'qr' };
  /** Completed charges can be refunded at the acquirer. */
  isRefundable?: true;
  /** Accepts whole pesos only. */
  needsWholePesos?: true;
  /** Requires an address of the payer, in Colombia. */
  needsPayerAddress?: true;
  /** Credits the merchant, so customers with a balance account cannot use it. */
  creditsMerchant?: true;
}

/** A new method also needs a migration of the check of `transactions.method`. */
const definitions = {
  card: {
    name: { en: 'Card', es: 'Tarjeta' },
    title: 'Any card, on a hosted payment page',
    unpaid: 'Unpaid payment page',
    expiryHours: 24,
    isRefundable: true,
  },
  store: {
    name: { en: 'Cash', es: 'Efectivo' },
    title: 'Voucher for stores',
    unpaid: 'Unpaid voucher',
    expiryHours: 72,
    placeHours: 24,
    issue: { operation: 'voucher', instructions: 'references' },
  },
  bank_account: {
    name: { en: 'PSE', es: 'PSE' },
    title: 'Bank account (PSE)',
    unpaid: 'Unpaid bank payment',
    expiryHours: 24,
    placeHours: 0.5,
    issue: { operation: 'bank', instructions: 'url' },
    needsWholePesos: true,
    needsPayerAddress: true,
    creditsMerchant: true,
  },
  bre_b: {
    name: { en: 'Bre-B', es: 'Bre-B' },
    title: 'Bre-B, with a key or a QR code',
    unpaid: 'Unpaid Bre-B payment',
    expiryHours: 72,
    placeHours: 0.5,
    issue: { operation: 'bre_b', instructions: 'qr' },
    isRefundable: true,
  },
} as const satisfies Record<string, MethodDefinition>;

type Definitions = typeof definitions;
type Issue = Extract<Definitions[keyof Definitions], { issue: object }>['issue'];

export type ChargeMethodName = keyof Definitions;
export type IssueOperation = Issue['operation'];

export type Instructions = Issue['instructions'];

export const METHODS: Readonly<Record<ChargeMethodName, MethodDefinition & { issue?: Issue }>> = definitions;
export const METHOD_NAMES = Object.keys(definitions) as ChargeMethodName[];

/** Methods whose payments the acquirer issues. They move no money until the payer pays. */
export const ISSUED_METHODS = METHOD_NAMES.flatMap(method => {
  const { issue } = METHODS[method];
  return issue ? [{ method, ...issue }] : [];
});

export const PAYER_COUNTRIES = ['COL'] as const;
export const PAYER_ADDRESS_FIELDS = ['department', 'city', 'additional'] as const;
