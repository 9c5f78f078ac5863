import { Arg, ID } from 'type-graphql';
import { type IdKind, idPattern } from '../platform/identifiers';
import type { Class } from './shapes';

/** How the arguments look that REST has in its paths, by name. */
export const argumentPatterns = new Map<string, string>();

const title = (kind: IdKind): string => kind[0]?.toUpperCase() + kind.slice(1).replaceAll('_', ' ');

/** An identifier of this kind or, with a pattern, another text; in REST a parameter of the path. */
export function Id(name: string, kind: IdKind, about?: string): ParameterDecorator;
export function Id(name: string, text: { pattern: string }, about: string): ParameterDecorator;
export function Id(name: string, kind: IdKind | { pattern: string }, about?: string): ParameterDecorator {
  argumentPatterns.set(name, typeof kind === 'string' ? idPattern(kind) : kind.pattern);
  const description = about ?? (typeof kind === 'string' ? `${title(kind)} ID` : name);
  return Arg(name, () => ID, { description }) as ParameterDecorator;
}

/** An input object, in REST the body of the request. */
export const Body = (name: string, type: () => Class, about: string): ParameterDecorator =>
  Arg(name, type, { description: about }) as ParameterDecorator;

/** A customer's id, or null for the merchant itself, which is also what an explicit null in GraphQL means. */
export type OwnerId = string | null;

/** In REST a parameter of the path below /customers/:customer_id, and absent at the merchant's level. */
export const CustomerId = (): ParameterDecorator =>
  Arg('customer_id', () => ID, {
    nullable: true,
    description: 'Customer ID; omit for resources of the merchant itself',
  }) as ParameterDecorator;
