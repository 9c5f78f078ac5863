import { type AskOptions, ask } from '../../shared/api/ask';
import { type Operation, textOf } from '../../shared/api/graphql';
import { type Loaded, type LoadOptions, useLoad } from './useLoad';

export const useQuery = <Result, Variables>(
  operation: Operation<Result, Variables>,
  variables: Variables,
  { optionalFields = [], ...options }: LoadOptions & Pick<AskOptions, 'optionalFields'> = {},
): Loaded<Result> =>
  useLoad(
    textOf(operation) + JSON.stringify(variables),
    signal => ask(operation, variables, { signal, optionalFields }),
    options,
  );
