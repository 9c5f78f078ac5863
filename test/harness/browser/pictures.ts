/** Minimal pictures for tests. */
import { crc32, deflateSync } from 'node:zlib';

function chunk(type: string, data: Buffer): Buffer {
  const body = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, sum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  sum.writeUInt32BE(crc32(body));
  return Buffer.concat([length, body, sum]);
}

/** An image of one colour, given as three bytes, with an optional comment of a given length. */
export function png(
  width: number,
  height: number,
  colour: [number, number, number] = [200, 30, 60],
  commentBytes?: number,
): Buffer {
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(height, 4);
  // Eight bits each of red, green and blue.
  header.set([8, 2, 0, 0, 0], 8);
  const row = Buffer.concat([Buffer.from([0]), Buffer.from(Array.from({ length: width }, () => colour).flat())]);
  const rows = Buffer.concat(Array.from({ length: height }, () => row));
  const signature = Buffer.from('89504e470d0a1a0a', 'hex');
  const comment = commentBytes === undefined ? [] : [chunk('tEXt', Buffer.alloc(commentBytes, 'x'))];
  return Buffer.concat([
    signature,
    chunk('IHDR', header),
    ...comment,
    chunk('IDAT', deflateSync(rows)),
    chunk('IEND', Buffer.of()),
  ]);
}

export const dataUrl = (bytes: Buffer, type = 'png'): string => `data:image/${type};base64,${bytes.toString('base64')}`;

export const pngDataUrl = (width: number, height: number): string => dataUrl(png(width, height));
