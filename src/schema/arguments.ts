import { Arg, ID } from 'type-graphql';
import type { Class } from './shapes';

/** An identifier in a path of REST. */
export const Id = (name: string, about: string): ParameterDecorator =>
  Arg(name, () => ID, { description: about }) as ParameterDecorator;

/** What REST takes as the body. */
export const Body = (name: string, type: () => Class, about: string): ParameterDecorator =>
  Arg(name, type, { description: about }) as ParameterDecorator;

/** Nothing means the merchant itself, in GraphQL also when it is written out. */
export type OwnerId = string | null;

/** Which level a path is at. */
export const CustomerId = (): ParameterDecorator =>
  Arg('customer_id', () => ID, {
    nullable: true,
    description: "Whose; absent for the merchant's own",
  }) as ParameterDecorator;
