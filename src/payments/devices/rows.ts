/** Device sessions. The browser creates the ID, so that it works even if the request fails. */

import { takeQuota } from '../../platform/database/quota';
import { ApiError } from '../../platform/errors';
import { idPattern, isId, newId } from '../../platform/identifiers';
import { networkOf } from '../../platform/limits/network';
import type { Context } from '../../schema/operation/context';
import { shapeOf } from '../../schema/shapes';
import { CreateDevice, type Device } from './fields';

/** High, because many phones share the address of their mobile operator. */
const MAX_DEVICES_PER_ADDRESS_AND_HOUR = 3600;

const ID = new RegExp(idPattern('device'));

/** Keeps an existing session with the same ID. `address` is null for requests by the merchant's server. */
export async function insertDevice(
  { db, merchant_id }: Pick<Context, 'db' | 'merchant_id'>,
  address: string | null,
  { id = newId('device'), user_agent, ...seen }: CreateDevice,
): Promise<string> {
  if (!ID.test(id)) throw new ApiError('invalid_value', 'not_device_id', { field: 'id' });
  if (address !== null) {
    const name = `devices ${networkOf(address)}`;
    await takeQuota(db, { merchant_id, name, problem: 'hourly_devices', max: MAX_DEVICES_PER_ADDRESS_AND_HOUR });
  }
  const row = { id, merchant_id, address, user_agent: user_agent ?? null, seen: { ...seen } };
  await db.deviceSession.createMany({ data: [row], skipDuplicates: true });
  return id;
}

export async function findDevice({ db, merchant_id }: Context, id: string): Promise<Device> {
  const where = { merchant_id_id: { merchant_id, id } };
  const row = isId(id) ? await db.deviceSession.findUnique({ where }) : null;
  if (!row) throw new ApiError('not_found');
  const { seen, user_agent, ...device } = row;
  return { ...device, ...(seen as CreateDevice), ...(user_agent !== null && { user_agent }) };
}

/** Drops invalid members, because pages cannot show their errors. */
export function readDevice(body: unknown): CreateDevice {
  const input = typeof body === 'object' && body !== null ? (body as Record<string, unknown>) : {};
  const shapes = [...shapeOf(CreateDevice).values()].filter(({ name, kind, max = 20, min = 0 }) => {
    const value = input[name];
    if (kind === 'text') return typeof value === 'string' && value.length <= max && !/[\p{Cc}\p{Cs}]/u.test(value);
    return Number.isInteger(value) && (value as number) >= min && (value as number) <= max;
  });
  return Object.fromEntries(shapes.map(({ name }) => [name, input[name]]));
}
