import { type AskOptions, ask } from './ask';
import { type Operation, textOf } from './graphql';
import { type Loaded, type LoadOptions, useLoad } from './useLoad';

/** The answer to one operation. */
export const useQuery = <Result, Variables>(
  operation: Operation<Result, Variables>,
  variables: Variables,
  { mayLack = [], ...options }: LoadOptions & Pick<AskOptions, 'mayLack'> = {},
): Loaded<Result> =>
  useLoad(
    textOf(operation) + JSON.stringify(variables),
    signal => ask(operation, variables, { signal, mayLack }),
    options,
  );
