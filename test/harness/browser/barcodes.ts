import { readFileSync } from 'node:fs';
import { prepareZXingModule, readBarcodes } from 'zxing-wasm/reader';
import { fromRoot } from '../../../src/platform/root';

const wasm = fromRoot('node_modules/zxing-wasm/dist/reader/zxing_reader.wasm');

/** What a reader sees in a picture: the digits of every Code 128. */
export async function barcodesIn(picture: Uint8Array): Promise<string[]> {
  prepareZXingModule({ overrides: { wasmBinary: readFileSync(wasm).buffer as ArrayBuffer } });
  const found = await readBarcodes(new Uint8Array(picture), { formats: ['Code128'] });
  return found.map(({ text }) => text).sort();
}
