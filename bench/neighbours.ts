/**
 * Effect of an abusive merchant on another one: latency of its requests, compared with an idle service, with the default
 * rate limits.
 */
import { fork } from 'node:child_process';
import { setTimeout as sleep } from 'node:timers/promises';
import { LIMIT_VARIABLES } from '../src/platform/limits/settings';
import { fromRoot } from '../src/platform/root';
import type { Attack } from './attacker';
import type { BenchEnvironment } from './environment';
import { openMerchant } from './fleet';

import { startApi } from './programs';
import type { ResultRow } from './results';

const WINDOW_MS = 5000;
const ROUNDS = 3;
/** A merchant with ordinary traffic. */
const PAUSE_MS = 10;
const WARM_UP_MS = 1500;
const EVENTS = 2000;

const basic = (key: string): string => `Basic ${Buffer.from(`${key}:`).toString('base64')}`;
const card = { holder_name: 'M', card_number: '4242424242424242', cvv2: '123', expiration_month: '12' };
const charge = { method: 'card', amount: 1000, currency: 'COP', iva: '19', description: 'x', device_session_id: 'd' };
const customer = { name: 'María', email: 'maria@example.com' };

export async function neighbours(environment: BenchEnvironment): Promise<ResultRow[]> {
  const { url, down } = await startApi({ ...environment, variables: withLimits(environment) });
  const victim = await openCustomer(environment, url);
  const attacker = await openCustomer(environment, url);
  const silent = await attacker.newCard();
  await attacker.post(`/sandbox/cards/${silent}/script`, { outcomes: Array(100).fill('timeout') });
  await fillWithEvents(environment, attacker.id);
  const get = (path: string, connections = 32): Partial<Attack> => ({ url: attacker.url + path, connections });
  const post = (path: string, body: object, connections = 32): Partial<Attack> => ({
    ...get(path, connections),
    method: 'POST',
    body: JSON.stringify(body),
  });
  const graphql = (query: string): Partial<Attack> => ({ ...post('', { query }, 16), url: `${url}/graphql` });
  const attacks: Record<string, Partial<Attack>> = {
    'reads as fast as it can': get(`/customers/${attacker.customer}`, 64),
    'charges as fast as it can': post('/charges', { ...charge, customer, source_id: attacker.card }, 64),
    'reads lists of 1,000': get('/events?limit=1000', 16),
    'introspects in GraphQL': graphql(
      `{ ${'abcdefgh'.replace(/./g, '$&: __schema { types { name fields { name } } } ')} }`,
    ),
    'reads lists in GraphQL': graphql(
      '{ events(limit: 1000) { nodes { id object { __typename ... on Transaction { id amount status } } } } }',
    ),
    'charges a card that gets no answer': post('/charges', { ...charge, customer, source_id: silent }, 100),
    'tries out card numbers': post('/cards', { ...card, expiration_year: '39', card_number: '4222222222222220' }),
    'makes tokens in a browser': {
      ...post('/tokens', { ...card, expiration_year: '39' }),
      authorization: basic(attacker.public_key),
    },
    'guesses keys': { ...get(''), authorization: basic(`sk_${'0'.repeat(32)}`) },
  };
  await victim.measure(); // warm-up
  const rows: ResultRow[] = [];
  for (const [name, attack] of Object.entries(attacks)) {
    const rounds: { idle: Latencies; attacked: Latencies }[] = [];
    for (let round = 0; round < ROUNDS; round++) {
      const idle = await victim.measure();
      const child = fork(fromRoot('dist/bench/attacker.js'));
      child.send({ method: 'GET', authorization: basic(attacker.private_key), ...attack });
      await sleep(WARM_UP_MS);
      rounds.push({ idle, attacked: await victim.measure() });
      child.kill('SIGKILL');
      await sleep(WARM_UP_MS);
    }
    for (const what of ['GET customer', 'POST charge'] as const) rows.push(compare(name, what, rounds));
    process.stderr.write(`${name}\n`);
  }
  await down();
  return rows;
}

/** Idle and attacked windows alternate, because other load varies. The p99 covers all windows. */
function compare(name: string, what: keyof Latencies, rounds: { idle: Latencies; attacked: Latencies }[]): ResultRow {
  const attacked = rounds.flatMap(round => round.attacked[what]);
  const [p99, idleP99] = [percentile(attacked), percentile(rounds.flatMap(({ idle }) => idle[what]))];
  return {
    what: `${what} while another ${name}`,
    per_second: Math.round(attacked.length / ROUNDS / (WINDOW_MS / 1000)),
    beside: `p99 ${p99.toFixed(1)} ms, idle ${idleP99.toFixed(1)} ms`,
    ratio: p99 / idleP99,
    target: '≤ 3',
  };
}

/** In milliseconds. */
type Latencies = Record<'GET customer' | 'POST charge', number[]>;

export const percentile = (values: number[]): number =>
  values.sort((a, b) => a - b)[Math.floor(values.length * 0.99)] ?? 0;

/** Restores the default rate limits, which other benchmarks disable. */
export function withLimits({ variables }: BenchEnvironment): Record<string, string> {
  const names: readonly string[] = LIMIT_VARIABLES;
  return Object.fromEntries(Object.entries(variables).filter(([name]) => !names.includes(name)));
}

/** Creates a merchant with a customer and a card. */
async function openCustomer(environment: BenchEnvironment, origin: string) {
  const { merchant, request } = await openMerchant(environment, origin);
  const url = `${origin}/v1/${merchant.id}`;
  const post = (path: string, body: object) => request('POST', path, body);
  const newCard = async (): Promise<string> => (await post('/cards', { ...card, expiration_year: '39' })).id;
  const own = { customer: (await post('/customers', customer)).id, card: await newCard() };

  const measure = async (): Promise<Latencies> => {
    const latencies: Latencies = { 'GET customer': [], 'POST charge': [] };
    const time = async (what: keyof Latencies, send: () => Promise<unknown>): Promise<void> => {
      const start = performance.now();
      await send();
      latencies[what].push(performance.now() - start);
      await sleep(PAUSE_MS);
    };
    const deadline = Date.now() + WINDOW_MS;
    while (Date.now() < deadline) {
      await time('GET customer', () => request('GET', `/customers/${own.customer}`));
      await time('POST charge', () => post('/charges', { ...charge, customer, source_id: own.card }));
    }
    return latencies;
  };
  return { ...merchant, url, ...own, post, newCard, measure };
}

const fillWithEvents = ({ db }: BenchEnvironment, merchant_id: string): Promise<unknown> => db.$executeRaw`
  insert into events (id, merchant_id, type, object_id, object, creation_date)
  select 'e' || lpad(i::text, 19, '0'), ${merchant_id}, 'charge.succeeded', 't' || lpad(i::text, 19, '0'),
    jsonb_build_object('id', i, 'description', repeat('x', 1000)), now()
  from generate_series(1, ${EVENTS}) as i`;
