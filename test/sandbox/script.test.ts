import timers from 'node:timers/promises';
import pino from 'pino';
import { HttpAcquirer } from '../../src/gateway/acquirer/client';
import type { MerchantAdvice } from '../../src/gateway/acquirer/port';
import { ORDINARY_CHARGE, visa } from '../harness/cards/testCards';
import { atTheEnd } from '../harness/flow/atTheEnd';
import { until } from '../harness/flow/until';
import { errorOf, SHORT_TIMEOUT_MS, sendRequest, testApi } from '../harness/servers/api';
import { vault } from '../harness/world/secrets';

const api = testApi({ acquirerTimeoutMs: SHORT_TIMEOUT_MS });
/** The simulated acquirer's delay. */
const SLOW_RESPONSE_MS = 2000;
const script = (id: string, body: unknown) => api.rest('POST', `/sandbox/cards/${id}/script`, { body });
const hoursOf = (advice?: MerchantAdvice): string =>
  typeof advice === 'object' ? ` ${advice.retry_after_hours} h` : '';
let customer: string;
let cards: string[];
beforeAll(async () => {
  customer = (await api.rest('POST', '/customers', { body: { name: 'María', email: 'maria@example.com' } })).body.id;
  const paths = ['/cards', `/customers/${customer}/cards`];
  cards = [];
  for (const path of paths) cards.push((await api.rest('POST', path, { body: visa })).body.id);
});

describe('POST /sandbox/cards/:card_id/script', () => {
  it('sets the outcomes of the next charges, for a card of the merchant and for a card of a customer', async () => {
    const acquirer = new HttpAcquirer({
      ...api.acquirer.credentials(),
      vault,
      log: pino({ level: 'silent' }),
      timeoutMs: 600_000,
    });
    // Not awaited: requests without a response end with the simulated acquirer.
    atTheEnd(() => void acquirer.close());
    for (const id of cards) {
      const outcomes = ['approve', 3001, '3003 retry_after_72h', 'timeout', 'timeout_after_charge', 'slow'];
      const answer = await script(id, { outcomes });
      expect([answer.status, answer.body]).toEqual([200, { outcomes }]);
      const row = await api.database.db().card.findUniqueOrThrow({ where: { id } });
      const card = { ...row, number_sealed: row.number_sealed ?? Buffer.alloc(0) };
      const charge = (key: string) =>
        acquirer.charge(`${id}-${key}`, card, 100n, ORDINARY_CHARGE).then(
          outcome => (outcome.approved ? 'approved' : `${outcome.kind}${hoursOf(outcome.advice)}`),
          () => 'no answer',
        );
      const answered: string[] = [];
      const send = async (key: string) => void answered.push(`${key} ${await charge(key)}`);
      const charged = () =>
        api.acquirer
          .journal()
          .filter(({ operation, key }) => operation === 'charge' && key.startsWith(id))
          .map(({ key }) => key.slice(id.length + 1));
      for (const key of ['1', '2', '3']) await send(key);
      void send('4');
      await until(() => api.acquirer.hasTimedOut(id));
      void send('5');
      await until(() => charged().includes('5'));
      // Slow responses take as long as the test needs.
      const held: (() => void)[] = [];
      const sleep = timers.setTimeout;
      const sleeping = jest
        .spyOn(timers, 'setTimeout')
        .mockImplementation((ms, ...more) =>
          ms === SLOW_RESPONSE_MS
            ? new Promise<never>(resolve => held.push(resolve as () => void))
            : sleep(ms, ...more),
        );
      atTheEnd(() => sleeping.mockRestore());
      const slow = send('6');
      await until(() => held.length > 0);
      await send('7');
      for (const answer of held) answer();
      await slow;
      sleeping.mockRestore();
      expect(answered).toEqual(['1 approved', '2 declined', '3 insufficient_funds 72 h', '7 approved', '6 approved']);
      expect(charged()).toEqual(['1', '2', '3', '5', '6', '7']);
    }
  });

  it.each([
    ['no outcomes', {}, 1001],
    ['a string', { outcomes: 'approve' }, 1001],
    ['an object in the list', { outcomes: [{}] }, 1001],
    ['an unknown outcome', { outcomes: ['maybe'] }, 1003],
    ['an unknown advice', { outcomes: ['3001 retry_after_0h'] }, 1003],
    ['advice without a decline', { outcomes: ['approve do_not_retry'] }, 1003],
    ['a code that is no outcome of a charge', { outcomes: [1001] }, 1003],
    ['more than a hundred', { outcomes: Array(101).fill('approve') }, 1003],
  ])('refuses %s', async (_, body, code) => {
    expect(errorOf(await script(cards[0] ?? '', body))).toBe(code);
  });

  it('an empty list removes the script', async () => {
    expect((await script(cards[0] ?? '', { outcomes: [] })).body).toEqual({ outcomes: [] });
  });

  it('fails with 1005 for an unknown card, with any body, and for every card in production', async () => {
    expect(errorOf(await script('k0000000000000000000', { outcomes: [{}] }))).toBe(1005);
    const { id, private_key: key } = api.merchants().production;
    const production = await api.startProduction();
    const url = `${production}/v1/${id}/sandbox/cards/${cards[0]}/script`;
    expect(errorOf(await sendRequest(url, 'POST', { key, body: { outcomes: ['approve'] } }))).toBe(1005);
    const query = `mutation { scriptCard(saved_card_id: "${cards[0]}", script: { outcomes: ["approve"] }) { outcomes } }`;
    expect(errorOf(await sendRequest(`${production}/graphql`, 'POST', { key, body: { query } }))).toBe(1005);
    expect((await api.graphql(query)).body.data.scriptCard).toEqual({ outcomes: ['approve'] });
  });
});
