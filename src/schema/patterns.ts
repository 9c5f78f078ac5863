/** Patterns for the OpenAPI document in portable regular expressions. Validation is stricter; a test compares the two. */

/** PostgreSQL cannot store NUL. */
export const STORABLE = '^[^\\u0000]*$';
export const VISIBLE = '^[^\\u0000]*[^\\s\\u0000-\\u0020\\u007f-\\u00a0\\u00ad][^\\u0000]*$';

/** At least three characters, the first and last of them visible. */
export const SEARCHABLE =
  '^[^\\s\\u0000-\\u0020\\u007f-\\u00a0\\u00ad][^\\u0000]+[^\\s\\u0000-\\u0020\\u007f-\\u00a0\\u00ad]$';

const PART = '[^\\s@\\u0000-\\u0020\\u007f-\\u00a0\\u00ad<>(),;:"\\\\\\[\\].]+';
export const EMAIL_PATTERN = `^${PART}(\\.${PART})*@${PART}(\\.${PART})+$`;

const HOST_AND_PATH = '://(\\[[0-9a-fA-F:.]+\\]|[^\\s/?#@:\\[\\]\\\\]+)(:[0-9]+)?([/?#]\\S*)?$';
/** A URL without user name and password. */
export const WEB_ADDRESS = `^[hH][tT][tT][pP][sS]?${HOST_AND_PATH}`;
/** A URL, or a link with an app's own scheme. */
export const RETURN_ADDRESS = `^[a-zA-Z][a-zA-Z0-9+.\\-]*${HOST_AND_PATH}`;
