/** The merchant's page to which payers are sent after paying. */
import { ApiError } from '../../platform/errors';

export const MAX_URL_LENGTH = 2048;

/** Accepts http and https addresses without user name or password. Undefined for anything else. */
export function parseRedirectUrl(text: string): string | undefined {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) return undefined;
  const { protocol, username, password, href } = new URL(text);
  return /^https?:$/.test(protocol) && !username && !password && href.length <= MAX_URL_LENGTH ? href : undefined;
}

export function requireRedirectUrl(text: string): string {
  const url = parseRedirectUrl(text);
  if (!url)
    throw new ApiError('invalid_value', {
      field: 'redirect_url',
      problem: `must be an http or https address of at most ${MAX_URL_LENGTH} characters`,
    });
  return url;
}

/** Adds the transaction's id to the query of the merchant's address and changes nothing else. */
export function returnUrl(redirect_url: string, id: string): string {
  const [base = '', ...fragment] = redirect_url.split('#');
  const separator = base.includes('?') ? (/[?&]$/.test(base) ? '' : '&') : '?';
  return [`${base}${separator}id=${id}`, ...fragment].join('#');
}
