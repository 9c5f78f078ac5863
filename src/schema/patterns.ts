/** Patterns that both the validation and the OpenAPI document use, as portable regular expressions. */

/** PostgreSQL cannot store NUL. */
export const STORABLE = '^[^\\u0000]*$';

/** White space, control characters and the common invisible ones. */
const INVISIBLE =
  '\\s\\u0000-\\u0020\\u007f-\\u00a0\\u00ad\\u200b-\\u200f\\u2028-\\u202f\\u2060-\\u206f\\ufeff\\ufff9-\\ufffb';
export const VISIBLE = `^[^\\u0000]*[^${INVISIBLE}][^\\u0000]*$`;
/** At least three characters, of which the first and the last one are visible. */
export const SEARCHABLE = `^[^\\u0000]*[^${INVISIBLE}][^\\u0000]+[^${INVISIBLE}][^\\u0000]*$`;

/** One address without display name, group or list, and a domain with at least two labels. */
const PART = `[^@${INVISIBLE}<>(),;:"\\\\\\[\\].]+`;
export const EMAIL_PATTERN = `^${PART}(\\.${PART})*@${PART}(\\.${PART})+$`;

export const PHONE_PATTERN = '^[0-9 +().-]{5,25}$';

/** An empty text clears a field. */
export const orEmpty = (pattern: string): string => `^\\s*$|${pattern}`;

const HOST_AND_PATH = '://(\\[[0-9a-fA-F:.]+\\]|[^\\s/?#@:\\[\\]\\\\]+)(:[0-9]+)?([/?#]\\S*)?$';
/** A URL without user name and password. */
export const WEB_ADDRESS = `^[hH][tT][tT][pP][sS]?${HOST_AND_PATH}`;
/** A URL, or a link with an app's own scheme. */
export const RETURN_ADDRESS = `^[a-zA-Z][a-zA-Z0-9+.\\-]*${HOST_AND_PATH}`;
