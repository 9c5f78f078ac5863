/** Dynamic QR codes in the EMVCo format for payments in Colombia. A field is its tag, its length and its value. */
import { type Money, parseMoney } from '../../platform/money';

/** The value of a template is a list of fields. */
export type QrField = readonly [tag: string, value: string | readonly QrField[]];

const CHECKSUM = '6304';
const PESOS = '170';
/** Tag of the template with the key (llave) of the payee. */
const KEY_TEMPLATE = '26';
/** Name of the network, in any template. */
const NETWORK = '00';
const MAX_VALUE_LENGTH = 99;

export function writeQr(fields: readonly QrField[]): string {
  const text = `${writeFields(fields)}${CHECKSUM}`;
  return text + checksumOf(text);
}

const writeFields = (fields: readonly QrField[]): string =>
  fields
    .map(([tag, content]) => {
      const value = typeof content === 'string' ? content : writeFields(content);
      if (value.length > MAX_VALUE_LENGTH) throw new Error(`QR field ${tag} is too long`);
      return `${tag}${String(value.length).padStart(2, '0')}${value}`;
    })
    .join('');

/** Returns undefined unless the text is an intact code for an amount in Colombian pesos. */
export function readQr(text: string): { keys: string[]; amount: Money } | undefined {
  const body = text.slice(0, -4);
  if (!/^[^\p{C}]+$/u.test(text) || !body.endsWith(CHECKSUM) || checksumOf(body) !== text.slice(-4)) return undefined;
  const fields = readFields(text);
  const keys = readFields(fields?.get(KEY_TEMPLATE) ?? '');
  const amount = parseMoney(fields?.get('54') ?? '');
  const isInPesos = fields?.get('00') === '01' && fields.get('53') === PESOS && fields.get('58') === 'CO';
  if (!isInPesos || !keys || !amount?.exact) return undefined;
  return { keys: [...keys].flatMap(([tag, value]) => (tag === NETWORK ? [] : [value])), amount: amount.centavos };
}

function readFields(text: string): Map<string, string> | undefined {
  const fields = new Map<string, string>();
  for (let rest = text; rest !== ''; ) {
    const [header, tag = '', length = ''] = /^(\d\d)(\d\d)/.exec(rest) ?? [];
    const value = rest.slice(4, 4 + Number(length));
    if (header === undefined || value.length !== Number(length) || fields.has(tag)) return undefined;
    fields.set(tag, value);
    rest = rest.slice(4 + value.length);
  }
  return fields;
}

/** CRC-16/CCITT with the initial value FFFF. */
function checksumOf(text: string): string {
  let crc = 0xffff;
  for (const byte of Buffer.from(text)) {
    crc ^= byte << 8;
    for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ (crc & 0x8000 ? 0x1021 : 0)) & 0xffff;
  }
  return crc.toString(16).toUpperCase().padStart(4, '0');
}
