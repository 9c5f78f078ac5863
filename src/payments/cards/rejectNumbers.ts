/**
 * Card numbers in fields where none belongs are refused, so that nobody stores one by accident. In names and addresses
 * that is every number that looks like one. Elsewhere, where a merchant's own numbers may look the same by chance, it is
 * a test number or that of a card which the merchant has saved. The error does not repeat the number.
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

/** For every argument of an operation. Filters are not stored, and what they look for may be, unless it is personal. */
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

/** Of a map, its names too. */
function textsIn(value: unknown): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  return Array.isArray(value) ? value.flatMap(textsIn) : Object.entries(value).flat().flatMap(textsIn);
}

async function rejectKnown(context: Context, found: readonly FoundNumbers[]): Promise<void> {
  const known = await knownNumbers(context, new Set(found.flatMap(({ numbers }) => numbers)));
  const isRefused = ({ numbers, isPersonal }: FoundNumbers): boolean =>
    numbers.some(number => known.has(number) || (isPersonal && looksLikeCard(number)));
  throwFirst(
    found.filter(isRefused).map(({ field }) => new ApiError('invalid_value', 'contains_card_number', { field })),
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
