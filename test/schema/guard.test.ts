import { GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { guarded } from '../../src/schema/operation/guard';

describe('the guard', () => {
  const root = (name: string) =>
    new GraphQLObjectType({
      name,
      fields: {
        closed: { type: GraphQLString, resolve: () => 'in', subscribe: () => 'in' },
        open: { type: GraphQLString, resolve: () => 'in', subscribe: () => 'in', extensions: { publicKey: true } },
        money: { type: GraphQLString, resolve: () => 'in', extensions: { whileActive: true } },
        support: { type: GraphQLString, resolve: () => 'in', extensions: { operatorRole: 'support' } },
      },
    });
  const schema = guarded(
    new GraphQLSchema({ query: root('Query'), mutation: root('Mutation'), subscription: root('Subscription') }),
  );

  const RIGHTS = { isReadOnly: false, isSuspended: false, role: undefined };
  const call = (root: string, field: string, keyKind: string, rights: object = {}, method = 'resolve' as const) =>
    (schema.getType(root) as GraphQLObjectType)
      .getFields()
      [field]?.[method]?.(undefined, {}, { keyKind, rights: { ...RIGHTS, ...rights } }, undefined as never);
  const refusal = (error_code: number) => expect.objectContaining({ error_code });

  it.each(['Query', 'Mutation', 'Subscription'])(
    'of %s accepts the private key everywhere, and the public key only on fields marked for it',
    name => {
      const fields = (schema.getType(name) as GraphQLObjectType).getFields();
      for (const method of ['resolve', 'subscribe'] as const) {
        const call = (field: string, key: string) =>
          fields[field]?.[method]?.(undefined, {}, { keyKind: key, rights: RIGHTS }, undefined as never);
        expect(call('closed', 'private')).toBe('in');
        expect(call('open', 'public')).toBe('in');
        expect(() => call('closed', 'public')).toThrow(expect.objectContaining({ error_code: 1010 }));
      }
    },
  );

  it('lets a key that may only read run no mutation', () => {
    expect(call('Query', 'closed', 'private', { isReadOnly: true })).toBe('in');
    expect(() => call('Mutation', 'closed', 'private', { isReadOnly: true })).toThrow(refusal(1010));
  });

  it('lets a suspended merchant do all but what moves money', () => {
    expect(call('Mutation', 'closed', 'private', { isSuspended: true })).toBe('in');
    expect(() => call('Mutation', 'money', 'private', { isSuspended: true })).toThrow(refusal(1008));
  });

  it('has fields for operators of a role, which no other key may use, and operators no others', () => {
    expect(call('Query', 'support', 'operator', { role: 'support' })).toBe('in');
    expect(call('Query', 'support', 'operator', { role: 'admin' })).toBe('in');
    expect(() => call('Query', 'support', 'operator', { role: 'read' })).toThrow(refusal(1010));
    expect(() => call('Query', 'support', 'private')).toThrow(refusal(1010));
    expect(() => call('Query', 'open', 'operator', { role: 'admin' })).toThrow(refusal(1010));
  });
});
