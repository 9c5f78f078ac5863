/** The merchant's URL to which payers return after a payment. */
import { ApiError } from '../../../platform/errors';

export const MAX_URL_LENGTH = 2048;

/** Schemes that browsers execute, render or send elsewhere than to an app. */
const FORBIDDEN_SCHEMES = /^(javascript|vbscript|data|file|filesystem|blob|about|view-source|intent|ftp|wss?):$/;

/**
 * Accepts web URLs and app URLs with a custom scheme (`miapp://…`), without user name or password. Returns undefined for
 * other texts.
 */
function parseRedirectUrl(text: string): string | undefined {
  if (text.length > MAX_URL_LENGTH || !URL.canParse(text)) return undefined;
  const { protocol, username, password, host, href } = new URL(text);
  const isAllowed =
    /^https?:$/.test(protocol) || (href.startsWith(`${protocol}//`) && !FORBIDDEN_SCHEMES.test(protocol));
  return isAllowed && host && !username && !password && href.length <= MAX_URL_LENGTH ? href : undefined;
}

export function parseWebUrl(text: string): string | undefined {
  const url = parseRedirectUrl(text);
  return url && /^https?:/.test(url) ? url : undefined;
}

export function requireRedirectUrl(text: string): string {
  const url = parseRedirectUrl(text);
  if (!url) throw new ApiError('invalid_value', 'not_redirect_url', { field: 'redirect_url', max: MAX_URL_LENGTH });
  return url;
}

/** Sets the query parameter `id` of the merchant's URL to the transaction ID and keeps the rest unchanged. */
export function returnUrl(redirect_url: string, id: string): string {
  const [base = '', ...fragment] = redirect_url.split('#');
  const [address, ...query] = base.split('?');
  const parameters = query
    .join('?')
    .split('&')
    .filter(pair => pair !== '' && !/^id(=|$)/.test(pair));
  return [`${address}?${[...parameters, `id=${id}`].join('&')}`, ...fragment].join('#');
}
