/** Validates logos by their bytes: PNG or JPEG of a reasonable size. */
import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { ApiError } from '../../platform/errors';

const MAX_LOGO_BYTES = 64 * 1024;
const MIN_PIXELS = 16;
const MAX_PIXELS = 2000;

const DATA_URL = /^data:image\/(png|jpeg);base64,([A-Za-z0-9+/]+={0,2})$/;
const PNG_SIGNATURE = Buffer.from('89504e470d0a1a0a', 'hex');

export interface NewLogo {
  /** A hash of the content with its file extension. */
  name: string;
  content: Uint8Array<ArrayBuffer>;
}

interface Size {
  width: number;
  height: number;
}

export function readLogo(dataUrl: string): NewLogo {
  const [, type, base64 = ''] =
    DATA_URL.exec(dataUrl.trim()) ?? reject(new ApiError('invalid_value', 'not_logo', { field: 'logo' }));
  const bytes = Buffer.from(base64, 'base64');
  if (bytes.length > MAX_LOGO_BYTES)
    reject(new ApiError('invalid_value', 'logo_too_large', { field: 'logo', max: MAX_LOGO_BYTES / 1024 }));
  const { width, height } =
    (type === 'png' ? pngSize(bytes) : jpegSize(bytes)) ??
    reject(new ApiError('invalid_value', 'broken_logo', { field: 'logo', type: `${type}` }));
  if (Math.min(width, height) < MIN_PIXELS || Math.max(width, height) > MAX_PIXELS)
    reject(new ApiError('invalid_value', 'logo_pixels', { field: 'logo', min: MIN_PIXELS, max: MAX_PIXELS }));
  const hash = createHash('sha256').update(bytes).digest('hex').slice(0, 32);
  return { name: `${hash}.${type === 'png' ? 'png' : 'jpg'}`, content: new Uint8Array(bytes) };
}

function reject(error: ApiError): never {
  throw error;
}

/** Requires complete chunks with valid checksums, and no data after the last one. */
function pngSize(bytes: Buffer): Size | undefined {
  if (!bytes.subarray(0, 8).equals(PNG_SIGNATURE)) return undefined;
  let size: Size | undefined;
  let hasData = false;
  for (let at = 8; at + 12 <= bytes.length; ) {
    const end = at + 12 + bytes.readUInt32BE(at);
    if (end > bytes.length || crc32(bytes.subarray(at + 4, end - 4)) !== bytes.readUInt32BE(end - 4)) return undefined;
    const type = bytes.toString('latin1', at + 4, at + 8);
    if (at === 8 && type === 'IHDR' && end === at + 25)
      size = { width: bytes.readUInt32BE(at + 8), height: bytes.readUInt32BE(at + 12) };
    hasData ||= type === 'IDAT';
    if (type === 'IEND') return hasData && end === bytes.length ? size : undefined;
    at = end;
  }
  return undefined;
}

/** Requires segments up to the image, one of them with its size, and the end marker as the last bytes. */
function jpegSize(bytes: Buffer): Size | undefined {
  if (bytes.length < 4 || bytes.readUInt16BE(0) !== 0xffd8 || bytes.readUInt16BE(bytes.length - 2) !== 0xffd9)
    return undefined;
  let size: Size | undefined;
  for (let at = 2; at + 9 < bytes.length; ) {
    const marker = bytes.readUInt16BE(at);
    if (marker === 0xffda) return size;
    if (marker < 0xffc0 || marker === 0xffff) return undefined;
    if (isFrame(marker)) size = { height: bytes.readUInt16BE(at + 5), width: bytes.readUInt16BE(at + 7) };
    at += 2 + bytes.readUInt16BE(at + 2);
  }
  return undefined;
}

/** Baseline or progressive, which every browser displays. */
const isFrame = (marker: number): boolean => marker >= 0xffc0 && marker <= 0xffc2;
