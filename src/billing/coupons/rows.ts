import { Prisma } from '../../../prisma/generated/client';
import type { CouponModel } from '../../../prisma/generated/models';
import type { Metadata } from '../../payments/metadata/metadata';
import { metadataList } from '../../payments/metadata/rows';
import { batchedById } from '../../platform/database/batch';
import type { Database } from '../../platform/database/connection';
import { columnsOf, idIn } from '../../platform/database/rows';
import { type Conditions, slicedSql, toSql } from '../../schema/connections/rows';
import type { Slice } from '../../schema/connections/window';

interface NarrowCouponColumns {
  duration: 'once' | 'periods' | 'forever';
  status: 'active' | 'deleted';
  plan_ids: string[] | null;
  metadata: Metadata | null;
}
export type CouponRow = Omit<CouponModel, keyof NarrowCouponColumns> & NarrowCouponColumns;

export const narrowCoupon = (row: CouponModel): CouponRow => row as CouponRow;

export async function couponById(db: Database, merchant_id: string, id: string): Promise<CouponRow | undefined> {
  const row = await db.coupon.findFirst({ where: { id, merchant_id } });
  return row ? narrowCoupon(row) : undefined;
}

/** Codes are stored in capitals. */
export const codeOf = (text: string): string => text.trim().toUpperCase();

/** The active coupon with this code, or the latest deleted one. */
export async function couponByCode(db: Database, merchant_id: string, code: string): Promise<CouponRow | undefined> {
  const row = await db.coupon.findFirst({
    where: { merchant_id, code: codeOf(code) },
    orderBy: [{ status: 'asc' }, { creation_date: 'desc' }],
  });
  return row ? narrowCoupon(row) : undefined;
}

const COLUMNS = columnsOf('coupons');
const couponsById = batchedById(
  (db, ids: readonly string[]) => db.$queryRaw<CouponRow[]>`select ${COLUMNS} from coupons where id ${idIn(ids)}`,
);

/** Newest first. */
export function couponList(db: Database, where: Conditions, slice: Slice) {
  const page = Prisma.sql`from coupons ${slicedSql(toSql(where), slice)}`;
  return metadataList<CouponRow>({
    limit: slice.take,
    read: () => db.$queryRaw`select ${COLUMNS} ${page}`,
    readIds: () => db.$queryRaw`select id ${page}`,
    find: id => couponsById(db, id),
  });
}
