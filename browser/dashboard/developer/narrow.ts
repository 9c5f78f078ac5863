/** Reduces an operation to the fields of one figure. */
interface Field {
  /** The source text, with arguments. */
  head: string;
  /** The response name, or `...` and the name of a fragment. */
  key: string;
  fields: Field[];
}

type Fragments = ReadonlyMap<string, Field[]>;
type Path = readonly string[];

const FIELD = /\s*((?:\.\.\.\s*|\w+\s*:\s*)?\w+)((?:\s*\([^()]*\))?(?:\s*@\w+(?:\s*\([^()]*\))?)*)\s*,?/y;
const OPERATION = /(query\s+\w+)\s*(?:\(([^()]*)\))?\s*\{/;
const VARIABLE = /\$(\w+)\s*:\s*[\w[\]!]+/g;
const ANY = '*';

/** The text between an opening brace and its closing one. */
function readFields(text: string, from: number): { fields: Field[]; end: number } {
  const fields: Field[] = [];
  let at = from;
  for (;;) {
    FIELD.lastIndex = at;
    const match = FIELD.exec(text);
    if (!match) return { fields, end: text.indexOf('}', at) + 1 };
    const [whole, name = '', rest = ''] = match;
    const field: Field = { head: name + rest, key: (name.split(':')[0] ?? '').replaceAll(/\s/g, ''), fields: [] };
    fields.push(field);
    at += whole.length;
    if (text[at] !== '{') continue;
    const inner = readFields(text, at + 1);
    field.fields = inner.fields;
    at = inner.end;
  }
}

function readFragments(text: string): Fragments {
  const found = [...text.matchAll(/fragment\s+(\w+)\s+on\s+\w+\s*\{/g)];
  return new Map(
    found.map(({ 0: whole, 1: name, index }) => [`...${name}`, readFields(text, index + whole.length).fields]),
  );
}

function select(fields: readonly Field[], paths: readonly Path[], fragments: Fragments): Field[] {
  const isAll = paths.some(path => path.length === 0);
  return fields.flatMap(field => {
    const spread = fragments.get(field.key);
    if (spread) return select(spread, paths, fragments);
    const inner = isAll ? [[]] : paths.filter(([key]) => key === field.key || key === ANY).map(([, ...rest]) => rest);
    if (inner.length === 0) return [];
    const kept = { ...field, fields: select(field.fields, inner, fragments) };
    return field.fields.length > 0 && kept.fields.length === 0 ? [] : [kept];
  });
}

const print = (fields: readonly Field[], indent: string): string =>
  fields
    .map(({ head, fields }) =>
      fields.length === 0 ? `${indent}${head}\n` : `${indent}${head} {\n${print(fields, `${indent}  `)}${indent}}\n`,
    )
    .join('');

interface Sent {
  query: string;
  variables: unknown;
}

/** `keep` has response paths such as `stats.days.volume`, with `*` for any field. Undefined if none matches. */
export function narrow({ query, variables }: Sent, keep: readonly string[]): Sent | undefined {
  const operation = OPERATION.exec(query);
  if (!operation) return undefined;
  const [whole, name = '', definitions = ''] = operation;
  const { fields } = readFields(query, operation.index + whole.length);
  const kept = select(
    fields,
    keep.map(path => path.split('.')),
    readFragments(query),
  );
  if (kept.length === 0) return undefined;
  const body = print(kept, '  ');
  const isUsed = (variable: string): boolean => new RegExp(`\\$${variable}\\b`).test(body);
  const used = [...definitions.matchAll(VARIABLE)].filter(([, variable = '']) => isUsed(variable));
  const taken = used.length > 0 ? `(${used.map(([text]) => text).join(', ')})` : '';
  return {
    query: `${name}${taken} {\n${body}}`,
    variables: Object.fromEntries(Object.entries(variables as object).filter(([variable]) => isUsed(variable))),
  };
}
