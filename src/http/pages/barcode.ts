/** Code 128, as stores read it: the library says how wide each bar is, and a bar is black from top to bottom. */
import { crc32, deflateSync } from 'node:zlib';
import bwipjs from 'bwip-js';

/** Of each bar and each gap in turn, in modules. */
export function barsOf(digits: string): number[] {
  const [{ sbs }] = bwipjs.raw('code128', digits, '') as unknown as [{ sbs: number[] }];
  return sbs;
}

const MODULE_PX = 3;
/** The white space that readers need on both sides, in modules. */
export const QUIET = 10;
export const BARCODE_HEIGHT = 120;

const widthOf = (bars: number[]): number => bars.reduce((sum, width) => sum + width, 2 * QUIET) * MODULE_PX;

/** In pixels. */
export const barcodeWidth = (digits: string): number => widthOf(barsOf(digits));

/** A PNG with one bit for a pixel: small, and made in well under a millisecond. */
export function barcodePng(digits: string): Buffer {
  const bars = barsOf(digits);
  const width = widthOf(bars);
  const line = lineOf(bars, width);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(BARCODE_HEIGHT, 4);
  // One bit of grey for a pixel.
  header[8] = 1;
  const pixels = deflateSync(Buffer.concat(Array.from({ length: BARCODE_HEIGHT }, () => line)));
  return Buffer.concat([SIGNATURE, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

const SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** One line of the picture, behind the byte that says it is not filtered. White is 1. */
function lineOf(bars: number[], width: number): Buffer {
  const line = Buffer.alloc(1 + Math.ceil(width / 8), 0xff);
  line[0] = 0;
  let at = QUIET * MODULE_PX;
  bars.forEach((modules, i) => {
    const end = at + modules * MODULE_PX;
    for (let x = at; i % 2 === 0 && x < end; x++) {
      const byte = 1 + (x >> 3);
      line[byte] = (line[byte] ?? 0) & ~(0x80 >> (x & 7));
    }
    at = end;
  });
  return line;
}

function chunk(type: string, data: Buffer): Buffer {
  const named = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, check] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  check.writeUInt32BE(crc32(named));
  return Buffer.concat([length, named, check]);
}

/** As people read digits out. */
export const inFours = (digits: string): string => digits.replace(/(\d{4})(?=\d)/g, '$1 ');
