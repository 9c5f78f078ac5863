import { GraphQLObjectType, GraphQLSchema, GraphQLString } from 'graphql';
import { guarded } from '../../src/schema/guard';

describe('the guard', () => {
  const root = (name: string) =>
    new GraphQLObjectType({
      name,
      fields: {
        closed: { type: GraphQLString, resolve: () => 'in', subscribe: () => 'in' },
        open: { type: GraphQLString, resolve: () => 'in', subscribe: () => 'in', extensions: { publicKey: true } },
      },
    });
  const schema = guarded(
    new GraphQLSchema({ query: root('Query'), mutation: root('Mutation'), subscription: root('Subscription') }),
  );

  it.each(['Query', 'Mutation', 'Subscription'])(
    'of %s accepts the private key everywhere, and the public key only on fields marked for it',
    name => {
      const fields = (schema.getType(name) as GraphQLObjectType).getFields();
      for (const method of ['resolve', 'subscribe'] as const) {
        const call = (field: string, key: string) =>
          fields[field]?.[method]?.(undefined, {}, { keyKind: key }, undefined as never);
        expect(call('closed', 'private')).toBe('in');
        expect(call('open', 'public')).toBe('in');
        expect(() => call('closed', 'public')).toThrow(expect.objectContaining({ error_code: 1010 }));
      }
    },
  );
});
