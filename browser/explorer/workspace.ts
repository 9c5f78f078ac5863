/** The open operations, with their texts and results. Each continues to run while another one is shown. */
import { type DocumentNode, type OperationDefinitionNode, parse, print } from 'graphql';
import { noteIds } from './lastIds';
import { takeLinked } from './link';
import { type Answer, follow, type Operation, send } from './run';
import { openSample } from './samples';
import { addToHistory, type Draft, loadTabs, saveTabs } from './storage';
import { t } from './texts';

const MAX_EVENTS_SHOWN = 100;

type Mood = 'idle' | 'busy' | 'good' | 'bad';

export interface Tab extends Draft {
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
  key: `tab-${++tabsMade}`,
  headers: '',
  answer: '',
  note: t.answerEmpty,
  mood: 'idle',
});

export const nameOf = ({ query }: Draft): string =>
  /(?:query|mutation|subscription)\s+(\w+)/.exec(query)?.[1] ?? /\{\s*(\w+)/.exec(query)?.[1] ?? t.untitled;

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

export class Workspace {
  readonly tabs: Tab[];
  current: Tab;

  /** `changed` is called when something is to be shown anew, `refused` when the session has ended. */
  constructor(private readonly on: { changed: () => void; refused: () => void }) {
    const linked = takeLinked();
    const drafts = [...(linked ? [linked] : []), ...loadTabs()];
    this.tabs = (drafts.length > 0 ? drafts : [openSample(0)]).map(newTab);
    this.current = this.tabs[0] as Tab;
  }

  open(draft: Draft): void {
    this.current = newTab(draft);
    this.tabs.push(this.current);
    this.edited();
  }

  choose(key: string): void {
    this.current = this.tabs.find(tab => tab.key === key) ?? this.current;
    this.on.changed();
  }

  /** The last one leaves an empty one. */
  close(): void {
    this.current.stop?.();
    const at = this.tabs.indexOf(this.current);
    this.tabs.splice(at, 1);
    if (this.tabs.length === 0) this.tabs.push(newTab({ query: '', variables: '' }));
    this.current = this.tabs[Math.max(0, at - 1)] as Tab;
    this.edited();
  }

  edited(): void {
    saveTabs(this.tabs);
    this.on.changed();
  }

  format(): void {
    const { current } = this;
    try {
      // Printing would lose what a person noted down.
      if (!/^\s*#/m.test(current.query)) current.query = `${print(parse(current.query))}\n`;
      if (current.variables.trim()) current.variables = JSON.stringify(JSON.parse(current.variables), null, 2);
    } catch {
      // The editor marks what is wrong.
    }
    this.edited();
  }

  /** Runs the operation in which the cursor is; while one runs, stops it. */
  run(cursor: number): void {
    const tab = this.current;
    if (tab.stop) {
      this.finish(tab, t.stopped, 'idle');
      return;
    }
    try {
      const node = chooseOperation(tab.query, cursor);
      const operation: Operation = {
        query: tab.query,
        variables: readObject(tab.variables, t.variables),
        headers: readObject(tab.headers, t.headers) as Record<string, string>,
        ...(node?.name && { operationName: node.name.value }),
      };
      addToHistory({ query: tab.query, variables: tab.variables, name: nameOf(tab), at: Date.now() });
      if (node?.operation === 'subscription') this.follow(tab, operation);
      else void this.send(tab, operation);
    } catch (error) {
      if (!(error instanceof BadInput)) throw error;
      this.finish(tab, error.message, 'bad');
    }
  }

  private async send(tab: Tab, operation: Operation): Promise<void> {
    const controller = new AbortController();
    this.begin(tab, t.running, () => controller.abort());
    try {
      const answer = await send(operation, controller.signal);
      noteIds((answer.body as { data?: unknown } | undefined)?.data);
      tab.answer = answer.text;
      const isGood = answer.status === 200 && !(answer.body as { errors?: unknown }).errors;
      this.finish(tab, noteOn(answer, isGood), isGood ? 'good' : 'bad');
      if (answer.status === 401) this.on.refused();
    } catch {
      if (!controller.signal.aborted) this.finish(tab, t.unreachable, 'bad');
    }
  }

  private follow(tab: Tab, operation: Operation): void {
    const events: string[] = [];
    let received = 0;
    const stop = follow(operation, {
      next: result => {
        noteIds(result);
        events.unshift(JSON.stringify(result, null, 2));
        events.splice(MAX_EVENTS_SHOWN);
        tab.answer = events.join('\n\n');
        tab.note = `${t.listening} ${++received} ${t.received}`;
        this.on.changed();
      },
      failed: answer => {
        if (answer) tab.answer = answer.text;
        this.finish(tab, answer ? String(answer.status) : t.unreachable, 'bad');
        if (answer?.status === 401) this.on.refused();
      },
      complete: () => this.finish(tab, t.ended, 'good'),
    });
    this.begin(tab, t.listening, stop);
  }

  private begin(tab: Tab, note: string, stop: () => void): void {
    Object.assign(tab, { note, stop, answer: '', mood: 'busy' satisfies Mood });
    this.on.changed();
  }

  /** Stopping a stream completes it, which is no news then. */
  private finish(tab: Tab, note: string, mood: Mood): void {
    const { stop } = tab;
    if (!stop && mood === 'good') return;
    Object.assign(tab, { note, mood, stop: undefined });
    stop?.();
    this.on.changed();
  }
}

/** The identifier of the request is what one asks about when something went wrong. */
function noteOn({ status, ms, body, request_id }: Answer, isGood: boolean): string {
  const { cost } = (body as { extensions?: { cost?: { requested?: number } } } | undefined)?.extensions ?? {};
  const parts = [`${status}`, `${ms} ms`, cost?.requested !== undefined && `${t.cost} ${cost.requested}`];
  return [...parts, !isGood && request_id && `${t.request} ${request_id}`].filter(Boolean).join(' · ');
}
