/** What a request does: reads, writes, or makes the acquirer look at a card. */
export type RequestClass = 'read' | 'write' | 'card';

export interface RequestSize {
  requestClass: RequestClass;
  /** How many ordinary requests it counts for. */
  weight: number;
}

const RECORDS_PER_WEIGHT = 25;
/** A list of a thousand records with ten fields counts about as much in GraphQL as in REST. */
export const COST_PER_WEIGHT = 200;
export const MAX_RECORDS = 1000;

/** Of a request for so many records; any other number is refused later. */
export const weightOf = (records: number): number =>
  records > 0 && records <= MAX_RECORDS ? 1 + Math.floor(records / RECORDS_PER_WEIGHT) : 1;

/** A large answer keeps the process busy for a while. */
const MIN_LARGE_WEIGHT = 5;
export const isLarge = ({ requestClass, weight }: RequestSize): boolean =>
  requestClass === 'read' && weight >= MIN_LARGE_WEIGHT;
