/**
 * The text of every problem, in English and Spanish. An English text about a field starts with it; a Spanish text does
 * not, because it is shown beside the field. Browsers import this folder: it imports no other code.
 */
import { FIELD_PROBLEMS } from './fields';
import { ERROR_PROBLEMS } from './kinds';
import { OPERATOR_PROBLEMS } from './operators';
import { LINK_PROBLEMS } from './paymentLinks';
import { REQUEST_PROBLEMS } from './requests';
import { RETRY_PROBLEMS } from './retries';
import { STATE_PROBLEMS } from './states';
import { SUBSCRIPTION_PROBLEMS } from './subscriptions';

export const PROBLEMS = {
  ...ERROR_PROBLEMS,
  ...FIELD_PROBLEMS,
  ...REQUEST_PROBLEMS,
  ...STATE_PROBLEMS,
  ...SUBSCRIPTION_PROBLEMS,
  ...RETRY_PROBLEMS,
  ...LINK_PROBLEMS,
  ...OPERATOR_PROBLEMS,
} as const satisfies Record<string, readonly [english: string, spanish: string]>;

export type ProblemCode = keyof typeof PROBLEMS;
export type ProblemParameters = Readonly<Record<string, string | number>>;

type Placeholder<Text> = Text extends `${string}{${infer Name}}${infer Rest}` ? Name | Placeholder<Rest> : never;

/** Parameters of the text of a problem, without the field. */
export type ParametersOf<P extends ProblemCode> = Record<
  Exclude<Placeholder<(typeof PROBLEMS)[P][0]>, 'field'>,
  string | number
>;

export const isProblemCode = (code: string): code is ProblemCode => Object.hasOwn(PROBLEMS, code);

/** Without a field, the text starts with what follows it. */
export const describeProblem = (
  code: ProblemCode,
  parameters: ProblemParameters = {},
  language: 'en' | 'es' = 'en',
): string =>
  PROBLEMS[code][language === 'en' ? 0 : 1].replaceAll(/\{(\w+)\}( ?)/g, (_, name: string, space: string) =>
    name === 'field' && parameters.field === undefined ? '' : `${parameters[name]}${space}`,
  );
