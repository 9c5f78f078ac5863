import { GraphQLID } from 'graphql';
import { ArgsType, InputType, ObjectType } from 'type-graphql';
import { type Metadata, MetadataFilter, NewMetadata, StoredMetadata } from '../../payments/metadata/metadata';
import type { Money } from '../../platform/money';
import { connectionOf } from '../../schema/connections/connection';
import { cursorPaged } from '../../schema/connections/window';
import { Filters, paged } from '../../schema/list';
import { PercentScalar } from '../../schema/scalars';
import { Amount, Count, choice, Day, Moment, Text, Value, Values } from '../../schema/shapes';

const CouponDuration = choice(
  'CouponDuration',
  'Number of periods that a coupon reduces',
  'once',
  'periods',
  'forever',
);
const CouponStatus = choice('CouponStatus', 'Coupon status; a deleted coupon cannot be redeemed', 'active', 'deleted');

const CODE = 'Code that the payer or the merchant enters; letter case does not matter';
const PERCENT_OFF = 'Percentage off, 1 to 100';
const AMOUNT_OFF = 'Amount off each period';
const PERIODS = 'Number of periods, with the duration `periods`';
const MAX_REDEMPTIONS = 'Number of subscriptions that can redeem it; no limit if omitted';
const REDEEM_BY = "Last day on which it can be redeemed, by the merchant's clock";
const PLAN_IDS = 'Plans whose subscriptions can redeem it; all if omitted';
const MAX_PLANS = 100;

@ObjectType({ description: 'A coupon: a discount for subscriptions that redeem it' })
export class Coupon {
  @Text('Coupon ID', { id: 'coupon', example: 'q9s8d7f6g5h4j3k2l1q0' })
  id!: string;
  @Moment('Time of creation')
  creation_date!: Date;
  @Text(CODE, { example: 'LAUNCH20' })
  code!: string;
  @Value(PERCENT_OFF, () => PercentScalar, { nullable: true, example: 20 })
  percent_off!: number | null;
  @Amount(AMOUNT_OFF, { nullable: true, example: null })
  amount_off!: Money | null;
  @CouponDuration.field('Duration: the number of periods that it reduces', { example: 'periods' })
  duration!: keyof typeof CouponDuration.words;
  @Count(PERIODS, { nullable: true, example: 3 })
  periods!: number | null;
  @Count(MAX_REDEMPTIONS, { nullable: true, example: 100 })
  max_redemptions!: number | null;
  @Count('Number of redemptions', { example: 12 })
  redemptions!: number;
  @Day(REDEEM_BY, { nullable: true, example: '2027-06-30' })
  redeem_by!: string | null;
  @Values(PLAN_IDS, () => GraphQLID, { nullable: true, example: null })
  plan_ids!: string[] | null;
  @CouponStatus.field('Coupon status')
  status!: keyof typeof CouponStatus.words;
  @StoredMetadata
  metadata?: Metadata | null;
}

@InputType({ description: 'A new coupon, with percent_off or amount_off' })
export class CreateCoupon {
  @Text(CODE, { max: 50, rules: { pattern: '^[A-Za-z0-9_-]+$' }, example: 'LAUNCH20' })
  code!: string;
  @Value(PERCENT_OFF, () => PercentScalar, { optional: true, example: 20 })
  percent_off?: number;
  @Amount(AMOUNT_OFF, { optional: true, min: 1 })
  amount_off?: Money;
  @CouponDuration.field('Duration: the number of periods that it reduces', { example: 'periods' })
  duration!: keyof typeof CouponDuration.words;
  @Count(PERIODS, { optional: true, min: 1, max: 1000, example: 3 })
  periods?: number;
  @Count(MAX_REDEMPTIONS, { optional: true, min: 1, max: 2_000_000_000, example: 100 })
  max_redemptions?: number;
  @Day(REDEEM_BY, { optional: true, example: '2027-06-30' })
  redeem_by?: string;
  @Values(PLAN_IDS, () => GraphQLID, { optional: true, max: MAX_PLANS, example: ['p9s8d7f6g5h4j3k2l1q0'] })
  plan_ids?: string[];
  @NewMetadata
  metadata?: Metadata;
}

@ArgsType()
class CouponFilters extends Filters {
  @Text('Code, regardless of letter case', { optional: true, max: 50 })
  code?: string;
  @MetadataFilter
  metadata?: Metadata;
}

@ArgsType()
export class CouponsArgs extends paged(CouponFilters) {}

@ArgsType()
export class CouponsConnectionArgs extends cursorPaged(CouponFilters) {}

@ObjectType({ description: 'A page of coupons, newest first' })
export class CouponConnection extends connectionOf(Coupon) {}
