/** Reads what an acquirer answers. Nothing of it is trusted: it is printed on vouchers and shown to merchants. */
import { passesLuhn } from '../luhn';
import { readQr } from './emvQr';
import type { Issuer, MerchantAdvice, PaymentInstructions, StoreNetwork } from './port';

export type JsonObject = Record<string, unknown>;

const MAX_ANSWER_BYTES = 64 * 1024;

/** Validated because payers pay by the references or the QR code, and their browsers are sent to the URL. */
export function readInstructions(answer: JsonObject): { issued?: PaymentInstructions } {
  const { reference, paybin_reference, key, qr } = answer;
  const url = readUrl(answer);
  if (isDigits(reference, 16) && passesLuhn(reference) && isDigits(paybin_reference, 20))
    return { issued: { reference, paybin_reference, ...readNetworks(answer) } };
  if (typeof key === 'string' && typeof qr === 'string')
    return readQr(qr)?.keys.includes(key) ? { issued: { key, qr, ...(url !== undefined && { url }) } } : {};
  return url === undefined ? {} : { issued: { url } };
}

const readUrl = ({ url }: JsonObject): string | undefined =>
  typeof url === 'string' && /^https?:\/\//.test(url) && URL.canParse(url) ? url : undefined;

const MAX_STORES = 20;

/** The networks of both references, or none. */
function readNetworks({ networks }: JsonObject): { networks?: StoreNetwork[] } {
  if (!Array.isArray(networks) || networks.length !== 2) return {};
  const read = networks.map((network: unknown): StoreNetwork | undefined => {
    const { name, stores } = (network ?? {}) as JsonObject;
    const names = Array.isArray(stores) ? stores.filter(isShortName).slice(0, MAX_STORES) : [];
    return isShortName(name) && names.length > 0 ? { name, stores: names } : undefined;
  });
  return read.every(network => network !== undefined) ? { networks: read } : {};
}

const isShortName = (text: unknown): text is string =>
  typeof text === 'string' && text.isWellFormed() && /^[^\p{C}]{1,50}$/u.test(text) && text.trim() !== '';

const MAX_BANK_NAME_LENGTH = 100;

/** Invalid members become null. */
export function readIssuer({ issuer }: JsonObject): { issuer?: Issuer } {
  if (typeof issuer !== 'object' || issuer === null) return {};
  const { type, bank_name, bank_code, country } = issuer as JsonObject;
  const matching = (value: unknown, pattern: RegExp): string | null =>
    typeof value === 'string' && pattern.test(value) ? value : null;
  return {
    issuer: {
      type: type === 'credit' || type === 'debit' ? type : null,
      bank_name: matching(bank_name, /^[^\p{Cc}\d]+$/u)?.slice(0, MAX_BANK_NAME_LENGTH) ?? null,
      bank_code: matching(bank_code, /^[0-9A-Za-z]{1,10}$/),
      country: matching(country, /^[A-Z]{2}$/),
    },
  };
}

const MAX_ADVISED_HOURS = 60 * 24;

/** An unknown advice is ignored, because the reason of the decline remains. */
export function readAdvice({ advice }: JsonObject): { advice?: MerchantAdvice } {
  if (advice === 'do_not_retry') return { advice };
  const { retry_after_hours: hours } = Object(advice) as JsonObject;
  if (typeof hours !== 'number' || !(hours > 0)) return {};
  return { advice: { retry_after_hours: Math.min(hours, MAX_ADVISED_HOURS) } };
}

const isDigits = (text: unknown, length: number): text is string =>
  typeof text === 'string' && text.length === length && /^[0-9]+$/.test(text);

const MAX_CODE_LENGTH = 20;
const MAX_RULE_LENGTH = 100;

/** Truncates to the column length: an approval that cannot be recorded would never settle. */
export const readCode = (authorization: string): string =>
  authorization.replace(/[^\x20-\x7e]/g, '').slice(0, MAX_CODE_LENGTH);

/** Merchants see these names: they are shortened, and long digit runs are masked. */
export const readRules = (rules: unknown[]): string[] =>
  rules
    .flatMap(rule => (typeof rule === 'string' ? [[...rule].slice(0, MAX_RULE_LENGTH).join('')] : []))
    .map(rule => rule.replace(/[\p{Cc}\p{Cs}]/gu, '').replace(/\d{3,}/g, '…'))
    .slice(0, 20);

export async function readAnswer(body: AsyncIterable<Uint8Array>): Promise<JsonObject | undefined> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    chunks.push(chunk);
    length += chunk.length;
    if (length > MAX_ANSWER_BYTES) return undefined;
  }
  try {
    const json = JSON.parse(Buffer.concat(chunks).toString('utf8'));
    return typeof json === 'object' && json !== null ? json : undefined;
  } catch {
    return undefined;
  }
}
