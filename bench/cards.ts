/**
 * Tokens and cards, compared with raw pg inserting the same rows; for cards also with the acquirer's time subtracted.
 */
import { checkDigit } from '../src/payments/cardDetails/checkDigit';
import { parseCard } from '../src/payments/cardDetails/details';
import { sealCard } from '../src/payments/cardDetails/sealCard';
import { newId } from '../src/platform/identifiers';
import { createVaultKeys } from '../src/platform/vault/keys';
import type { BenchEnvironment } from './environment';
import { comparisonOf, measureRequests, measureStatements, medianRates, openPool } from './measure';
import type { ResultRow } from './results';

const COLUMNS =
  'holder_name, card_number, expiration_month, expiration_year, brand, type, bank_name, bank_code, number_sealed, fingerprint';
const INSERT_TOKEN = `insert into tokens (id, merchant_id, ${COLUMNS}, cvv2_sealed) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) on conflict do nothing returning id`;
const INSERT_CARD = `insert into cards (id, merchant_id, ${COLUMNS}, customer_id) values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10, $11, $12, $13) on conflict do nothing returning id`;
const cardFields = { holder_name: 'María Gómez', cvv2: '123', expiration_month: '12', expiration_year: '39' };

/** A different valid number for each i. */
function cardNumber(i: number): string {
  const body = `4${String(i).padStart(14, '0')}`;
  return `${body}${checkDigit(body)}`;
}

export async function cards({ databaseUrl, url, merchant, acquirer }: BenchEnvironment): Promise<ResultRow[]> {
  const pool = openPool(databaseUrl);
  const customer = newId('customer');
  await pool.query('insert into customers (id, merchant_id, name, email) values ($1, $2, $3, $4)', [
    customer,
    merchant.id,
    'María',
    'maria@example.com',
  ]);
  const sealed = Buffer.alloc(50, 7);
  let count = 0;
  const newRow = (): unknown[] => {
    count += 1;
    const fingerprint = Buffer.alloc(32);
    fingerprint.writeUInt32BE(count);
    return [
      newId('card'),
      merchant.id,
      'María Gómez',
      '400000XXXXXX0000',
      '12',
      '39',
      'visa',
      'credit',
      'Unknown',
      '000',
      sealed,
      fingerprint,
    ];
  };
  const path = `${url}/v1/${merchant.id}`;
  const base = { key: merchant.private_key, method: 'POST' } as const;
  const body = (): string => JSON.stringify({ ...cardFields, card_number: cardNumber(count++) });
  const verify = (): string => {
    count += 1;
    const card = { reference: 'k1', number: cardNumber(count) };
    return JSON.stringify({ key: `bench-${count}`, card });
  };
  const figures = await medianRates({
    'raw insert of a token': measureStatements(pool, p => p.query(INSERT_TOKEN, [...newRow(), sealed])),
    'POST token': measureRequests({ ...base, url: `${path}/tokens`, body }),
    'raw insert of a card': measureStatements(pool, p => p.query(INSERT_CARD, [...newRow(), customer])),
    'POST card': measureRequests({ ...base, url: `${path}/customers/${customer}/cards`, body }),
    "the acquirer's verify": measureRequests({
      url: `${acquirer.url}/verify`,
      method: 'POST',
      bearer: acquirer.key,
      body: verify,
    }),
  });
  await pool.end();
  const times = { card: 1 / (figures['POST card'] ?? 1), verify: 1 / (figures["the acquirer's verify"] ?? 1) };
  figures["POST card without the acquirer's time"] = 1 / (times.card - times.verify);
  const perSecond = 1000 / millisecondsPerCard();
  Object.assign(figures, { 'checking and sealing a card': perSecond, 'one in 0.2 ms': 5000 });
  const compare = comparisonOf(figures);
  return [
    compare('POST token', 'raw insert of a token', '≥ 0.3'),
    compare('POST card', 'raw insert of a card'),
    compare("POST card without the acquirer's time", 'raw insert of a card'),
    compare('checking and sealing a card', 'one in 0.2 ms', '≥ 1'),
  ];
}

/** Validation, AES and HMAC of one card, in this process. */
function millisecondsPerCard(): number {
  const vault = createVaultKeys(new Map([['k', Buffer.alloc(32, 1)]]), Buffer.alloc(32, 2));
  const once = (i: number): unknown =>
    sealCard(
      { vault, merchant_id: 'm0' },
      'k0',
      parseCard({ ...cardFields, card_number: cardNumber(i) }, 'sandbox', new Date()),
    );
  for (let i = 0; i < 2000; i++) once(i);
  const start = performance.now();
  for (let i = 0; i < 10_000; i++) once(i);
  return (performance.now() - start) / 10_000;
}
