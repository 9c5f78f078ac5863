/** Code samples of each operation in curl, Node and Python. They depend on environment variables only. */
import type { ApiReference, ReferenceOperation, ReferenceSchema } from './document';

export const LANGUAGES = ['curl', 'node', 'python'] as const;
export type SampleLanguage = (typeof LANGUAGES)[number];

/** A value from an environment variable, such as the ID of an existing object. */
class EnvironmentValue {
  constructor(readonly name: string) {}
}

/** Replaces examples that would expire or contain unknown IDs. */
const bodies: Record<string, Record<string, unknown>> = {
  createDevice: { user_agent: 'Mozilla/5.0 (X11; Linux x86_64)', languages: 'es-CO,es', time_zone: 'America/Bogota' },
  updateFraudRule: { max: 5, minutes: 60 },
  updateSubscriptionOfCustomer: { source_id: new EnvironmentValue('CARD_ID') },
  moveClock: { subscription_id: new EnvironmentValue('SUBSCRIPTION_ID'), to: new EnvironmentValue('CHARGE_DATE') },
};

const SOURCES: Record<string, string> = { source_id: 'CARD_ID', saved_card_id: 'CARD_ID' };
const variableOf = (name: string): string => SOURCES[name] ?? name.toUpperCase();
/** `{customer}` for `customer_id`. */
const placeholderOf = (name: string): string => `{${variableOf(name).replace(/_ID$/, '').toLowerCase()}}`;
const isIdentifier = (value: unknown): boolean => typeof value === 'string' && /^[a-z][a-z0-9]{19}$/.test(value);

function bodyOf(reference: ApiReference, { id, body }: ReferenceOperation): Record<string, unknown> | undefined {
  if (!body) return undefined;
  const [example] = (reference.resolve(body.schema) as ReferenceSchema).examples ?? [];
  const given = bodies[id] ?? (example as Record<string, unknown>);
  const entries = Object.entries(given).map(([name, value]) => [
    name,
    name.endsWith('_id') && isIdentifier(value) ? new EnvironmentValue(variableOf(name)) : value,
  ]);
  return entries.length > 0 ? Object.fromEntries(entries) : undefined;
}

interface Request {
  method: string;
  /** Alternating texts and variables. */
  path: string;
  body: Record<string, unknown> | undefined;
  isEmpty: boolean;
}

const variablesIn = (value: unknown): string[] =>
  value instanceof EnvironmentValue
    ? [value.name]
    : typeof value === 'object' && value !== null
      ? Object.values(value).flatMap(variablesIn)
      : [];

/** JSON with variables in the syntax of the language. */
function literal(
  value: unknown,
  variable: (name: string) => string,
  word: (text: string) => string,
  indent = '',
): string {
  const inner = `${indent}  `;
  if (value instanceof EnvironmentValue) return variable(value.name);
  if (Array.isArray(value)) return `[${value.map(each => literal(each, variable, word, inner)).join(', ')}]`;
  if (typeof value === 'object' && value !== null) {
    const members = Object.entries(value).map(
      ([name, each]) => `${inner}${JSON.stringify(name)}: ${literal(each, variable, word, inner)}`,
    );
    return `{\n${members.join(',\n')}\n${indent}}`;
  }
  return typeof value === 'string' ? JSON.stringify(value) : word(String(value));
}

function curl({ method, path, body }: Request): string {
  const url = `"$RECAUDO_URL${path.replace(/\{(\w+)\}/g, (_, name) => `$${variableOf(name)}`)}"`;
  // Quotes are closed before a variable and reopened after it.
  const data = body && literal(body, name => `"'"$${name}"'"`, String);
  const flags = [method !== 'GET' && method !== 'POST' && `-X ${method}`, method === 'POST' && !data && '-X POST'];
  const lines = [
    ['curl -sS --fail-with-body', ...flags.filter(Boolean)].join(' '),
    url,
    '-u "$PRIVATE_KEY:"',
    ...(data ? ["-H 'Content-Type: application/json'", `-d '${data}'`] : []),
  ];
  return `${lines.join(' \\\n  ')}\n`;
}

function node({ method, path, body, isEmpty }: Request): string {
  const named = [...path.matchAll(/\{(\w+)\}/g)].map(([, name = '']) => variableOf(name));
  const variables = [...new Set(['RECAUDO_URL', 'PRIVATE_KEY', ...named, ...variablesIn(body)])];
  const url = path.replace(/\{(\w+)\}/g, (_, name) => `\${${variableOf(name)}}`);
  const data = body && literal(body, name => name, String, '  ').replace(/^(\s*)"(\w+)":/gm, '$1$2:');
  const type = data ? ", 'content-type': 'application/json'" : '';
  return `const { ${variables.join(', ')} } = process.env;

const response = await fetch(\`\${RECAUDO_URL}${url}\`, {
  method: '${method}',
  headers: { authorization: \`Basic \${btoa(\`\${PRIVATE_KEY}:\`)}\`${type} },
${data ? `  body: JSON.stringify(${data}),\n` : ''}});
if (!response.ok) throw new Error(await response.text());
console.log(${isEmpty ? 'response.status' : 'await response.json()'});
`;
}

const pythonWord = (word: string): string => ({ true: 'True', false: 'False', null: 'None' })[word] ?? word;

function python({ method, path, body, isEmpty }: Request): string {
  const url = path.replace(/\{(\w+)\}/g, (_, name) => `{env['${variableOf(name)}']}`);
  const data = body && literal(body, name => `env["${name}"]`, pythonWord, '    ');
  return `import base64, json, os, urllib.request

env = os.environ
key = base64.b64encode(f"{env['PRIVATE_KEY']}:".encode()).decode()
request = urllib.request.Request(
    f"{env['RECAUDO_URL']}${url}",
    method="${method}",
    headers={"Authorization": f"Basic {key}"${data ? ', "Content-Type": "application/json"' : ''}},
${data ? `    data=json.dumps(${data}).encode(),\n` : ''})
with urllib.request.urlopen(request) as response:
    print(${isEmpty ? 'response.status' : 'json.load(response)'})
`;
}

/** Examples of required query parameters. */
const queries: Record<string, Record<string, string>> = { search: { text: 'ana' } };

/** The request of the samples, with `{customer}` in place of the ID of a customer. */
export const exampleRequest = (reference: ApiReference, operation: ReferenceOperation) => ({
  query: queries[operation.id] ?? {},
  placeholder: placeholderOf,
  body: literal(bodyOf(reference, operation) ?? {}, name => `"${placeholderOf(name)}"`, String),
});

export function samplesOf(reference: ApiReference, operation: ReferenceOperation): Record<SampleLanguage, string> {
  const { method, answers } = operation;
  const query = new URLSearchParams(queries[operation.id]).toString();
  const path = operation.path + (query && `?${query}`);
  const isEmpty = answers.some(([status]) => status === '204');
  const request = { method, path, body: bodyOf(reference, operation), isEmpty };
  return { curl: curl(request), node: node(request), python: python(request) };
}
