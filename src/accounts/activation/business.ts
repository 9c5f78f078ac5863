/** Validates and stores business details. The API and the page share it. */
import { ApiError } from '../../platform/errors';
import { formatMoney, parseMoney } from '../../platform/money';
import { isPhone } from '../../schema/check';
import { checkAll } from '../../schema/checkAll';
import { WEB_ADDRESS } from '../../schema/patterns';
import { isAccountNumber, maskedNumber, withoutSeparators } from '../bankAccounts/number';
import type { Business, BusinessInput } from './fields';
import { digitsOfNit, hasCheckDigit } from './nit';

/** The database form, because JSON has no 64-bit integers. */
export type StoredBusiness = Omit<Business, 'expected_monthly_volume'> & { expected_monthly_volume: string };

export const toStored = (business: Business): StoredBusiness => ({
  ...business,
  expected_monthly_volume: String(formatMoney(business.expected_monthly_volume)),
});

export const fromStored = (stored: StoredBusiness): Business => ({
  ...stored,
  expected_monthly_volume: parseMoney(stored.expected_monthly_volume)?.centavos ?? 0n,
});

const DOCUMENT = /^[\p{L}\d.-]{4,20}$/u;

export interface CheckedBusiness {
  business: Business;
  /** Undefined if the bank account is unchanged. */
  accountNumber: string | undefined;
}

type WrongForm = 'not_nit' | 'wrong_nit_digit' | 'not_document' | 'not_phone' | 'not_website' | 'not_account_number';

/** Validates texts of the right form and throws one error for all problems. */
export function checkBusiness(input: BusinessInput, earlier: Business | null = null): CheckedBusiness {
  const { representative, bank_account } = input;
  const nit = digitsOfNit(input.nit);
  const website = input.website.trim();
  const number = withoutSeparators(bank_account.number);
  const isUnchanged = number === earlier?.bank_account.number;
  const reject = (isWrong: boolean, field: string, problem: WrongForm, kind: 'malformed' | 'invalid_value') => () => {
    if (isWrong) throw new ApiError(kind, problem, { field });
  };
  const isWebsite = new RegExp(WEB_ADDRESS).test(website) && URL.canParse(website);
  checkAll(
    reject(nit === undefined, 'nit', 'not_nit', 'malformed'),
    reject(nit !== undefined && !hasCheckDigit(nit), 'nit', 'wrong_nit_digit', 'invalid_value'),
    reject(!DOCUMENT.test(representative.document.trim()), 'representative.document', 'not_document', 'malformed'),
    reject(!isPhone(representative.phone), 'representative.phone', 'not_phone', 'malformed'),
    reject(!isPhone(input.support_phone), 'support_phone', 'not_phone', 'malformed'),
    reject(!isWebsite, 'website', 'not_website', 'invalid_value'),
    reject(!isUnchanged && !isAccountNumber(number), 'bank_account.number', 'not_account_number', 'invalid_value'),
  );
  const shownNumber = isUnchanged ? number : maskedNumber(number);
  const business = {
    legal_name: input.legal_name.trim(),
    nit: nit ?? '',
    representative: {
      name: representative.name.trim(),
      document: representative.document.trim(),
      email: representative.email,
      phone: withoutSeparators(representative.phone),
    },
    bank_account: { bank: bank_account.bank.trim(), type: bank_account.type, number: shownNumber },
    website,
    expected_monthly_volume: input.expected_monthly_volume,
    support_email: input.support_email,
    support_phone: withoutSeparators(input.support_phone),
  };
  return { business, accountNumber: isUnchanged ? undefined : number };
}
