/** Keys and QR codes of Bre-B payments, with the fields of the Colombian networks and a network that does not exist. */
import { randomBytes } from 'node:crypto';
import { writeQr } from '../../../gateway/acquirer/emvQr';
import type { AcquirerOrder } from '../orders';
import type { SimulatedAnswer } from '../state';

/** Banking apps refuse a QR code of an unknown network. */
const NETWORK = 'CO.COM.TEST';
const MAX_NAME_LENGTH = 25;

/** The page of the test bank has the transaction number of the QR code as its id. */
export function newBreBCode({ amount = 0, order, payee }: AcquirerOrder): Partial<SimulatedAnswer> {
  const page = randomBytes(8).toString('hex');
  const key = `@test${payee?.merchant.slice(0, 12) ?? 'merchant'}`;
  const network = (name: string, ...values: [string, string][]) => [['00', `${NETWORK}.${name}`], ...values] as const;
  const qr = writeQr([
    ['00', '01'],
    // Dynamic: for one payment.
    ['01', '12'],
    ['26', network('LLA', ['04', key])],
    ['49', network('RED', ['01', 'TEST'])],
    ['50', network('CU', ['01', '0000000000'])],
    // Category of the merchant: not given.
    ['52', '0000'],
    ['53', '170'],
    ['54', (amount / 100).toFixed(2)],
    ['58', 'CO'],
    ['59', plainName(order?.merchant ?? '')],
    ['60', 'BOGOTA'],
    ['61', '110111'],
    ['62', [['08', '00']]],
    ['80', network('CANAL', ['01', 'ECOMM'])],
    ['90', network('TRXID', ['01', page])],
  ]);
  return { page, key, qr };
}

/** In ASCII, as scanners of all banks read it. */
const plainName = (name: string): string =>
  name
    .normalize('NFD')
    .replace(/[^\x20-\x7e]/g, '')
    .slice(0, MAX_NAME_LENGTH)
    .trim() || 'Comercio';
