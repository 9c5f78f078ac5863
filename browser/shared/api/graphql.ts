/** Typed GraphQL operations: the compiler computes variables and results from the schema. */
import type { AbstractSetupSchema, initGraphQLTada, ResultOf, VariablesOf } from 'gql.tada';
import type { introspection } from '../../../dist/browser/graphql-env';

export type Typed<Introspection extends AbstractSetupSchema['introspection']> = initGraphQLTada<{
  introspection: Introspection;
  // Fragments only avoid repetition; they do not mask fields.
  disableMasking: true;
  scalars: {
    Money: number;
    Percent: number;
    Timestamp: string;
    Day: string;
    RetrySchedule: 'daily' | 'paydays' | readonly number[];
    Metadata: Record<string, string>;
    Network: string;
    Origin: string;
    Scope: string;
    Country: string;
    FraudListValue: string;
    JSONObject: Record<string, unknown>;
  };
}>;

export const join = (text: string, fragments: readonly string[] = []): string =>
  [text, ...fragments]
    .map(part => part.trim())
    .filter((part, i, parts) => parts.indexOf(part) === i)
    .join('\n');

export const graphql = join as unknown as Typed<introspection>;
export type { ResultOf, VariablesOf };
export type Operation<Result = unknown, Variables = unknown> = import('gql.tada').TadaDocumentNode<Result, Variables>;

export const textOf = <Result, Variables>(operation: Operation<Result, Variables>): string =>
  operation as unknown as string;
