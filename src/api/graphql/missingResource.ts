import { type ArgumentNode, type DocumentNode, Kind, type OperationDefinitionNode } from 'graphql';
import type { ApiError } from '../../platform/errors';
import { toApiError } from '../../platform/toApiError';
import type { Context } from '../../schema/operation/context';
import { requireResources } from '../resources';
import { rootFields } from './rootFields';

/** Returns the error of the first missing resource in the arguments of the root fields. */
export async function findMissingResource(
  context: Context,
  document: DocumentNode,
  operation: OperationDefinitionNode,
  variables: Record<string, unknown>,
): Promise<ApiError | undefined> {
  const readArgument = ({ value }: ArgumentNode): unknown =>
    value.kind === Kind.VARIABLE ? variables[value.name.value] : 'value' in value ? value.value : undefined;
  try {
    for (const { arguments: args = [] } of rootFields(document, operation)) {
      const values = args.map(argument => [argument.name.value, readArgument(argument)]);
      await requireResources(context, Object.fromEntries(values));
    }
    return undefined;
  } catch (error) {
    return toApiError(error);
  }
}
