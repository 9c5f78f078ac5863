/** Parses requests to the simulated acquirer. */
import type { BankOrder } from '../../gateway/acquirer/port';
import { OPERATIONS, type OrderedOperation } from './operations';
import type { Payee } from './settlement/unreported';
import type { OrderedDetails } from './state';

interface OrderedCard {
  reference: string;
  number: string;
  expiration_month?: string;
  expiration_year?: string;
}

interface OrderedAccount {
  bank: string;
  type: string;
  number: string;
}

export interface AcquirerOrder {
  key: string;
  amount?: number | undefined;
  /** Key of the operation to capture or refund. */
  of?: string | undefined;
  card?: OrderedCard | undefined;
  /** Date by the test clock of the merchant or customer. */
  date?: string | undefined;
  /** Payouts only. */
  account?: OrderedAccount | undefined;
  /** Merchant ID. */
  payee?: Payee;
  /** Bank and Bre-B payments only. */
  order?: BankOrder;
  /** Card charges only. */
  details?: OrderedDetails;
}

/** Simulates a lost response. */
export class NoResponse extends Error {}
/** The order is malformed or reuses a key for a different order. */
export class InvalidOrder extends Error {}

function readDetails(body: unknown): { details?: OrderedDetails } {
  const { initiated_by, stored_credential, series, installments } = (body ?? {}) as OrderedDetails;
  if (initiated_by === undefined) return {};
  const isInitiator = initiated_by === 'customer' || initiated_by === 'merchant';
  const isSeries = series === undefined || series === 'first' || series === 'later';
  if (!isInitiator || typeof stored_credential !== 'boolean' || !isSeries || !Number.isSafeInteger(installments))
    throw new InvalidOrder('the type of charge is missing or invalid');
  return { details: { initiated_by, stored_credential, ...(series ? { series } : {}), installments } };
}

export function readOrder(operation: OrderedOperation, body: unknown): AcquirerOrder {
  const { amount, of, card, account, date, merchant, description, return_url } = (body ?? {}) as AcquirerOrder &
    BankOrder;
  const hasValidAmount =
    operation === 'verify' ? amount === undefined : Number.isSafeInteger(amount) && Number(amount) > 0;
  const { requires: required } = OPERATIONS[operation];
  const present = Object.values(OPERATIONS)
    .flatMap(({ requires }) => requires)
    .filter(name => ((body ?? {}) as Record<string, unknown>)[name] !== undefined);
  const hasValidCard = card === undefined || (typeof card.number === 'string' && typeof card.reference === 'string');
  const hasValidAccount = account === undefined || typeof account.number === 'string';
  if (
    !hasValidAmount ||
    !hasValidCard ||
    !hasValidAccount ||
    present.some(name => !required.includes(name)) ||
    required.some(name => !present.includes(name))
  )
    throw new InvalidOrder(`not a valid ${operation} order`);
  const order = { merchant: String(merchant), description: String(description), return_url };
  const details = operation === 'charge' || operation === 'authorize' ? readDetails(body) : {};
  return {
    key: readText(body, 'key'),
    amount,
    of,
    card,
    account,
    date: typeof date === 'string' && !Number.isNaN(Date.parse(date)) ? new Date(date).toISOString() : undefined,
    ...(required.includes('return_url') ? { order } : {}),
    ...details,
  };
}

/** Merchant ID from the headers of the order. */
export function readPayee({ merchant, environment }: Record<string, unknown>): { payee?: Payee } {
  if (typeof merchant !== 'string' || merchant === '') return {};
  return { payee: { merchant, environment: environment === 'production' ? environment : 'sandbox' } };
}

export function readText(body: unknown, name: string): string {
  const text = ((body ?? {}) as Record<string, unknown>)[name];
  if (typeof text !== 'string' || text === '') throw new InvalidOrder(`${name} is missing`);
  return text;
}
