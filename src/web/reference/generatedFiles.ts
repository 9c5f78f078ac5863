/**
 * Generated files that are committed (`npm run schema`): the API documents and tables of the guides. Reviewers see API
 * changes in their diff.
 */
import { merchantSchema } from '../../api/graphql/publishedSchemas';
import { apiDocuments } from '../../api/rest/apiDocuments';
import { routes } from '../../api/rest/routes';
import { EVENT_TYPES, EVENTS } from '../../events/types';
import { testNumbers } from '../../payments/cardDetails/testNumbers';
import { variables } from '../../platform/config/variables';
import { ERRORS } from '../../platform/errors';

type Cells = readonly (readonly string[])[];

const SECRETS: readonly string[] = ['API_KEY_SECRET', 'ACQUIRER_KEY'];

const subscriptions = merchantSchema.getSubscriptionType()?.getFields() ?? {};

const graphqlOf = (field: string): string =>
  [`\`${field}\``, ...(field in subscriptions ? [`live \`${field}\``] : [])].join(', ');

/** Tables by file and name. */
const tables: Record<string, Record<string, () => Cells>> = {
  'docs/api.md': {
    operations: () => [
      ['REST, below `/v1/{merchant_id}`', 'GraphQL'],
      ...routes.map(({ method, path, field }) => [
        `\`${method} ${path.replace(/:(\w+)/g, '{$1}')}\``,
        graphqlOf(field),
      ]),
    ],
    errors: () => [
      ['code', 'HTTP', 'category', 'description', 'GraphQL `code`'],
      ...ERRORS.map(({ kind, code, status, category, text }) => [
        `${code}`,
        `${status}`,
        category,
        text,
        `\`${kind}\``,
      ]),
    ],
    'test numbers': () => [
      ['number', 'outcome'],
      ...[...testNumbers.values()].map(({ number, about }) => [`\`${number}\``, about]),
    ],
  },
  'docs/webhooks.md': {
    events: () => [
      ['type', 'carries', 'when'],
      ...EVENT_TYPES.map(type => [`\`${type}\``, `\`${EVENTS[type].subject}\``, EVENTS[type].occasion]),
    ],
  },
  'docs/configuration.md': {
    variables: () => [
      ['variable', 'default', 'meaning'],
      ...Object.entries(variables).map(([name, variable]) => {
        const value = 'defaultValue' in variable ? variable.defaultValue : undefined;
        const shown = SECRETS.includes(name) ? 'one for development' : value === undefined ? '' : `\`${value}\``;
        return [`\`${name}\``, shown, variable.description];
      }),
    ],
  },
};

function toMarkdown([head = [], ...rows]: Cells): string {
  const widths = head.map((_, column) => Math.max(...[head, ...rows].map(row => row[column]?.length ?? 0)));
  const line = (cells: readonly string[]): string =>
    `| ${cells.map((cell, column) => cell.padEnd(widths[column] ?? 0)).join(' | ')} |`;
  return [line(head), line(widths.map(width => '-'.repeat(width))), ...rows.map(line)].join('\n');
}

/** Replaces the tables between `<!-- table: name -->` and `<!-- end -->`. */
function withTables(file: string, text: string): string {
  return Object.entries(tables[file] ?? {}).reduce((result, [name, table]) => {
    const section = new RegExp(`(<!-- table: ${name} -->\n)[^]*?(<!-- end -->)`);
    if (!section.test(result)) throw new Error(`${file} has no place for the table ${name}`);
    return result.replace(
      section,
      (_, before: string, after: string) => `${before}\n${toMarkdown(table())}\n\n${after}`,
    );
  }, text);
}

/** Contents by path; `read` returns the current content of a file. */
export const generatedFiles = (read: (path: string) => string): Record<string, string> => ({
  ...apiDocuments(),
  ...Object.fromEntries(Object.keys(tables).map(file => [file, withTables(file, read(file))])),
});
