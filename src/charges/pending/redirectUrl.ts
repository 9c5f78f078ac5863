/** Where payers are sent afterwards. */
import { ApiError } from '../../platform/errors';

export const MAX_URL_LENGTH = 2048;

/** An address that a browser may be sent to: http or https, with nobody's password in it. Undefined where it is none. */
export function parseRedirectUrl(text: string): string | undefined {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) return undefined;
  const { protocol, username, password, href } = new URL(text);
  return /^https?:$/.test(protocol) && !username && !password && href.length <= MAX_URL_LENGTH ? href : undefined;
}

export function requireRedirectUrl(text: string): string {
  const address = parseRedirectUrl(text);
  if (!address)
    throw new ApiError(
      'invalid_value',
      `redirect_url must be an http or https address of at most ${MAX_URL_LENGTH} characters`,
    );
  return address;
}

/** The merchant's address with the transaction's id in its query, and everything else as it was. */
export function returnUrl(redirect_url: string, id: string): string {
  const [before = '', ...fragment] = redirect_url.split('#');
  const joint = before.includes('?') ? (/[?&]$/.test(before) ? '' : '&') : '?';
  return [`${before}${joint}id=${id}`, ...fragment].join('#');
}
