/** Random lives of a subscription, for the tests of the rules. */
import fc from 'fast-check';
import { initialState, nextAction, transition } from '../../../workflows/billing';
import { addDays, DAY_MS, dayOf } from '../../../workflows/calendar';
import type { AttemptOutcome, BillingEvent, BillingState, PlanTerms } from '../../../workflows/state';

export const terms: fc.Arbitrary<PlanTerms> = fc.record({
  repeat_every: fc.integer({ min: 1, max: 6 }),
  repeat_unit: fc.constantFrom('week', 'month', 'year'),
  retry_times: fc.integer({ min: 0, max: 20 }),
  status_after_retry: fc.constantFrom('unpaid', 'cancelled'),
});

/** What the world does, one after the other: time passes, the acquirer answers or not, the merchant wants something. */
export const deed = fc.oneof(
  {
    weight: 24,
    arbitrary: fc.record({
      do: fc.constant('proceed'),
      outcome: fc.constantFrom<AttemptOutcome | 'silence'>('paid', 'paid', 'declined', 'declined', 'silence'),
      known: fc.boolean(),
    }),
  },
  { weight: 6, arbitrary: fc.record({ do: fc.constant('wait'), days: fc.double({ min: 0, max: 40, noNaN: true }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('flag'), on: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('card'), card: fc.constantFrom('k1', 'k2', 'k3') }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('trial'), days: fc.integer({ min: -30, max: 60 }) }) },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('cancel') }) },
);
type Deed = typeof deed extends fc.Arbitrary<infer T> ? T : never;

export interface Charge {
  period: number;
  at: number;
  free: boolean;
  outcome?: AttemptOutcome;
}

/** Lives it, and looks at every step. */
export function live(terms: PlanTerms, at: number, trialDays: number, deeds: Deed[]) {
  let now = at;
  let s = initialState('s0000000000000000001', terms, 'k0', at, addDays(dayOf(at), trialDays - 1));
  const charges: Charge[] = [];
  const seen: BillingState[] = [s];
  const sentAgain: BillingState[] = [];
  const happen = (happening: BillingEvent): void => {
    s = transition(s, happening);
    seen.push(s);
  };
  for (const deed of deeds) {
    if (deed.do === 'wait') now += deed.days * DAY_MS;
    if (deed.do === 'flag') happen({ type: 'change', at: now, cancel_at_period_end: deed.on });
    if (deed.do === 'card') happen({ type: 'change', at: now, card_id: deed.card });
    if (deed.do === 'trial') happen({ type: 'change', at: now, trial_end_date: addDays(dayOf(now), deed.days) });
    if (deed.do === 'cancel') happen({ type: 'cancel', reason: 'cancelled_by_merchant' });
    if (deed.do !== 'proceed') continue;
    const todo = nextAction(s);
    if (todo.do === 'nothing') continue;
    now = Math.max(now, todo.at);
    if (todo.do === 'cancel') {
      happen({ type: 'cancel', reason: todo.reason });
      continue;
    }
    if (todo.do === 'charge') {
      charges.push({ ...todo.attempt, at: now });
      happen({ type: 'prepared', real: now, attempt: todo.attempt, transaction_id: `t${charges.length}` });
    }
    const sent = todo.do === 'charge' || todo.send;
    if (todo.do === 'resolve' && sent) sentAgain.push(s);
    if (deed.outcome === 'silence') happen({ type: 'unanswered', real: now });
    else {
      // What is only asked about, the acquirer knows or does not know.
      const outcome = sent || deed.known ? deed.outcome : 'not_made';
      Object.assign(charges.at(-1) as Charge, { outcome });
      happen({ type: 'answered', at: now, outcome });
    }
  }
  return { s, charges, seen, sentAgain, cards: deeds.filter(deed => deed.do === 'card').length };
}
