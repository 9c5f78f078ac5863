/**
 * Estimates the size of a response while it is resolved, so that a large one is abandoned early. The query cost limits the
 * number of fields before execution; this limits the size of their values.
 */
import { defaultFieldResolver, type GraphQLFieldResolver, getNamedType, isLeafType } from 'graphql';
import { ApiError } from '../../platform/errors';

const MAX_ANSWER_BYTES = 5_000_000;

export class AnswerSize {
  private bytes = 0;

  get isExceeded(): boolean {
    return this.bytes > MAX_ANSWER_BYTES;
  }

  add(bytes: number): void {
    this.bytes += bytes;
  }
}

/** Resolves fields without their own resolver. Above the limit it returns null, because the response is discarded. */
export const countingResolver: GraphQLFieldResolver<unknown, { answerSize?: AnswerSize }> = (...args) => {
  const [, , { answerSize }, { fieldName, returnType }] = args;
  if (!answerSize) return defaultFieldResolver(...args);
  if (answerSize.isExceeded) return null;
  const value = defaultFieldResolver(...args);
  if (typeof value === 'string') answerSize.add(fieldName.length + value.length);
  else if (typeof value !== 'object' || value === null || !isLeafType(getNamedType(returnType)))
    answerSize.add(fieldName.length);
  else answerSize.add(fieldName.length + JSON.stringify(value).length);
  return value;
};

/** Serializes the response; throws if it is too large. */
export function writeAnswer(result: object, { isExceeded }: AnswerSize, isMutation: boolean): string {
  const text = isExceeded ? undefined : JSON.stringify(result);
  if (text !== undefined && Buffer.byteLength(text) <= MAX_ANSWER_BYTES) return text;
  const megabytes = MAX_ANSWER_BYTES / 1_000_000;
  throw new ApiError('malformed', isMutation ? 'mutation_answer_too_large' : 'answer_too_large', { megabytes });
}
