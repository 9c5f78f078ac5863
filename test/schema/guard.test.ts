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
    'of %s lets the private key in, and the public one only where it will do',
    name => {
      const fields = (schema.getType(name) as GraphQLObjectType).getFields();
      for (const way of ['resolve', 'subscribe'] as const) {
        const enter = (field: string, key: string) =>
          fields[field]?.[way]?.(undefined, {}, { key }, undefined as never);
        expect(enter('closed', 'private')).toBe('in');
        expect(enter('open', 'public')).toBe('in');
        expect(() => enter('closed', 'public')).toThrow(expect.objectContaining({ error_code: 1010 }));
      }
    },
  );
});
