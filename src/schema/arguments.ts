import { Arg, ID } from 'type-graphql';
import type { Class } from './shapes';

/** An identifier, in REST a parameter of the path. */
export const Id = (name: string, about: string): ParameterDecorator =>
  Arg(name, () => ID, { description: about }) as ParameterDecorator;

/** An input object, in REST the body of the request. */
export const Body = (name: string, type: () => Class, about: string): ParameterDecorator =>
  Arg(name, type, { description: about }) as ParameterDecorator;

/** A customer's id, or null for the merchant itself, which is also what an explicit null in GraphQL means. */
export type OwnerId = string | null;

/** In REST given by the path: below /customers/:customer_id, or absent at the merchant's level. */
export const CustomerId = (): ParameterDecorator =>
  Arg('customer_id', () => ID, {
    nullable: true,
    description: "Whose; absent for the merchant's own",
  }) as ParameterDecorator;
