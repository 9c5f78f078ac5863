import type { SentQuery } from '../../shared/api/ask';

type Operation = Pick<SentQuery, 'query' | 'variables'>;

export const operationName = ({ query }: Operation): string => /(?:query|mutation)\s+(\w+)/.exec(query)?.[1] ?? '…';

/** Removes the indentation of the source. */
export function tidyQuery(query: string): string {
  const lines = query.trim().split('\n');
  const indents = lines.slice(1).flatMap(line => (line.trim() ? [line.length - line.trimStart().length] : []));
  const least = Math.min(...indents);
  return lines.map((line, i) => (i === 0 ? line : line.slice(least))).join('\n');
}

export const variablesText = ({ variables }: Operation): string =>
  Object.keys(variables as object).length === 0 ? '' : JSON.stringify(variables, null, 2);

const quoted = (text: string): string => `'${text.replaceAll("'", `'\\''`)}'`;

/** Without the key, which must not reach the clipboard or the shell history. */
export const asCurl = ({ query, variables }: Operation): string =>
  [
    `curl ${quoted(`${location.origin}/graphql`)}`,
    '-u "$PRIVATE_KEY:"',
    "-H 'content-type: application/json'",
    `-d ${quoted(JSON.stringify({ query: tidyQuery(query), variables }))}`,
  ].join(' \\\n  ');

/** In the URL fragment, which browsers do not send. */
export const explorerUrl = (operation: Operation): string =>
  `/graphql#${new URLSearchParams({ query: tidyQuery(operation.query), variables: variablesText(operation) })}`;
