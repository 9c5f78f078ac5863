/** The history of a subscription in the reader's language. */

import { HISTORY_EVENTS } from '../../../src/billing/subscriptions/lines/events';
import { english } from '../../../src/billing/subscriptions/words/english';
import { spanish } from '../../../src/billing/subscriptions/words/spanish';
import { ERRORS, errorKindOf } from '../../../src/platform/errors';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { errorOf, testApi } from '../../harness/servers/api';

const api = testApi();
const shop = merchantCalls(api);
let id: string;
let path: string;
let until: string;

beforeAll(async () => {
  const customer_id = await shop.newCustomer();
  const source_id = await shop.newCard(`/customers/${customer_id}/cards`);
  const plan_id = await shop.newPlan({ trial_days: 5 });
  const { body } = await shop.post(`/customers/${customer_id}/subscriptions`, { plan_id, source_id });
  id = body.id;
  until = body.trial_end_date;
  path = `/customers/${customer_id}/subscriptions/${id}/history`;
});

const summary = async (query = '', acceptLanguage?: string): Promise<string> =>
  (
    await api.rest('GET', `${path}${query}`, {
      headers: acceptLanguage === undefined ? {} : { 'accept-language': acceptLanguage },
    })
  ).body.summary;

it('the history is in English, or in the language of Accept-Language, or in that of `language` first of all', async () => {
  const [inEnglish, inSpanish] = [`In trial until ${until}.`, `En prueba hasta el ${until}.`];
  expect(await summary()).toBe(inEnglish);
  expect(await summary('', '*')).toBe(inEnglish);
  expect(await summary('', 'fr-CA, es;q=0.8, en;q=0.3')).toBe(inSpanish);
  expect(await summary('', 'es-CO;q=0.2, en-GB')).toBe(inEnglish);
  expect(await summary('?language=es')).toBe(inSpanish);
  expect(await summary('?language=en', 'es')).toBe(inEnglish);
  expect(errorOf(await api.rest('GET', `${path}?language=fr`))).toBe(1003);
});

it('the history returns the requested language in GraphQL, or both in one document', async () => {
  const document = `query ($id: ID!) { subscription(subscription_id: $id) {
    es: history(language: es) { summary next entries { nodes { description } } } en: history(language: en) { summary } }
    history(subscription_id: $id, language: es) { next } }`;
  const { subscription, history } = (await api.graphql(document, { id })).body.data;
  expect(subscription).toMatchObject({
    es: { summary: `En prueba hasta el ${until}.`, entries: { nodes: [{ description: 'Se creó la suscripción.' }] } },
    en: { summary: `In trial until ${until}.` },
  });
  expect(history.next).toBe(subscription.es.next);
  expect(history.next).toMatch(/^El \d{4}-\d\d-\d\d se cobra el período 1\.$/);
});

it.each(HISTORY_EVENTS)('%s has a text with its details in both languages', event => {
  const line = { event, date: new Date(), period: 7, error_code: 3003, day: '2027-01-31' };
  const sentences = [english, spanish].map(words => words.lines[event](line));
  expect(sentences[0]).not.toBe(sentences[1]);
  for (const fact of ['7', '3003', '2027-01-31'])
    expect(sentences.map(text => text.includes(fact))).toEqual(Array(2).fill(sentences[0]?.includes(fact)));
});

it('every decline reason has a Spanish text', () => {
  const declines = ERRORS.filter(({ code }) => code === 1007 || (code >= 3001 && code <= 3012)).map(({ code }) => code);
  const said = declines.map(error_code =>
    spanish.lines.declined({ event: 'declined', date: new Date(), period: 1, error_code }),
  );
  expect(new Set(said.map(text => text.replace(/\(\d+\)/, ''))).size).toBe(declines.length);
  expect(declines.map(errorKindOf)).not.toContain('internal');
});
