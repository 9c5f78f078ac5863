/**
 * The links and codes of receipts, derived from the charge under the key of payers' pages. So nothing is stored, and every
 * process that has the key can put the link into an e-mail.
 */
import { createHmac, timingSafeEqual } from 'node:crypto';

const TOKEN = /^(t[0-9a-z]{19})_[0-9a-f]{32}$/;

const signatureOf = (key: Buffer, text: string): Buffer => createHmac('sha256', key).update(text).digest();

/** The signature has 128 bits. */
const tokenOf = (key: Buffer, id: string): string =>
  `${id}_${signatureOf(key, `receipt ${id}`).toString('hex').slice(0, 32)}`;

/** The URL of the page without its origin; with `.pdf` it is that of the PDF. */
export const receiptPath = (key: Buffer, { id }: { id: string }): string => `/r/${tokenOf(key, id)}`;

/** The URL of the receipt of a paid charge, for its payer only: it needs no log-in. */
export const receiptUrl = (origin: string, key: Buffer, charge: { id: string }): string =>
  `${origin}${receiptPath(key, charge)}`;

/** Undefined for a token that we have not signed. */
export function chargeIdIn(key: Buffer, token: string): string | undefined {
  const [, id] = TOKEN.exec(token) ?? [];
  return id !== undefined && timingSafeEqual(Buffer.from(token), Buffer.from(tokenOf(key, id))) ? id : undefined;
}

/** Crockford's Base32, which has no letters that resemble digits. */
const ALPHABET = '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
const CODE_LENGTH = 12;
/** The code has the first random digits of the ID, so that an index finds the charge, and a signature of the whole ID. */
const ID_DIGITS = 8;
const ID_LENGTH = 20;
const SIGNATURE_BITS = 18n;

/** The code printed on the receipt, as `7K3M-9QX2-4ABD`. It proves a payment, but does not open the receipt. */
export function receiptCode(key: Buffer, { id }: { id: string }): string {
  const start = BigInt(Number.parseInt(id.slice(1, 1 + ID_DIGITS), 36));
  const signature = BigInt(signatureOf(key, `receipt code ${id}`).readUIntBE(0, 3)) >> (24n - SIGNATURE_BITS);
  const digits = ((start << SIGNATURE_BITS) | signature).toString(32).padStart(CODE_LENGTH, '0');
  const letters = [...digits].map(digit => ALPHABET[Number.parseInt(digit, 32)]).join('');
  return letters.replace(/(.{4})(?=.)/g, '$1-');
}

/** The code without regard to letter case, spaces, dashes and confused letters; undefined for a text that is none. */
export function readCode(text: string): string | undefined {
  const letters = text.toUpperCase().replace(/[\s-]/g, '').replaceAll('O', '0').replace(/[IL]/g, '1');
  const isCode = letters.length === CODE_LENGTH && [...letters].every(letter => ALPHABET.includes(letter));
  return isCode ? letters.replace(/(.{4})(?=.)/g, '$1-') : undefined;
}

/** The first and the last possible ID of a charge with this code. */
export function idsOfCode(code: string): { gte: string; lte: string } {
  const value = [...code.replaceAll('-', '')].reduce((sum, letter) => sum * 32n + BigInt(ALPHABET.indexOf(letter)), 0n);
  const start = `t${(value >> SIGNATURE_BITS).toString(36).padStart(ID_DIGITS, '0')}`;
  return { gte: start.padEnd(ID_LENGTH, '0'), lte: start.padEnd(ID_LENGTH, 'z') };
}
