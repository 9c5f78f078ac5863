/** 32 random bytes have about 30 distinct values, and never this few. Repeated patterns have fewer. */
const MAX_PATTERN_BYTES = 16;

/** False for typical placeholders: zeros, patterns, consecutive bytes, or text. */
export function isRandom(key: Uint8Array): boolean {
  const steps = key.slice(1).map((byte, i) => byte - (key[i] ?? 0));
  const isText = key.every(byte => byte >= 0x20 && byte < 0x7f);
  return new Set(key).size > MAX_PATTERN_BYTES && new Set(steps).size > 1 && !isText;
}
