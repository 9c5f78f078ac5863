import { Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { Prisma } from '../../../prisma/generated/client';
import { auditEntry } from '../../accounts/auditLog/entry';
import { metadataWhere } from '../../payments/metadata/rows';
import { clockOf } from '../../platform/database/clock';
import { ApiError } from '../../platform/errors';
import { isId } from '../../platform/identifiers';
import { Body, Id } from '../../schema/arguments';
import { readFitting, readPage } from '../../schema/boundedList';
import { toConnection } from '../../schema/connections/connection';
import { totalWhere } from '../../schema/connections/rows';
import { pageSlice, sliceOf } from '../../schema/connections/window';
import { listWhere } from '../../schema/list';
import type { Context } from '../../schema/operation/context';
import { findActivePlan } from '../plans/resolver';
import { Coupon, CouponConnection, CouponsArgs, CouponsConnectionArgs, CreateCoupon } from './fields';
import { type CouponRow, codeOf, couponById, couponList, narrowCoupon } from './rows';

export async function findCoupon({ db, merchant_id }: Context, id: string): Promise<CouponRow> {
  const found = isId(id) ? await couponById(db, merchant_id, id) : undefined;
  if (!found) throw new ApiError('not_found');
  return found;
}

const couponsWhere = ({ merchant_id }: Context, filters: CouponsArgs | CouponsConnectionArgs) => ({
  merchant_id,
  status: 'active',
  ...(filters.code !== undefined && { code: codeOf(filters.code) }),
  ...listWhere(filters),
  ...metadataWhere(filters),
});

const CODE = /^[A-Za-z0-9_-]+$/;
const MIN_PERCENT = 100;

function checkTerms({ code, percent_off, amount_off, duration, periods }: CreateCoupon): void {
  if (!CODE.test(code.trim())) throw new ApiError('malformed', 'wrong_format', { field: 'code' });
  if ((percent_off === undefined) === (amount_off === undefined))
    throw new ApiError('invalid_value', 'one_discount', { field: 'percent_off' });
  if (percent_off !== undefined && percent_off < MIN_PERCENT)
    throw new ApiError('invalid_value', 'below_minimum', { field: 'percent_off', min: 1 });
  if ((duration === 'periods') !== (periods !== undefined))
    throw new ApiError('invalid_value', 'periods_with_duration', { field: 'periods' });
}

@Resolver()
export class CouponResolver {
  @Query(() => Coupon, { description: 'Retrieves a coupon, including a deleted one' })
  async coupon(@Ctx() context: Context, @Id('coupon_id', 'coupon') coupon_id: string): Promise<Coupon> {
    return findCoupon(context, coupon_id);
  }

  @Query(() => [Coupon], { description: 'Lists active coupons, newest first' })
  async coupons(@Ctx() context: Context, @Args(() => CouponsArgs) page: CouponsArgs): Promise<Coupon[]> {
    return readPage(context, couponList(context.db, couponsWhere(context, page), pageSlice(page)));
  }

  @Query(() => CouponConnection, { description: 'Lists active coupons, newest first' })
  async couponsConnection(
    @Ctx() context: Context,
    @Args(() => CouponsConnectionArgs) window: CouponsConnectionArgs,
  ): Promise<CouponConnection> {
    const where = couponsWhere(context, window);
    const { records, isCut } = await readFitting(context, couponList(context.db, where, sliceOf(window)));
    return toConnection(window, records, totalWhere(context.db, 'coupons', where), { isCut });
  }

  @Mutation(() => Coupon, { description: 'Creates a coupon' })
  async createCoupon(
    @Ctx() context: Context,
    @Body('coupon', () => CreateCoupon, 'The new coupon') input: CreateCoupon,
  ): Promise<Coupon> {
    checkTerms(input);
    const { db, merchant_id } = context;
    await Promise.all((input.plan_ids ?? []).map(plan_id => findActivePlan(context, plan_id)));
    const id = context.newId('coupon');
    const { now: creation_date } = await clockOf(db, merchant_id, null);
    const data = { ...input, code: codeOf(input.code), id, merchant_id, creation_date };
    // A repeated request finds the coupon that it created before.
    const row = await db.coupon.upsert({ where: { id, merchant_id }, create: data, update: {} }).catch(error => {
      const isTaken = error instanceof Prisma.PrismaClientKnownRequestError && error.code === 'P2002';
      throw isTaken ? new ApiError('invalid_value', 'coupon_code_taken', { field: 'code' }) : error;
    });
    return narrowCoupon(row);
  }

  @Mutation(() => Coupon, { description: 'Deletes a coupon. Subscriptions that redeemed it keep their discount' })
  async deleteCoupon(@Ctx() context: Context, @Id('coupon_id', 'coupon') coupon_id: string): Promise<Coupon> {
    if (!isId(coupon_id)) throw new ApiError('not_found');
    return context.db.$transaction(async tx => {
      const where = { id: coupon_id, merchant_id: context.merchant_id, status: 'active' };
      const [row] = await tx.coupon.updateManyAndReturn({ where, data: { status: 'deleted' } });
      if (!row) throw new ApiError('not_found');
      await tx.auditEntry.create({ data: auditEntry(context, 'coupon.deleted', { object_id: coupon_id }) });
      return narrowCoupon(row);
    });
  }
}
