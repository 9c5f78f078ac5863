import { Arg, ID } from 'type-graphql';
import { type IdKind, idPattern } from '../platform/identifiers';
import type { Class } from './shapes';

/** The patterns of arguments that are path parameters in REST, by name. */
export const argumentPatterns = new Map<string, string>();

const title = (kind: IdKind): string => kind[0]?.toUpperCase() + kind.slice(1).replaceAll('_', ' ');

/** An ID of this kind, or a text that matches a pattern; in REST a path parameter. */
export function Id(name: string, kind: IdKind, about?: string): ParameterDecorator;
export function Id(name: string, text: { pattern: string }, about: string): ParameterDecorator;
export function Id(name: string, kind: IdKind | { pattern: string }, about?: string): ParameterDecorator {
  argumentPatterns.set(name, typeof kind === 'string' ? idPattern(kind) : kind.pattern);
  const description = about ?? (typeof kind === 'string' ? `${title(kind)} ID` : name);
  return Arg(name, () => ID, { description }) as ParameterDecorator;
}

/** An input object; in REST the request body. */
export const Body = (name: string, type: () => Class, about: string): ParameterDecorator =>
  Arg(name, type, { description: about }) as ParameterDecorator;

/** A customer ID, or null for the merchant itself. */
export type OwnerId = string | null;

/** In REST a path parameter below /customers/:customer_id, absent in merchant-level paths. */
export const CustomerId = (): ParameterDecorator =>
  Arg('customer_id', () => ID, {
    nullable: true,
    description: 'Customer ID; omit for merchant-level resources',
  }) as ParameterDecorator;
