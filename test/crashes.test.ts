/**
 * Each process of a stack is killed (SIGKILL) during charges. Each charge is made once, and the books agree
 * with the acquirer. `npm run torture` is the long form.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { visa } from './harness/cards/testCards';
import { eventually } from './harness/flow/until';
import { payer } from './harness/merchant/merchantCalls';
import { type ApiResponse, sendRequest } from './harness/servers/api';
import { testStack } from './harness/servers/testStack';

const CHARGES = 12;

const startStack = testStack();
let stack: Awaited<ReturnType<typeof startStack>>;
let source_id: string;
const charged: string[] = [];

/** Repeats the request until the response is final. */
const post = (path: string, body: object, key: string): Promise<ApiResponse> =>
  eventually(async () => {
    const { url, merchant_id, private_key } = stack.credentials;
    const headers = { 'idempotency-key': key };
    const answer = await sendRequest(`${url}/v1/${merchant_id}${path}`, 'POST', { key: private_key, body, headers });
    if (answer.status >= 500) throw new Error(`${answer.status} ${answer.text}`);
    return answer;
  });

beforeAll(async () => {
  stack = await startStack();
  source_id = (await post('/cards', visa, 'card')).body.id;
});

it.each(['api', 'worker', 'acquirer', 'postgres'])('charges once while %s is killed', async part => {
  const details = { method: 'card', amount: 1000, currency: 'COP', iva: '19', description: 'x', customer: payer };
  const body = { ...details, device_session_id: 'd', source_id };
  const { pid } = await stack.installation.readProcessRecord(part);
  const charging = Array.from({ length: CHARGES }, async (_, i) => {
    await sleep(i * 20);
    return post('/charges', body, `${part} ${i}`);
  });
  await charging[0];
  process.kill(pid, 'SIGKILL');
  const answers = await Promise.all(charging);
  expect(answers.map(({ status }) => status)).toEqual(Array(CHARGES).fill(200));
  await eventually(async () => expect((await stack.installation.readProcessRecord(part)).pid).not.toBe(pid));
  charged.push(...answers.map(answer => answer.body.id));
});

it('the books agree with the acquirer, which made each charge once', async () => {
  const approved = (await stack.readJournal()).filter(
    ({ operation, outcome }) => [operation, outcome].join() === 'charge,approved',
  );
  expect(approved.map(({ key }) => key).sort()).toEqual(charged.toSorted());
  await stack.expectAgreement();
  expect(await stack.launcher.stop()).toBe(0);
});
