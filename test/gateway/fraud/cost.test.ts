/** The cost of fraud rules per payment in SQL statements. */
import { Client } from 'pg';
import type { FraudRuleRecord } from '../../../src/gateway/fraud/rule';
import { FraudScreening } from '../../../src/gateway/fraud/screening';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { eventually } from '../../harness/flow/until';
import { merchantCalls } from '../../harness/merchant/merchantCalls';
import { testApi } from '../../harness/servers/api';
import { vault } from '../../harness/world/secrets';

const api = testApi();
const shop = merchantCalls(api);
const statements = jest.spyOn(Client.prototype, 'query');
atTheEnd(() => statements.mockRestore());
const aboutRules = (): string[] =>
  statements.mock.calls
    .map(([statement]) => (typeof statement === 'string' ? statement : (statement as { text: string }).text))
    .filter(text => /fraud_counters|fraud_presets|"public"\."fraud_rules"/.test(text));

it('the default rules cost no statement for an approved payment, and one statement for a declined payment', async () => {
  const card = await shop.newCard();
  const declining = await shop.newCard('/cards', '4000000000000341');
  // On a busy machine the connection for changes of rules may drop for a moment, and then no rules are cached.
  await eventually(async () => {
    await shop.newCharge(card);
    statements.mockClear();
    for (let i = 0; i < 3; i++) await shop.newCharge(card);
    expect(aboutRules()).toEqual([]);
    await shop.post('/charges', { ...shop.charge, source_id: declining, customer: shop.payer });
    expect(aboutRules()).toEqual([expect.stringContaining('insert into fraud_counters')]);
  });
});

describe('a rule that allows 40 declines', () => {
  const rule: FraudRuleRecord = {
    name: 'forty',
    kind: 'declines',
    enabled: true,
    applies_to: 'charges',
    parameters: { scope: 'device', max: 40, minutes: 43_200 },
  };
  const newProcess = () =>
    new FraudScreening(api.database.db(), vault, { rulesOf: async () => [rule], forget: () => undefined });
  const at = new Date();
  const facts = (device: string) => ({ merchant_id: 'm', purpose: 'charges', at, amount: 1n, device }) as const;

  it('lets exactly 40 declines through, both concurrent and successive', async () => {
    let sent = 0;
    const decline = async () => {
      sent++;
      return { approved: false, kind: 'declined' } as const;
    };
    const process = newProcess();
    await Promise.all(Array.from({ length: 100 }, () => process.screen(facts('crowd'), decline)));
    expect(sent).toBe(40);
    sent = 0;
    for (let i = 0; i < 60; i++) await process.screen(facts('queue'), decline);
    expect(sent).toBe(40);
  });

  it('lets at most 10% more through in another process that has not read the counter yet', async () => {
    let sent = 0;
    const decline = async () => {
      sent++;
      return { approved: false, kind: 'declined' } as const;
    };
    const [one, other] = [newProcess(), newProcess()];
    for (let i = 0; i < 50; i++) await one.screen(facts('shared'), decline);
    expect(sent).toBe(40);
    await Promise.all(Array.from({ length: 50 }, () => other.screen(facts('shared'), decline)));
    expect(sent).toBeLessThanOrEqual(44);
  });

  it('does not count approvals and failures', async () => {
    const process = newProcess();
    const approve = async () => ({ approved: true, authorization: '1' }) as const;
    for (let i = 0; i < 100; i++) await process.screen(facts('good'), approve);
    const fail = (): Promise<undefined> => Promise.reject(new Error('no answer'));
    for (let i = 0; i < 100; i++) await expect(process.screen(facts('good'), fail)).rejects.toThrow('no answer');
    expect(await process.screen(facts('good'), approve)).toMatchObject({ approved: true });
  });
});
