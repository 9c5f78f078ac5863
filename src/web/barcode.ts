/** Draws Code 128 barcodes for stores; the library computes the bar widths. */
import { crc32, deflateSync } from 'node:zlib';
import bwipjs from 'bwip-js';

/** Alternating widths of bars and gaps, in modules. */
export function barsOf(digits: string): number[] {
  const [symbol] = bwipjs.raw('code128', digits, '');
  if (!symbol || !('sbs' in symbol)) throw new Error('the library returned no Code 128 bars');
  return symbol.sbs;
}

const MODULE_PX = 3;
/** Pixels per module on a page. Must be an integer, or bars render unevenly on low-resolution screens and do not scan. */
const SHOWN_MODULE_PX = 2;
/** Quiet zone that scanners need on both sides, in modules. */
export const QUIET_ZONE_MODULES = 10;
const BARCODE_HEIGHT_PX = 120;

const widthOf = (bars: number[]): number =>
  bars.reduce((sum, width) => sum + width, 2 * QUIET_ZONE_MODULES) * MODULE_PX;

/** SVG for pages, in pixels. */
export const barcodeSize = (digits: string): { width: number; height: number } => ({
  width: (widthOf(barsOf(digits)) * SHOWN_MODULE_PX) / MODULE_PX,
  height: (BARCODE_HEIGHT_PX * SHOWN_MODULE_PX) / MODULE_PX,
});

/** PNG with one bit per pixel. */
export function barcodePng(digits: string): Buffer {
  const bars = barsOf(digits);
  const width = widthOf(bars);
  const row = pixelRow(bars, width);
  const header = Buffer.alloc(13);
  header.writeUInt32BE(width, 0);
  header.writeUInt32BE(BARCODE_HEIGHT_PX, 4);
  header[8] = 1;
  const pixels = deflateSync(Buffer.concat(Array.from({ length: BARCODE_HEIGHT_PX }, () => row)));
  return Buffer.concat([PNG_SIGNATURE, chunk('IHDR', header), chunk('IDAT', pixels), chunk('IEND', Buffer.alloc(0))]);
}

const PNG_SIGNATURE = Buffer.from([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]);

/** A row of pixels after the PNG filter byte (0: none). A set bit is white. */
function pixelRow(bars: number[], width: number): Buffer {
  const row = Buffer.alloc(1 + Math.ceil(width / 8), 0xff);
  row[0] = 0;
  let start = QUIET_ZONE_MODULES * MODULE_PX;
  bars.forEach((modules, i) => {
    const end = start + modules * MODULE_PX;
    for (let x = start; i % 2 === 0 && x < end; x++) {
      const byte = 1 + (x >> 3);
      row[byte] = (row[byte] ?? 0) & ~(0x80 >> (x & 7));
    }
    start = end;
  });
  return row;
}

function chunk(type: string, data: Buffer): Buffer {
  const typeAndData = Buffer.concat([Buffer.from(type, 'latin1'), data]);
  const [length, checksum] = [Buffer.alloc(4), Buffer.alloc(4)];
  length.writeUInt32BE(data.length);
  checksum.writeUInt32BE(crc32(typeAndData));
  return Buffer.concat([length, typeAndData, checksum]);
}

/** Groups of four digits, for reading aloud. */
export const groupDigits = (digits: string): string => digits.replace(/(\d{4})(?=\d)/g, '$1 ');
