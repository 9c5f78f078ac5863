/** The state of the page: read every few seconds, and kept while the server is silent. */
import { signal } from '@preact/signals';
import { ask, Problem } from '../shared/api/ask';
import type { ResultOf } from '../shared/api/graphql';
import { required } from '../shared/api/required';
import { graphql } from './graphql';
import { t } from './texts';

const OPERATIONS = graphql(`
  query Operations {
    currentOperator { name role }
    operations {
      now
      environments {
        environment overdue overdue_seconds unknowns outbox_rows outbox_seconds deliveries workers
        minutes { at charged declined unanswered }
      }
      workers { id environment host pid build started_at beat_at alive draining }
      paused { kind environment id name reason by since }
      unknowns { id environment merchant_id transaction_type progress subscription_id since }
      audit { scope name checks differences examples { text } ended_at }
    }
  }
`);

type Operator = NonNullable<ResultOf<typeof OPERATIONS>['currentOperator']>;
export type Operations = NonNullable<ResultOf<typeof OPERATIONS>['operations']>;
export type Figures = Operations['environments'][number];
export type Minute = Figures['minutes'][number];
export type Worker = Operations['workers'][number];
export type Paused = Operations['paused'][number];
export type Unknown = Operations['unknowns'][number];
export type Finding = Operations['audit'][number];

const NOT_AUTHENTICATED = 1002;
const INTERVAL_MS = 3000;
/** A longer request is aborted, and the page reports that the server does not respond. */
const TIMEOUT_MS = 10_000;
/** Maximum number of samples for the small charts: half an hour. */
const MAX_SEEN = 600;

export const operations = signal<Operations | undefined>(undefined);
/** The signed-in operator. */
export const operator = signal<Operator | undefined>(undefined);
/** Samples since the page was opened, oldest first. */
export const seen = signal<Figures[][]>([]);
export const isSignedIn = signal<boolean | undefined>(undefined);
/** Time of the first request without an answer; undefined while the server responds. */
export const silentSince = signal<string | undefined>(undefined);

async function look(): Promise<void> {
  try {
    const answer = await ask(OPERATIONS, {}, { session: 'operator', signal: AbortSignal.timeout(TIMEOUT_MS) });
    operator.value = required(answer.currentOperator);
    operations.value = required(answer.operations);
    seen.value = [...seen.value, operations.value.environments].slice(-MAX_SEEN);
    silentSince.value = undefined;
    isSignedIn.value = true;
  } catch (error) {
    if (error instanceof Problem && error.code === NOT_AUTHENTICATED) isSignedIn.value = false;
    else silentSince.value ??= operations.value?.now ?? new Date().toISOString();
    isSignedIn.value ??= false;
  }
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** Reads now, and every few seconds while an operator is signed in. */
export async function watch(): Promise<void> {
  clearTimeout(timer);
  await look();
  if (isSignedIn.value) timer = setTimeout(watch, INTERVAL_MS);
}

/** Returns the problem, or undefined once signed in. Throws if the server is unreachable. */
export async function signIn(operator_key: string): Promise<string | undefined> {
  const body = JSON.stringify({ operator_key: operator_key.trim() });
  const { status } = await fetch('/operator/session', { method: 'POST', body });
  if (status === 401) return t.wrongKey;
  if (status === 403) return t.notOperator;
  if (status !== 204) throw new Error(String(status));
  await watch();
  return undefined;
}

const ROLES = ['read', 'support', 'admin'] as const;

/** The API enforces it; this only hides buttons. */
export const mayAct = (role: Operator['role']): boolean =>
  ROLES.indexOf(operator.value?.role ?? 'read') >= ROLES.indexOf(role);

/** Begins anew, so that nothing of what was seen stays in the page. */
export async function signOut(): Promise<void> {
  await fetch('/operator/session', { method: 'DELETE' });
  location.reload();
}
