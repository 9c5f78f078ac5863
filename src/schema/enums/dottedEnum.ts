import { registerEnumType } from 'type-graphql';
import { enumName } from './enumName';

/** A GraphQL enum of dotted names, with their descriptions. Its internal values are the names themselves. */
export function dottedEnum(
  name: string,
  description: string,
  descriptions: Readonly<Record<string, string>>,
): Readonly<Record<string, string>> {
  const words = Object.fromEntries(Object.keys(descriptions).map(word => [enumName(word), word]));
  const valuesConfig = Object.fromEntries(
    Object.entries(descriptions).map(([word, about]) => [enumName(word), { description: about }]),
  );
  registerEnumType(words, { name, description, valuesConfig });
  return words;
}
