/** The open operations, with their texts and results. Each continues to run while another one is shown. */
import { batch, computed, signal } from '@preact/signals';
import { type DocumentNode, type OperationDefinitionNode, parse, print } from 'graphql';
import { noteIds } from '../shared/lastIds';
import { takeLinked } from './link';
import { type Answer, follow, type Operation, send } from './run';
import { openSample } from './samples';
import { markSignedOut } from './session';
import { addToHistory, type Draft, loadTabs, saveTabs } from './storage';
import { t } from './texts';

const MAX_EVENTS_SHOWN = 100;

type Mood = 'idle' | 'busy' | 'good' | 'bad';

interface Tab extends Draft {
  key: string;
  headers: string;
  answer: string;
  /** One line on how it went. */
  note: string;
  mood: Mood;
  stop?: (() => void) | undefined;
}

let tabsMade = 0;
const newTab = (draft: Draft): Tab => ({
  ...draft,
  key: `${++tabsMade}`,
  headers: '',
  answer: '',
  note: t.answerEmpty,
  mood: 'idle',
});

const linked = takeLinked();
const drafts = [...(linked ? [linked] : []), ...loadTabs()];
export const tabs = signal<readonly Tab[]>((drafts.length > 0 ? drafts : [openSample(0)]).map(newTab));
const currentKey = signal(tabs.value[0]?.key);
export const current = computed(() => tabs.value.find(({ key }) => key === currentKey.value) ?? (tabs.value[0] as Tab));

function change(key: string, changes: Partial<Tab>): void {
  tabs.value = tabs.value.map(tab => (tab.key === key ? { ...tab, ...changes } : tab));
}

function show(shown: readonly Tab[], key: string | undefined): void {
  batch(() => {
    tabs.value = shown;
    currentKey.value = key;
  });
  saveTabs(shown);
}

export const nameOf = ({ query }: Draft): string =>
  /(?:query|mutation|subscription)\s+(\w+)/.exec(query)?.[1] ?? /\{\s*(\w+)/.exec(query)?.[1] ?? t.untitled;

export function openTab(draft: Draft): void {
  const tab = newTab(draft);
  show([...tabs.value, tab], tab.key);
}

export function chooseTab(key: string): void {
  currentKey.value = key;
}

/** The last one leaves an empty one. */
export function closeTab(): void {
  const { key, stop } = current.value;
  stop?.();
  const at = tabs.value.indexOf(current.value);
  const remaining = tabs.value.filter(tab => tab.key !== key);
  const shown = remaining.length > 0 ? remaining : [newTab({ query: '', variables: '' })];
  show(shown, shown[Math.max(0, at - 1)]?.key);
}

export function edit(changes: Partial<Pick<Tab, 'query' | 'variables' | 'headers'>>): void {
  change(current.value.key, changes);
  saveTabs(tabs.value);
}

export function format(): void {
  const { query, variables } = current.value;
  try {
    // Printing would lose comments.
    if (!/^\s*#/m.test(query)) edit({ query: `${print(parse(query))}\n` });
    if (variables.trim()) edit({ variables: JSON.stringify(JSON.parse(variables), null, 2) });
  } catch {
    // The editor marks what is wrong.
  }
}

class BadInput extends Error {}

function readObject(text: string, what: string): Record<string, unknown> {
  if (!text.trim()) return {};
  try {
    const value: unknown = JSON.parse(text);
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return value as Record<string, unknown>;
  } catch {}
  throw new BadInput(`${what}: ${t.badJson}.`);
}

/** An operation that cannot be parsed is sent anyway: the server reports the error and its position. */
function chooseOperation(query: string, cursor: number): OperationDefinitionNode | undefined {
  let document: DocumentNode;
  try {
    document = parse(query);
  } catch {
    return undefined;
  }
  const operations = document.definitions.filter(node => node.kind === 'OperationDefinition');
  if (operations.length === 0) throw new BadInput(t.nothingToRun);
  return operations.find(({ loc }) => loc && loc.start <= cursor && cursor <= loc.end) ?? operations[0];
}

/** Runs the operation in which the cursor is; while one runs, stops it. */
export function runCurrent(cursor: number): void {
  const { key, stop, query, variables, headers } = current.value;
  if (stop) {
    finish(key, t.stopped, 'idle');
    return;
  }
  try {
    const node = chooseOperation(query, cursor);
    const operation: Operation = {
      query,
      variables: readObject(variables, t.variables),
      headers: readObject(headers, t.headers) as Record<string, string>,
      ...(node?.name && { operationName: node.name.value }),
    };
    addToHistory({ query, variables, name: nameOf({ query, variables }), at: Date.now() });
    if (node?.operation === 'subscription') followEvents(key, operation);
    else void sendOnce(key, operation);
  } catch (error) {
    if (!(error instanceof BadInput)) throw error;
    finish(key, error.message, 'bad');
  }
}

async function sendOnce(key: string, operation: Operation): Promise<void> {
  const controller = new AbortController();
  begin(key, t.running, () => controller.abort());
  try {
    const answer = await send(operation, controller.signal);
    noteIds((answer.body as { data?: unknown } | undefined)?.data);
    change(key, { answer: answer.text });
    const isGood = answer.status === 200 && !(answer.body as { errors?: unknown }).errors;
    finish(key, noteOn(answer, isGood), isGood ? 'good' : 'bad');
    if (answer.status === 401) markSignedOut();
  } catch {
    if (!controller.signal.aborted) finish(key, t.unreachable, 'bad');
  }
}

function followEvents(key: string, operation: Operation): void {
  const events: string[] = [];
  let received = 0;
  const stop = follow(operation, {
    next: result => {
      noteIds(result);
      events.unshift(JSON.stringify(result, null, 2));
      events.splice(MAX_EVENTS_SHOWN);
      change(key, { answer: events.join('\n\n'), note: `${t.listening} ${++received} ${t.received}` });
    },
    failed: answer => {
      if (answer) change(key, { answer: answer.text });
      finish(key, answer ? String(answer.status) : t.unreachable, 'bad');
      if (answer?.status === 401) markSignedOut();
    },
    complete: () => finish(key, t.ended, 'good'),
  });
  begin(key, t.listening, stop);
}

const begin = (key: string, note: string, stop: () => void): void =>
  change(key, { note, stop, answer: '', mood: 'busy' });

/** Completion after a stop changes nothing: stopping a stream completes it. */
function finish(key: string, note: string, mood: Mood): void {
  const stop = tabs.value.find(tab => tab.key === key)?.stop;
  if (!stop && mood === 'good') return;
  change(key, { note, mood, stop: undefined });
  stop?.();
}

/** The ID of the request is in the note of an error, for a report. */
function noteOn({ status, ms, body, request_id }: Answer, isGood: boolean): string {
  const { cost } = (body as { extensions?: { cost?: { requested?: number } } } | undefined)?.extensions ?? {};
  const parts = [`${status}`, `${ms} ms`, cost?.requested !== undefined && `${t.cost} ${cost.requested}`];
  return [...parts, !isGood && request_id && `${t.request} ${request_id}`].filter(Boolean).join(' · ');
}
