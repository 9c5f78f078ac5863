import { readFileSync } from 'node:fs';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { fromRoot } from '../../../src/platform/root';

const wasm = fromRoot('node_modules/zxing-wasm/dist/reader/zxing_reader.wasm');

/** The texts of every barcode in a picture. */
export async function barcodesIn(picture: Uint8Array, format: 'Code128' | 'QRCode' = 'Code128'): Promise<string[]> {
  prepareZXingModule({ overrides: { wasmBinary: readFileSync(wasm).buffer as ArrayBuffer } });
  const barcodes = await readBarcodes(new Uint8Array(picture), { formats: [format] });
  return barcodes.map(({ text }) => text).sort();
}
