/** What the page knows: asked for every few seconds, and kept while there is no answer. */
import { signal } from '@preact/signals';

export interface Minute {
  at: string;
  charged: number;
  declined: number;
  unanswered: number;
}

export interface Figures {
  environment: 'sandbox' | 'production';
  overdue: number;
  overdue_seconds: number;
  unknowns: number;
  outbox_rows: number;
  outbox_seconds: number;
  deliveries: number;
  workers: number;
  minutes: Minute[];
}

export interface Worker {
  id: string;
  environment: string | null;
  host: string;
  pid: number;
  build: string;
  started_at: string;
  beat_at: string;
  alive: boolean;
  draining: boolean;
}

export interface Paused {
  kind: string;
  environment: string;
  id: string;
  name: string;
  reason: string | null;
  by: string | null;
  since: string;
}

export interface Unknown {
  id: string;
  environment: string;
  merchant_id: string;
  transaction_type: string;
  progress: string;
  subscription_id: string | null;
  since: string;
}

export interface Finding {
  scope: string;
  name: string;
  checks: number;
  differences: number;
  examples: { text: string }[];
  ended_at: string;
}

export interface Operations {
  now: string;
  environments: Figures[];
  workers: Worker[];
  paused: Paused[];
  unknowns: Unknown[];
  audit: Finding[];
}

const INTERVAL_MS = 3000;
/** A request that takes longer is given up: no answer is the message then. */
const TIMEOUT_MS = 10_000;
/** How much of what it has seen the page keeps, for its small curves: half an hour. */
const MAX_SEEN = 600;

export const operations = signal<Operations | undefined>(undefined);
/** What was seen since the page was opened, oldest first. */
export const seen = signal<Figures[][]>([]);
export const isSignedIn = signal<boolean | undefined>(undefined);
/** Since when there was no answer; undefined while there is. */
export const silentSince = signal<string | undefined>(undefined);

async function look(): Promise<void> {
  try {
    const response = await fetch('/operator/operations', { signal: AbortSignal.timeout(TIMEOUT_MS) });
    if (response.status === 401 || response.status === 403) {
      isSignedIn.value = false;
      return;
    }
    if (!response.ok) throw new Error(String(response.status));
    const found = (await response.json()) as Operations;
    operations.value = found;
    seen.value = [...seen.value, found.environments].slice(-MAX_SEEN);
    silentSince.value = undefined;
    isSignedIn.value = true;
  } catch {
    silentSince.value ??= operations.value?.now ?? new Date().toISOString();
    isSignedIn.value ??= false;
  }
}

let timer: ReturnType<typeof setTimeout> | undefined;

/** At once, and from then on for as long as somebody is signed in. */
export async function watch(): Promise<void> {
  clearTimeout(timer);
  await look();
  if (isSignedIn.value) timer = setTimeout(watch, INTERVAL_MS);
}

/** 204 where the key was accepted; 0 where the server could not be reached. */
export async function signIn(operator_key: string): Promise<number> {
  const body = JSON.stringify({ operator_key: operator_key.trim() });
  const { status } = await fetch('/operator/session', { method: 'POST', body }).catch(() => ({ status: 0 }));
  if (status === 204) await watch();
  return status;
}

/** Begins anew, so that nothing of what was seen stays in the page. */
export async function signOut(): Promise<void> {
  await fetch('/operator/session', { method: 'DELETE' });
  location.reload();
}
