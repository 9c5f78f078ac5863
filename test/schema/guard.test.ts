/** The guard of a field. The rights to each field are in permissions.test.ts. */
import { GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { guarded } from '../../src/schema/operation/guard';

const calls: unknown[] = [];
const record = (_: unknown, args: unknown): string => {
  calls.push(args);
  return 'in';
};
const marked = { publicKey: true, allowCustomerSession: true };
const closed = { type: GraphQLString, resolve: record, subscribe: record };
const resource = new GraphQLObjectType({
  name: 'Resource',
  fields: {
    open: { type: GraphQLString, resolve: record, extensions: marked },
    closed: { type: GraphQLString, resolve: record },
    plain: { type: GraphQLString },
  },
});
const root = (name: string) =>
  new GraphQLObjectType({
    name,
    fields: { open: { ...closed, extensions: marked }, closed, resource: { type: resource, resolve: record } },
  });
const schema = guarded(
  new GraphQLSchema({ query: root('Query'), mutation: root('Mutation'), subscription: root('Subscription') }),
);

const CREATED = { sign_in: null, creation_date: new Date() };
const NO_RESTRICTIONS = { isReadOnly: false, isSuspended: false, role: undefined };
const oneCustomer = {
  keyKind: 'session',
  rights: { ...NO_RESTRICTIONS, session: { scope: ['all'], customer_id: 'own', ...CREATED } },
};
const call = (type: string, field: string, context: object, args: object = {}, method = 'resolve' as 'subscribe') =>
  (schema.getType(type) as GraphQLObjectType)
    .getFields()
    [field]?.[method]?.(undefined, args, context, undefined as never);
const refused = (error_code: number) => expect.objectContaining({ error_code });

beforeEach(() => calls.splice(0));

describe.each(['Query', 'Mutation', 'Subscription'])('a field of %s', type => {
  it.each(['resolve', 'subscribe'] as 'subscribe'[])('is guarded before its %s function runs', method => {
    const withKey = (keyKind: string) => ({ keyKind, rights: NO_RESTRICTIONS });
    expect(call(type, 'closed', withKey('private'), {}, method)).toBe('in');
    expect(call(type, 'open', withKey('public'), {}, method)).toBe('in');
    expect(calls).toHaveLength(2);
    expect(() => call(type, 'closed', withKey('public'), {}, method)).toThrow(refused(1010));
    expect(calls).toHaveLength(2);
  });

  it('receives the customer of a session for one customer, and is refused for another customer', () => {
    call(type, 'open', oneCustomer);
    call(type, 'open', oneCustomer, { customer_id: null, limit: 5 });
    call(type, 'open', oneCustomer, { customer_id: 'own' });
    expect(calls).toEqual([{ customer_id: 'own' }, { customer_id: 'own', limit: 5 }, { customer_id: 'own' }]);
    expect(() => call(type, 'open', oneCustomer, { customer_id: 'other' })).toThrow(refused(1005));
    expect(calls).toHaveLength(3);
  });
});

it('a link is refused to a session for one customer unless it is marked, and open to all other callers', () => {
  expect(call('Resource', 'open', oneCustomer)).toBe('in');
  expect(() => call('Resource', 'closed', oneCustomer)).toThrow(refused(1010));
  expect(calls).toHaveLength(1);
  const session = { ...NO_RESTRICTIONS, session: { scope: ['read'], customer_id: null, ...CREATED } };
  for (const rights of [NO_RESTRICTIONS, session]) expect(call('Resource', 'closed', { rights })).toBe('in');
  expect(resource.getFields().plain?.resolve).toBeUndefined();
});
