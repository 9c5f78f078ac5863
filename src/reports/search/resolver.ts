import { Args, Ctx, Query, Resolver } from 'type-graphql';
import { toPlan } from '../../billing/plans/resolver';
import { planById } from '../../billing/plans/rows';
import { findVisible } from '../../billing/subscriptions/rows';
import { toSubscription } from '../../billing/subscriptions/view';
import { withRefunds } from '../../payments/charges/list';
import { findTransaction } from '../../payments/charges/rows';
import { toCustomer } from '../../payments/customers/resolver';
import { customerById } from '../../payments/customers/rows';
import { ApiError } from '../../platform/errors';
import type { Context } from '../../schema/operation/context';
import { Complexity } from '../../schema/operation/guard';
import { SEARCHABLE } from '../../schema/patterns';
import { MIN_TEXT_CHARACTERS, SearchArgs, type SearchRecord, SearchResult } from './fields';
import { find } from './find';
import type { FoundRow } from './ranking';
import { parseSearchText } from './text';

const searchable = new RegExp(SEARCHABLE, 'u');

@Resolver()
export class SearchResolver {
  @Complexity(2500)
  @Query(() => [SearchResult], {
    description: 'Searches customers, subscriptions, charges and plans; best match first',
  })
  async search(
    @Ctx() context: Context,
    @Args(() => SearchArgs) { text: input, limit }: SearchArgs,
  ): Promise<SearchResult[]> {
    if (!searchable.test(input))
      throw new ApiError('invalid_value', 'text_too_short', { field: 'text', min: MIN_TEXT_CHARACTERS });
    const { db, merchant_id } = context;
    const best = await db.$transaction(tx => find({ tx, merchant_id }, parseSearchText(input), limit));
    const records = await Promise.all(best.map(row => readers[row.type](context, row.id)));
    return best.flatMap(({ type, matched }, i) => {
      const record = records[i];
      return record ? [{ type, matched, record }] : [];
    });
  }
}

type RecordReader = ({ db, merchant_id }: Context, id: string) => Promise<SearchRecord | undefined>;

/** A reader returns undefined if the record was deleted meanwhile. */
const readers: Record<FoundRow['type'], RecordReader> = {
  customer: async ({ db, merchant_id }, id) => {
    const row = await customerById(db, id);
    return row?.merchant_id === merchant_id && row.status === 'active' ? toCustomer(row, row.balance) : undefined;
  },
  subscription: async ({ db, merchant_id }, id) => {
    const row = await findVisible(db, id);
    return row?.merchant_id === merchant_id ? toSubscription(row) : undefined;
  },
  charge: async ({ db, merchant_id }, id) => {
    const row = await findTransaction(db, { id, merchant_id });
    return row && withRefunds(db, row);
  },
  plan: async ({ db, merchant_id }, id) => {
    const row = await planById(db, id);
    return row?.merchant_id === merchant_id ? toPlan(row) : undefined;
  },
};
