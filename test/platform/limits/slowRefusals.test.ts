import { mock } from 'node:test';
import { SlowRefusals } from '../../../src/api/admission/slowRefusals';
import { atTheEnd } from '../../harness/flow/atTheEnd';
import { freezeClock } from '../../harness/flow/frozenClock';

const turn = (): Promise<void> => new Promise(resolve => setImmediate(resolve));

it('answers those slowly who go on although they are refused, and only those', async () => {
  freezeClock();
  // A process that is halted here for a second would find the slow answers given.
  mock.timers.enable({ apis: ['setTimeout'] });
  atTheEnd(() => mock.timers.reset());
  const refusals = new SlowRefusals();
  let answered = 0;
  const refuse = (owner: string) => refusals.answer(owner).then(() => answered++);
  const all = Array.from({ length: 30 }, () => refuse('pushing'));
  await turn();
  expect(answered).toBe(20);
  await refuse('patient');
  expect(answered).toBe(21);
  mock.timers.tick(1000);
  await Promise.all(all);
  expect(answered).toBe(31);
});
