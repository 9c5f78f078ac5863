/**
 * Shard of a workflow in Temporal: FarmHash's 32-bit fingerprint of namespace and id, modulo the number of shards. Supports
 * only texts of more than 24 bytes.
 */
const C1 = 0xcc9e2d51;
const C2 = 0x1b873593;

const rotate = (x: number, bits: number): number => (x >>> bits) | (x << (32 - bits));
const scramble = (x: number): number => Math.imul(rotate(Math.imul(x, C1), 17), C2);
const mix = (h: number): number => (Math.imul(rotate(h, 19), 5) + 0xe6546b64) | 0;
const absorb = (x: number, h: number): number => mix(h ^ scramble(x));
const finish = (h: number): number => Math.imul(rotate(Math.imul(rotate(h, 11), C1), 17), C1);

function fingerprint(bytes: Buffer): number {
  const size = bytes.length;
  const word = (at: number): number => bytes.readInt32LE(at);
  const product = Math.imul(C1, size);
  let h = mix(mix(size ^ scramble(word(size - 4))) ^ scramble(word(size - 16)));
  let g = mix(mix(product ^ scramble(word(size - 8))) ^ scramble(word(size - 12)));
  let f = (rotate((product + scramble(word(size - 20))) | 0, 19) + 113) | 0;
  for (let at = 0; size - at > 20; at += 20) {
    const [a, b, c, d, e] = [word(at), word(at + 4), word(at + 8), word(at + 12), word(at + 16)];
    h = (absorb(d, (h + a) | 0) + e) | 0;
    g = (absorb(c, (g + b) | 0) + a) | 0;
    f = (absorb((b + Math.imul(e, C1)) | 0, (f + c) | 0) + d) | 0;
    f = (f + g) | 0;
    g = (g + f) | 0;
  }
  h = Math.imul(rotate(mix((h + finish(g)) | 0), 17), C1);
  h = Math.imul(rotate(mix((h + finish(f)) | 0), 17), C1);
  return h >>> 0;
}

export const shardOf = (namespaceId: string, workflowId: string, shards: number): number =>
  (fingerprint(Buffer.from(`${namespaceId}_${workflowId}`)) % shards) + 1;
