/** The types that client code generators find in the schema. */
import { readFileSync } from 'node:fs';
import type { GraphQLField } from 'graphql';
import { merchantSchema } from '../../../src/api/graphql/publishedSchemas';
import { ERRORS } from '../../../src/platform/errors';
import { fromRoot } from '../../../src/platform/root';

const types = Object.values(merchantSchema.getTypeMap()).filter(({ name }) => !name.startsWith('__'));
const BUILT_IN = ['Boolean', 'Float', 'ID', 'Int', 'String'];
const scalars = types.flatMap(type => ('specifiedByURL' in type && !BUILT_IN.includes(type.name) ? [type] : []));

it.each(scalars.map(type => [type.name, type] as const))('%s specifies its format', (_, { specifiedByURL }) =>
  expect(specifiedByURL).toMatch(/^https?:/),
);

it('the documentation maps every scalar to a type', () => {
  const [, map = ''] =
    /\n {4}scalars: \{\n([\s\S]*?)\n {4}\}/.exec(readFileSync(fromRoot('docs/api.md'), 'utf8')) ?? [];
  const names = [...map.matchAll(/^ {6}(\w+): /gm)].map(([, name]) => name);
  expect(names).toEqual(scalars.map(({ name }) => name).sort());
});

it('a deprecation states since when, until when, and the replacement', () => {
  const fields = types.flatMap((type): GraphQLField<unknown, unknown>[] =>
    'getInterfaces' in type ? Object.values(type.getFields()) : [],
  );
  const reasons = fields.flatMap(({ deprecationReason }) => deprecationReason ?? []);
  for (const reason of reasons) expect(reason).toMatch(/^Since \d{4}-\d\d-\d\d, until \d{4}-\d\d-\d\d: use \w+/);
});

it.each([
  ['Transaction', 'method', 'TransactionMethod!'],
  ['Transaction', 'operation_type', 'OperationType!'],
  ['Transaction', 'transaction_type', 'TransactionKind!'],
  ['Transaction', 'currency', 'Currency!'],
  ['Plan', 'currency', 'Currency!'],
  ['HistoryEntry', 'event', 'HistoryEvent!'],
  ['StatementMovement', 'type', 'MovementType!'],
])('%s.%s is an enum', (typeName, field, expected) => {
  const type = merchantSchema.getType(typeName);
  expect(String(type && 'getInterfaces' in type && type.getFields()[field]?.type)).toBe(expected);
});

describe('errors', () => {
  const mutations = merchantSchema.getMutationType()?.getFields() ?? {};
  const kinds = ERRORS.map(({ kind }) => kind as string);
  const errorsOf = (name: string): string[] => mutations[name]?.description?.split('. Errors: ')[1]?.split(', ') ?? [];

  it('are an enum, each value with its number and status', () => {
    const type = merchantSchema.getType('ErrorCode');
    const values = type && 'getValues' in type ? type.getValues() : [];
    expect(values.map(({ name }) => name)).toEqual(kinds);
    expect(values.find(({ name }) => name === 'fraud')?.description).toMatch(/\(3005, HTTP 402\)$/);
  });

  it('are listed in the description of a mutation that has specific errors', () => {
    for (const name of Object.keys(mutations)) expect(kinds).toEqual(expect.arrayContaining(errorsOf(name)));
    expect(errorsOf('createPlan')).toEqual([]);
    expect(errorsOf('createCustomer')).toEqual(['external_id_exists']);
    expect(errorsOf('createFee')).toEqual(['not_found', 'order_id_exists', 'suspended', 'insufficient_balance']);
    expect(errorsOf('createSubscription')).toEqual(
      expect.arrayContaining(['not_found', 'suspended', 'wrong_check_digit', 'declined', 'card_lost']),
    );
    expect(errorsOf('deleteCard')).toEqual(['not_found', 'not_allowed']);
  });
});
