/** Example bodies, assembled from the examples of their fields. */
import { type Class, type Shape, shapeOf } from '../../../schema/shapes';
import type { BodyRules } from './bodyRules';
import type { Json } from './json';

const requiredOf = (type: Class): string[] =>
  [...shapeOf(type).values()].filter(({ optional }) => !optional).map(({ name }) => name);

const exampleValue = ({ example, values, of }: Shape): unknown =>
  example ?? values?.[0] ?? (of ? exampleOf(of(), requiredOf(of())) : undefined);

export function exampleOf(type: Class, names: readonly string[]): Json {
  const shapes = names.flatMap(name => shapeOf(type).get(name) ?? []);
  return Object.fromEntries(shapes.map(shape => [shape.name, exampleValue(shape)]));
}

/** The required fields of the body's first form; without required fields, every field with an example. */
export function exampleBody(type: Class, { required = [], oneOf, allOf }: BodyRules): Json {
  const more = [oneOf, allOf].flatMap(forms => ((forms as BodyRules[] | undefined)?.[0]?.required ?? []) as string[]);
  const names = [...requiredOf(type), ...required, ...more];
  const withExample = [...shapeOf(type).values()]
    .filter(({ example }) => example !== undefined)
    .map(({ name }) => name);
  return exampleOf(type, names.length > 0 ? names : withExample);
}
