/**
 * Patterns of texts for the OpenAPI document, in regular expressions that every language reads alike. The checks of
 * requests are more exact; a test compares the two.
 */

/** Postgres cannot hold a NUL. */
export const STORABLE = '^[^\\u0000]*$';
/** Has a visible character. */
export const VISIBLE = '^[^\\u0000]*[^\\s\\u0000-\\u0020\\u007f-\\u00a0\\u00ad][^\\u0000]*$';

/** Has at least three characters, of which the first and the last are visible. */
export const SEARCHABLE =
  '^[^\\s\\u0000-\\u0020\\u007f-\\u00a0\\u00ad][^\\u0000]+[^\\s\\u0000-\\u0020\\u007f-\\u00a0\\u00ad]$';

const PART = '[^\\s@\\u0000-\\u0020\\u007f-\\u00a0\\u00ad<>(),;:"\\\\\\[\\].]+';
export const EMAIL_PATTERN = `^${PART}(\\.${PART})*@${PART}(\\.${PART})+$`;

const HOST_AND_PATH = '://(\\[[0-9a-fA-F:.]+\\]|[^\\s/?#@:\\[\\]\\\\]+)(:[0-9]+)?([/?#]\\S*)?$';
/** An address of the web without user and password. */
export const WEB_ADDRESS = `^[hH][tT][tT][pP][sS]?${HOST_AND_PATH}`;
/** The same, or one of an app by its own scheme. */
export const RETURN_ADDRESS = `^[a-zA-Z][a-zA-Z0-9+.\\-]*${HOST_AND_PATH}`;
