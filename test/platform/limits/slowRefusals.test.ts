import { mock } from 'node:test';
import timers from 'node:timers/promises';
import { SlowRefusals } from '../../../src/api/admission/slowRefusals';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { freezeClock } from '../../harness/flow/frozenClock';

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

it('the API slows down only callers that continue after a refusal', async () => {
  freezeClock();
  // The test controls the delays, because real delays could end while this process is halted.
  const delayed: (() => void)[] = [];
  mock.method(timers, 'setTimeout', () => new Promise<void>(resolve => delayed.push(resolve)));
  atTheEnd(() => {
    mock.restoreAll();
    for (const end of delayed) end();
  });
  const refusals = new SlowRefusals();
  let answered = 0;
  const refuse = (owner: string) => refusals.answer(owner).then(() => answered++);
  const all = Array.from({ length: 30 }, () => refuse('pushing'));
  await turn();
  expect(answered).toBe(20);
  await refuse('patient');
  expect(answered).toBe(21);
  for (const end of delayed) end();
  await Promise.all(all);
  expect(answered).toBe(31);
});
