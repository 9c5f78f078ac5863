/**
 * Rejects card numbers in fields that are stored in plain text. Personal fields reject every number in the range of a
 * brand. Other fields can hold merchants' own numbers, so they reject only test numbers and numbers of saved cards. The
 * error does not repeat the number.
 */
import { getMetadataStorage } from 'type-graphql';
import { ApiError } from '../../platform/errors';
import { fingerprint } from '../../platform/vault/seal';
import { throwFirst } from '../../schema/checkAll';
import type { Context } from '../../schema/operation/context';
import { type Class, type Shape, shapeOf } from '../../schema/shapes';
import { looksLikeCard, numbersIn } from '../cardDetails/numbersInText';
import { testNumbers } from '../cardDetails/testNumbers';

interface FoundNumbers {
  field: string;
  isPersonal: boolean;
  numbers: string[];
}

/** Checks one argument of an operation. Filters are not stored, so only their personal fields are checked. */
export function rejectCardNumbers(context: Context, value: unknown, type: unknown): Promise<void> | undefined {
  if (typeof value !== 'object' || value === null || typeof type !== 'function') return undefined;
  const found = findNumbers(value as Record<string, unknown>, type as Class, '').filter(
    ({ isPersonal }) => isPersonal || isBody(type),
  );
  return found.length > 0 ? rejectKnown(context, found) : undefined;
}

const isBody = (type: unknown): boolean => getMetadataStorage().inputTypes.some(({ target }) => target === type);

function findNumbers(input: Record<string, unknown>, type: Class, path: string): FoundNumbers[] {
  return [...shapeOf(type).values()].flatMap(({ name, kind, of, cardNumber, personal = false }: Shape) => {
    const value = input[name];
    const field = `${path}${name}`;
    if (value === undefined || value === null || cardNumber) return [];
    if (kind === 'object' && of) return findNumbers(value as Record<string, unknown>, of(), `${field}.`);
    const numbers = textsIn(value).flatMap(numbersIn);
    return numbers.length > 0 ? [{ field, isPersonal: personal, numbers }] : [];
  });
}

/** Includes the keys of a map. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Array.isArray(value) ? value.flatMap(textsIn) : Object.entries(value).flat().flatMap(textsIn);
}

async function rejectKnown(context: Context, found: readonly FoundNumbers[]): Promise<void> {
  const known = await knownNumbers(context, new Set(found.flatMap(({ numbers }) => numbers)));
  const isRejected = ({ numbers, isPersonal }: FoundNumbers): boolean =>
    numbers.some(number => known.has(number) || (isPersonal && looksLikeCard(number)));
  throwFirst(
    found.filter(isRejected).map(({ field }) => new ApiError('invalid_value', 'contains_card_number', { field })),
  );
}

async function knownNumbers({ db, merchant_id, vault }: Context, numbers: Set<string>): Promise<Set<string>> {
  const numberByFingerprint = new Map([...numbers].map(number => [fingerprint(vault, number).toString('hex'), number]));
  const fingerprints = [...numberByFingerprint.keys()].map(hex => Buffer.from(hex, 'hex'));
  const cards = await db.card.findMany({
    where: { merchant_id, fingerprint: { in: fingerprints } },
    select: { fingerprint: true },
  });
  const own = cards.flatMap(card => numberByFingerprint.get(Buffer.from(card.fingerprint ?? []).toString('hex')) ?? []);
  return new Set([...own, ...[...numbers].filter(number => testNumbers.has(number))]);
}
