/** Injects the scheduled faults. Each returns its effect; a fault without an effect fails. */
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { unanswered } from './client';
import type { Fault } from './schedule';
import type { Part, TortureStack } from './stack';

/** Maximum time until a fault has an effect, and until a killed process is back. */
const PATIENCE_MS = 120_000;
const POLL_MS = 50;

/** Waits for a condition; the description is used in the error. */
async function until<T>(what: string, condition: () => Promise<T | undefined> | T | undefined): Promise<T> {
  for (const deadline = Date.now() + PATIENCE_MS; Date.now() < deadline; await sleep(POLL_MS)) {
    const value = await condition();
    if (value !== undefined && value !== false) return value;
  }
  throw new Error(`never happened: ${what}`);
}

/** Resolves after the fault with its effect. */
export async function cause(fault: Fault, stack: TortureStack): Promise<string> {
  const before = unanswered();
  const shown = await perform(fault, stack);
  return `${shown}; ${unanswered() - before} requests had no answer meanwhile`;
}

function perform(fault: Fault, stack: TortureStack): Promise<string> {
  const { kind, seconds } = fault;
  if (kind === 'lose answers') return disturbLink(stack, 'mute', 'lost', seconds);
  if (kind === 'slow answers') return disturbLink(stack, 'slow', 'late', seconds);
  if (kind === 'wrong clock') return setClockWrong(stack, fault);
  if (kind === 'full disk') return fillDisk(stack, seconds);
  return kill(stack, kind.slice('kill '.length) as Part);
}

async function kill(stack: TortureStack, part: Part): Promise<string> {
  const pid = await until(`${part} runs`, () => stack.pidOf(part));
  process.kill(pid, 'SIGKILL');
  const began = Date.now();
  await until(`${part} is restarted`, () => {
    const next = stack.pidOf(part);
    return next !== undefined && next !== pid;
  });
  return `process ${pid} was killed and restarted after ${((Date.now() - began) / 1000).toFixed(1)} s`;
}

/** Lasts as scheduled, and until a response was affected. Such faults do not overlap. */
async function disturbLink(
  { link }: TortureStack,
  state: 'mute' | 'slow',
  counter: 'lost' | 'late',
  seconds: number,
): Promise<string> {
  await until('the line to the acquirer is good again', () => link.state === 'good');
  const before = link[counter];
  link.state = state;
  try {
    await sleep(seconds * 1000);
    await until(`an answer of the acquirer is ${counter}`, () => link[counter] > before);
  } finally {
    link.state = 'good';
  }
  return `${link[counter] - before} answers of the acquirer were ${counter}`;
}

/** Reads the worker's clock from the responses of its metrics page. */
async function setClockWrong({ clock, otherWorkerUrl }: TortureStack, { minutes, seconds }: Fault): Promise<string> {
  const readError = async (): Promise<number> => {
    const { headers } = await fetch(otherWorkerUrl, { signal: AbortSignal.timeout(5000) });
    return (Date.parse(headers.get('date') ?? '') - Date.now()) / 60_000;
  };
  const isWrongBy = async (expected: number): Promise<boolean> =>
    readError().then(
      error => Math.abs(error - expected) < 0.5,
      () => false,
    );
  await until('its clock is right', async () => (await isWrongBy(0)) || undefined);
  clock?.set(minutes);
  try {
    await until('its clock is wrong', async () => (await isWrongBy(minutes)) || undefined);
    await sleep(seconds * 1000);
  } finally {
    clock?.set(0);
  }
  await until('its clock is right again', async () => (await isWrongBy(0)) || undefined);
  return `the second worker's clock was ${Math.abs(minutes)} minutes ${minutes > 0 ? 'fast' : 'slow'}`;
}

async function fillDisk({ disk, otherDatabaseUrl }: TortureStack, seconds: number): Promise<string> {
  await until('the disk has space again', () => !disk?.isFull);
  let shown: string;
  try {
    shown = await until('PostgreSQL has no space left', async () => {
      disk?.fill();
      return writeUntilRefused(otherDatabaseUrl);
    });
    await sleep(seconds * 1000);
  } finally {
    disk?.empty();
  }
  await until(
    'PostgreSQL writes again',
    async () => (await writeUntilRefused(otherDatabaseUrl, 1)) === undefined || undefined,
  );
  return `PostgreSQL failed with: ${shown}`;
}

/** Error of the server if it cannot write; undefined if it can, or is unreachable. */
async function writeUntilRefused(connectionString: string, rows = 20): Promise<string | undefined> {
  const client = new Client({ connectionString, connectionTimeoutMillis: 2000 });
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('create table if not exists filler (bytes text)');
    await client.query('alter table filler alter bytes set storage external');
    for (let i = 0; i < rows; i++) await client.query(`insert into filler values (repeat('x', 200000))`);
    await client.query('truncate filler');
    return undefined;
  } catch (error) {
    const { code, message } = error as { code?: string; message: string };
    return code === '53100' || rows === 1 ? message : undefined;
  } finally {
    await client.end().catch(() => undefined);
  }
}
