/**
 * Who may call each root field, and which links a session for one customer may follow. The snapshot is the only list of
 * these permissions: a new operation adds one line to it. `npm test -- test/schema/permissions.test.ts -u` updates it.
 */
import { readScope } from '../../src/accounts/sessions/scope';
import type { ApiError } from '../../src/platform/errors';
import type { Context } from '../../src/schema/operation/context';
import {
  CALLERS,
  type CallerName,
  callerOf,
  type Environment,
  type Field,
  internalFields,
  linkRefusal,
  links,
  ONE_CUSTOMER,
  refusal,
  rootFields,
} from '../harness/api/permissions';

/** Short names for the descriptions of refusals. */
const REASONS: readonly [RegExp, string][] = [
  [/requires the private key/, 'key'],
  [/key is read-only/, 'read'],
  [/scope of this session/, 'scope'],
  [/session is read-only/, 'read'],
  [/only if its scope names it/, 'named'],
  [/limited to one customer/, 'cust'],
  [/requires a key of a merchant/, 'merch'],
  [/requires the key of an operator/, 'oper'],
  [/operator with the role/, 'role'],
  [/is suspended/, 'susp'],
  [/does not exist/, 'none'],
];
const ENVIRONMENTS: readonly Environment[] = ['sandbox', 'production'];

function cellOf(error: ApiError | undefined): string {
  if (!error) return 'yes';
  const [, word = error.message] = REASONS.find(([pattern]) => pattern.test(error.message)) ?? [];
  return `${error.error_code} ${word}`;
}

/** The widths are fixed, so that a new line does not change other lines. */
const lineOf = (name: string, cells: string[]): string =>
  [name.padEnd(28), ...cells.map(cell => cell.padEnd(10))].join(' ').trimEnd();
const table = (lines: string[]): string => `\n${lines.join('\n')}\n`;

/** The result in production, if it differs from the sandbox. */
function inProduction(name: CallerName, field: Field): string[] {
  const refused = refusal(name, field) ? undefined : refusal(name, field, 'production');
  return refused ? [cellOf(refused)] : [];
}

it.each(['Query', 'Mutation', 'Subscription'])('callers of each field of %s', type => {
  const names = CALLERS.map(name => name.split(': '));
  const groups = names.map(([group = ''], i) => (names[i - 1]?.[0] === group ? '' : group));
  const lines = rootFields
    .filter(each => each.type === type)
    .map(({ field }) =>
      lineOf(field.name, [
        ...CALLERS.map(name => cellOf(refusal(name, field))),
        ...new Set(CALLERS.flatMap(name => inProduction(name, field))),
      ]),
    );
  const header = [lineOf('', [...groups, 'in']), lineOf(type, [...names.map(([, name = '']) => name), 'production'])];
  expect(table([...header, ...lines])).toMatchSnapshot();
});

it('links that a session for one customer may follow', () => {
  const lines = links.map(({ name, field }) => `${name.padEnd(40)} ${cellOf(linkRefusal(field))}`);
  expect(table(lines)).toMatchSnapshot();
});

it('meanings of the reasons in these tables', () => {
  const refusals = rootFields.flatMap(({ field }) =>
    CALLERS.flatMap(name => ENVIRONMENTS.flatMap(environment => refusal(name, field, environment) ?? [])),
  );
  const lines = refusals.map(error => `${cellOf(error).padEnd(10)} ${error.message}`);
  expect(table([...new Set(lines)].sort())).toMatchSnapshot();
});

it('a list of REST has the callers of its connection', () => {
  const callers = ({ field }: (typeof internalFields)[number]) =>
    CALLERS.flatMap(name => ENVIRONMENTS.map(environment => cellOf(refusal(name, field, environment))));
  const connections = internalFields.filter(({ name }) => name.endsWith('Connection'));
  expect(connections.length).toBeGreaterThan(10);
  for (const connection of connections) {
    const list = internalFields.find(({ name }) => `${name}Connection` === connection.name);
    expect([list?.name, list && callers(list)]).toEqual([list?.name, callers(connection)]);
  }
});

/** Pairs of callers, the second with fewer rights. */
const RESTRICTIONS: readonly [CallerName, CallerName][] = [
  ['private key: active', 'private key: suspended'],
  ['private key: active', 'private key: read-only'],
  ['private key: active', 'public key: active'],
  ['private key: active', 'session: all'],
  ['session: all', 'session: named'],
  ['session: named', 'session: read'],
  ['session: all', 'customer session: all'],
  ['session: named', 'customer session: named'],
  ['session: read', 'customer session: read'],
  ['operator: admin', 'operator: support'],
  ['operator: support', 'operator: read'],
];

/** A session for everything may not call these: its scope must name them. */
const ONLY_NAMED = ['Mutation.createPayout'];

it('a restriction never adds rights, and production allows no more than the sandbox', () => {
  const allowed = (name: CallerName, environment: Environment = 'sandbox'): string[] =>
    rootFields.filter(({ field }) => !refusal(name, field, environment)).map(each => each.name);
  for (const [caller, restricted] of RESTRICTIONS) {
    const all = caller === 'session: all' ? [...allowed(caller), ...ONLY_NAMED] : allowed(caller);
    expect(all).toEqual(expect.arrayContaining(allowed(restricted)));
  }
  for (const name of CALLERS) expect(allowed(name)).toEqual(expect.arrayContaining(allowed(name, 'production')));
});

it.each([
  ['session: named', false],
  ['customer session: named', true],
] as const)('the scope of a %s accepts exactly the mutations that the session may call', (name, isOfCustomer) => {
  const mutations = rootFields.filter(({ type }) => type === 'Mutation').map(({ field }) => field);
  const isAccepted = (word: string): boolean => {
    try {
      return readScope([word], isOfCustomer).includes(word);
    } catch {
      return false;
    }
  };
  const namesOf = (fields: Field[]): string[] => fields.map(field => field.name);
  expect(namesOf(mutations.filter(field => isAccepted(field.name)))).toEqual(
    namesOf(mutations.filter(field => !refusal(name, field))),
  );
});

it('the schema refuses with the same errors, before it runs a resolver', () => {
  /** The immediate result of a field. A resolver behind the guard would fail later, because there is no database. */
  const answerOf = (method: Field['resolve'], context: object): unknown => {
    try {
      Promise.resolve(method?.({}, {}, context as Context, undefined as never)).catch(() => undefined);
      return 'ran';
    } catch (error) {
      return error;
    }
  };
  const answered: unknown[] = [];
  const expected: unknown[] = [];
  const compare = (
    name: string,
    { resolve, subscribe }: Field,
    context: object,
    refused: ApiError | undefined,
  ): void => {
    if (!refused) return;
    for (const method of [resolve, subscribe].filter(each => each !== undefined)) {
      answered.push([name, answerOf(method, context)]);
      expected.push([name, refused]);
    }
  };
  for (const { name, field } of rootFields)
    for (const caller of CALLERS)
      for (const environment of ENVIRONMENTS)
        compare(name, field, { ...callerOf(caller, field), environment }, refusal(caller, field, environment));
  for (const { name, field } of links) compare(name, field, ONE_CUSTOMER, linkRefusal(field));
  expect(answered).toEqual(expected);
});
