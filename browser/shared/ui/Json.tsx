/** Formats JSON and omits null fields. */
const isThere = (value: unknown): boolean => value !== null && value !== undefined;

const withoutNulls = (_: string, value: unknown): unknown =>
  value && typeof value === 'object' && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).filter(([key, inner]) => isThere(inner) && key !== '__typename'))
    : value;

/** Returns text that is not JSON unchanged. */
const pretty = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

export const Json = ({ of }: { of: unknown }) => (
  <pre class="json">{typeof of === 'string' ? pretty(of) : JSON.stringify(of, withoutNulls, 2)}</pre>
);
