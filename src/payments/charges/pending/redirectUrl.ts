/** The merchant's page to which payers are sent after paying. */
import { ApiError } from '../../../platform/errors';

export const MAX_URL_LENGTH = 2048;

/** What a browser runs or shows by itself, or would send elsewhere than to an app. */
const FORBIDDEN_SCHEMES = /^(javascript|vbscript|data|file|filesystem|blob|about|view-source|intent|ftp|wss?):$/;

/**
 * Accepts addresses of the web, and of an app by its own scheme (`miapp://…`), without user name or password. Undefined
 * for anything else.
 */
function parseRedirectUrl(text: string): string | undefined {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) return undefined;
  const { protocol, username, password, host, href } = new URL(text);
  const isAllowed =
    /^https?:$/.test(protocol) || (href.startsWith(`${protocol}//`) && !FORBIDDEN_SCHEMES.test(protocol));
  return isAllowed && host && !username && !password && href.length <= MAX_URL_LENGTH ? href : undefined;
}

/** Only an address of the web. */
export function parseWebUrl(text: string): string | undefined {
  const url = parseRedirectUrl(text);
  return url && /^https?:/.test(url) ? url : undefined;
}

export function requireRedirectUrl(text: string): string {
  const url = parseRedirectUrl(text);
  if (!url) throw new ApiError('invalid_value', 'not_redirect_url', { field: 'redirect_url', max: MAX_URL_LENGTH });
  return url;
}

/** Puts the transaction's id into the query of the merchant's address, in place of any other, and changes nothing else. */
export function returnUrl(redirect_url: string, id: string): string {
  const [base = '', ...fragment] = redirect_url.split('#');
  const [address, ...query] = base.split('?');
  const others = query
    .join('?')
    .split('&')
    .filter(pair => pair !== '' && !/^id(=|$)/.test(pair));
  return [`${address}?${[...others, `id=${id}`].join('&')}`, ...fragment].join('#');
}
