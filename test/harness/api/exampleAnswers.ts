/** The example responses of the reference: recorded on request, and otherwise compared with the current responses. */
import { readFileSync, writeFileSync } from 'node:fs';
import { fromRoot } from '../../../src/platform/root';

const FILE = fromRoot('src/web/reference/answers.json');
const MAX_SHOWN = 2;
const DIGITS = '0123456789abcdef';

/** Shortens a response for the reference: without secrets and addresses of this machine, and with short lists. */
function asExample(value: unknown): unknown {
  if (Array.isArray(value)) return value.slice(0, MAX_SHOWN).map(asExample);
  if (typeof value === 'object' && value !== null)
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, asExample(member)]));
  if (typeof value !== 'string') return value;
  return value
    .replace(/http:\/\/(127\.0\.0\.1|localhost)(:\d+)?/g, 'https://recaudo.example')
    .replace(/^127\.0\.0\.1$/, '203.0.113.7')
    .replace(
      /\b(sk|pk|st|whsec)_([0-9a-f]{32,})/g,
      (_, kind, { length }) => `${kind}_${DIGITS.repeat(4).slice(0, length)}`,
    );
}

/** The names of all fields at any depth. A list has the fields of all its elements. */
function membersOf(value: unknown, path = ''): string[] {
  if (Array.isArray(value)) return value.flatMap(member => membersOf(member, `${path}[]`));
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, member]) => [
    `${path}.${name}`,
    ...membersOf(member, `${path}.${name}`),
  ]);
}
const shapeOf = (value: unknown): string[] => [...new Set(membersOf(value))].sort();

export function exampleAnswers() {
  const known = JSON.parse(readFileSync(FILE, 'utf8')) as Record<string, unknown>;
  const isRecording = Boolean(process.env.RECORD_ANSWERS);
  const recorded: Record<string, unknown> = {};
  afterAll(() => {
    if (isRecording) writeFileSync(FILE, `${JSON.stringify(recorded, null, 2)}\n`);
  });
  return {
    operations: (): string[] => Object.keys(isRecording ? recorded : known),
    /** Compares the example of an operation with the current response, and returns the example. */
    compare: (operation: string, answer: unknown): unknown => {
      const example = asExample(answer);
      recorded[operation] = example;
      if (isRecording) return example;
      expect([operation, shapeOf(known[operation])]).toEqual([operation, shapeOf(example)]);
      return known[operation];
    },
  };
}
