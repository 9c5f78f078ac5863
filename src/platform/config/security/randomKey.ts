/** Of 32 random bytes about 30 differ; that only this many do does not happen. It finds every repeated pattern too. */
const MAX_DISTINCT_BYTES_OF_A_PATTERN = 16;

/** False for what people type instead of a random key: zeros, patterns, one byte after the other, or text. */
export function isRandom(key: Uint8Array): boolean {
  const steps = key.slice(1).map((byte, i) => byte - (key[i] ?? 0));
  const isText = key.every(byte => byte >= 0x20 && byte < 0x7f);
  return new Set(key).size > MAX_DISTINCT_BYTES_OF_A_PATTERN && new Set(steps).size > 1 && !isText;
}
