/** Reads the form leniently and validates it like the API. */

import { checkBusiness, fromStored } from '../../accounts/activation/business';
import { BusinessInput } from '../../accounts/activation/fields';
import { digitsOfNit, displayNit } from '../../accounts/activation/nit';
import type { LiveRequestRow } from '../../accounts/activation/rows';
import { rejectCardNumbers } from '../../payments/cards/rejectNumbers';
import { ApiError } from '../../platform/errors';
import { displayMoney } from '../../platform/money';
import { violationsOf } from '../../schema/check';
import type { Context } from '../../schema/operation/context';
import { MoneyScalar } from '../../schema/scalars';
import { FIELDS, type FieldPath } from './texts';

export type TypedFields = Record<FieldPath, string>;
export type FieldProblems = Partial<Record<FieldPath, 'wrong' | 'wrongCheckDigit'>>;

/** Exceeds all valid values. */
const MAX_INPUT_LENGTH = 300;

export const typedFields = (form: URLSearchParams): TypedFields =>
  Object.fromEntries(
    FIELDS.map(path => [path, (form.get(path) ?? '').slice(0, MAX_INPUT_LENGTH).trim()]),
  ) as TypedFields;

/** The initial values of the form, without the account number, which is never sent back to a browser. */
export function storedFields({ business }: LiveRequestRow): TypedFields {
  if (!business) return typedFields(new URLSearchParams());
  const { representative, bank_account, ...own } = business;
  const volume = displayMoney(fromStored(business).expected_monthly_volume).replace(/^\D+/, '');
  return {
    ...own,
    nit: displayNit(own.nit),
    expected_monthly_volume: volume,
    'representative.name': representative.name,
    'representative.document': representative.document,
    'representative.email': representative.email,
    'representative.phone': representative.phone,
    'bank_account.bank': bank_account.bank,
    'bank_account.type': bank_account.type,
    'bank_account.number': '',
  };
}

/** Accepts Colombian thousands separators and the currency sign. */
function readVolume(text: string): bigint {
  const plain = text.replaceAll(/[$\s]|COP/gi, '');
  const isGrouped = /^\d{1,3}([.,]\d{3})+$/.test(plain);
  return MoneyScalar.parseValue(isGrouped ? plain.replaceAll(/[.,]/g, '') : plain.replace(/,(\d{1,2})$/, '.$1'));
}

type CheckingContext = Pick<Context, 'db' | 'vault'>;

/** Returns the API input, or the invalid fields. */
export async function readForm(
  context: CheckingContext,
  { merchant_id, business }: LiveRequestRow,
  typed: TypedFields,
): Promise<{ input?: BusinessInput; problems: FieldProblems }> {
  const earlier = business && fromStored(business);
  const part = (name: 'representative' | 'bank_account') =>
    Object.fromEntries(
      FIELDS.filter(path => path.startsWith(`${name}.`)).map(path => [path.slice(name.length + 1), typed[path]]),
    );
  const input = Object.assign(new BusinessInput(), {
    ...typed,
    website: typed.website && !/^[a-z][a-z\d+.-]*:/i.test(typed.website) ? `https://${typed.website}` : typed.website,
    representative: part('representative'),
    bank_account: part('bank_account'),
    expected_monthly_volume: 1n,
  });
  if (!input.bank_account.number && earlier) input.bank_account.number = earlier.bank_account.number;
  const errors = [
    ...violationsOf(input, BusinessInput),
    ...(await refusals('bank_account.type', () => requireType(input.bank_account.type))),
    ...(await refusals('expected_monthly_volume', () => {
      input.expected_monthly_volume = readVolume(typed.expected_monthly_volume);
      if (input.expected_monthly_volume <= 0n) throw new ApiError('invalid_value');
    })),
    ...(await refusals('', () => checkBusiness(input, earlier))),
    ...(await refusals('', () => rejectCardNumbers({ ...context, merchant_id } as Context, input, BusinessInput))),
  ];
  const problems: FieldProblems = {};
  for (const { field } of errors.flatMap(({ fields }) => fields)) {
    const isCheckDigit = field === 'nit' && digitsOfNit(typed.nit) !== undefined;
    problems[field as FieldPath] = isCheckDigit ? 'wrongCheckDigit' : 'wrong';
  }
  return errors.length > 0 ? { problems } : { input, problems };
}

function requireType(type: string): void {
  if (type !== 'savings' && type !== 'checking') throw new ApiError('invalid_value');
}

/** Errors of a check; `field` is used if an error names none. */
async function refusals(field: string, check: () => unknown): Promise<ApiError[]> {
  try {
    await check();
    return [];
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return [error.field === undefined ? error.as(error.kind, field) : error];
  }
}
