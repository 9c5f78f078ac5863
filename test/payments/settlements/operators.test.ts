/** The operators' view of settlement reports, over GraphQL and by command. */
import { testCharges } from '../../harness/merchant/charges';
import { operatorCommands } from '../../harness/merchant/operatorCommands';
import { testOperators } from '../../harness/merchant/operators';
import { testSettlements } from '../../harness/merchant/settlements';
import { errorOf } from '../../harness/servers/api';

const { api, newCharge, db } = testCharges({ ownWorld: true });
const { operate } = testOperators(api);
const { send, item, reportOf, reportRow, settle, match } = testSettlements(api);

const command = operatorCommands(() => ({ db: db(), secret: api.secret }));
const run = async (...args: string[]) => (await command(...args)).text;

const ids = { charge: '', report: '' };
beforeAll(async () => {
  ids.charge = await newCharge();
  await settle([item(await newCharge(), 100_000)], { id: 'good', date: '2026-11-17T11:00:00Z' });
  const items = [item(ids.charge, 5), item('t0000000000000000000', 7)];
  await settle(items, { id: 'bad', date: '2026-11-18T11:00:00Z' });
  ids.report = (await reportRow('bad')).id;
  await send(reportOf([item(ids.charge, 5)], { id: 'open', parts: 2, date: '2026-11-19T11:00:00Z' }));
  await send(reportOf([item(ids.charge, 5)], { id: 'refused', total: 1, date: '2026-11-20T11:00:00Z' }));
  await match('refused');
});

it('settlementReports lists reports, newest first, by status and by cursor', async () => {
  const { nodes: reports } = await operate('read', '{ settlementReports { nodes { reference status } } }');
  expect(reports).toEqual([
    { reference: 'refused', status: 'refused' },
    { reference: 'open', status: 'receiving' },
    { reference: 'bad', status: 'differs' },
    { reference: 'good', status: 'matched' },
  ]);
  const bad = `{ settlementReports(status: differs) { nodes { id environment day count total matched differing reason ended_at } } }`;
  expect((await operate('read', bad)).nodes).toEqual([
    {
      id: ids.report,
      environment: 'sandbox',
      day: '2026-11-16',
      count: 2,
      total: 12,
      matched: 0,
      differing: 2,
      reason: null,
      ended_at: expect.stringMatching(/-05:00$/),
    },
  ]);
  const { edges, pageInfo } = await operate(
    'read',
    '{ settlementReports(first: 3) { edges { node { reference } } pageInfo { endCursor } } }',
  );
  expect(edges).toHaveLength(3);
  const rest = `{ settlementReports(after: "${pageInfo.endCursor}") { edges { node { reference } } } }`;
  expect((await operate('read', rest)).edges).toEqual([{ node: { reference: 'good' } }]);
});

it('settlementReports lists differences, with the values of the ledger', async () => {
  const fields = 'line result merchant_id type key transaction_id amount expected';
  const differences = `{ settlementDifferences(id: "${ids.report}") { nodes { ${fields} } } }`;
  const shared = { merchant_id: api.merchants().own.id, type: 'charge' };
  expect((await operate('read', differences)).nodes).toEqual([
    {
      ...shared,
      line: 1,
      result: 'wrong_amount',
      key: ids.charge,
      transaction_id: ids.charge,
      amount: 5,
      expected: 100_000,
    },
    {
      ...shared,
      line: 2,
      result: 'unknown',
      key: 't0000000000000000000',
      transaction_id: 't0000000000000000000',
      amount: 7,
      expected: null,
    },
  ]);
  const page = (args: string) =>
    operate('read', `{ settlementDifferences(${args}) { nodes { line } pageInfo { hasNextPage endCursor } } }`);
  const first = await page(`id: "${ids.report}", first: 1`);
  expect(first).toEqual({ nodes: [{ line: 1 }], pageInfo: { hasNextPage: true, endCursor: '1' } });
  const second = await page(`id: "${ids.report}", after: "1"`);
  expect(second).toEqual({ nodes: [{ line: 2 }], pageInfo: { hasNextPage: false, endCursor: '2' } });
  expect(errorOf(await page(`id: "${ids.report}", after: "x"`))).toBe(1003);
  expect(errorOf(await page('id: "z0"'))).toBe(1005);
});

it('npm run operator prints the same', async () => {
  const [titles = '', row = ''] = (await run('settlements', '--status', 'refused')).split('\n');
  expect(titles).toMatch(/^ID +ENVIRONMENT +DAY +REFERENCE +STATUS +COUNT +MATCHED +DIFFERING +REASON$/);
  expect(row).toContain('The sum of the items differs from the stated total.');
  expect((await run('differences', ids.report)).split('\n')).toHaveLength(3);
  await expect(run('settlements', '--status', 'lost')).rejects.toThrow('--status must be one of receiving');
  await expect(run('differences', 'z0')).rejects.toThrow('does not exist');
});
