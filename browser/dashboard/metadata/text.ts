export type Metadata = Record<string, string>;

/** Whether the pair is the same after it was written as a line and read again. */
export const isLine = ([key, value]: readonly [string, string]): boolean =>
  /^[^\s:{]([^:\r\n]*[^\s:])?$/.test(key) && /^(\S(.*\S)?)?$/.test(value) && !/[\r\u2028\u2029]/.test(value);

export function toText(metadata: Metadata): string {
  const pairs = Object.entries(metadata);
  if (!pairs.every(isLine)) return JSON.stringify(metadata, null, 2);
  return pairs.map(([key, value]) => `${key}: ${value}`.trim()).join('\n');
}

/** Undefined if the text is neither lines of pairs nor JSON. The API checks what the JSON contains. */
export function readText(text: string): Metadata | undefined {
  if (text.startsWith('{')) return readJson(text);
  const pairs: [string, string][] = [];
  for (const line of text.split('\n').filter(line => line.trim() !== '')) {
    const at = line.indexOf(':');
    if (at < 1) return undefined;
    pairs.push([line.slice(0, at).trim(), line.slice(at + 1).trim()]);
  }
  return Object.fromEntries(pairs);
}

function readJson(text: string): Metadata | undefined {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
