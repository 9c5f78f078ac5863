/** A `card` request makes the acquirer verify a card. */
export type RequestClass = 'read' | 'write' | 'card';

export interface RequestSize {
  requestClass: RequestClass;
  /** The number of ordinary requests that it counts as. */
  weight: number;
  /** The part of the weight that the database computes, as totals and matches of a search. */
  computedWeight?: number;
}

const RECORDS_PER_WEIGHT = 25;
/** A list of a thousand records with ten fields counts about the same in GraphQL and REST. */
export const COST_PER_WEIGHT = 200;
export const MAX_RECORDS = 1000;

/** Invalid numbers of records are rejected later. */
export const weightOf = (records: number): number =>
  records > 0 && records <= MAX_RECORDS ? 1 + Math.floor(records / RECORDS_PER_WEIGHT) : 1;

/** A large response keeps the process busy for a while; a small one that the database computes does not. */
const MIN_LARGE_WEIGHT = 5;
export const isLarge = ({ requestClass, weight, computedWeight = 0 }: RequestSize): boolean =>
  requestClass === 'read' && weight - computedWeight >= MIN_LARGE_WEIGHT;
