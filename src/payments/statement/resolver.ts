import { Args, Ctx, FieldResolver, Query, Resolver, Root } from 'type-graphql';
import { dayOf } from '../../../workflows/calendar';
import { ApiError } from '../../platform/errors';
import type { Money } from '../../platform/money';
import { toForwardConnection } from '../../schema/connections/connection';
import type { Context } from '../../schema/operation/context';
import type { StreamedResult } from '../../schema/streamedResult';
import { dayBounds } from '../../schema/time';
import { MovementsArgs, Statement, StatementArgs, type StatementMovement, StatementMovementConnection } from './fields';
import { findPosition, type LedgerView, openLedger, type Position, readMovements, startOf } from './rows';
import { movementOf } from './types';

interface OpenStatement extends Omit<Statement, 'movements'>, StreamedResult {
  view: LedgerView;
}

@Resolver(() => Statement)
export class StatementResolver {
  @Query(() => Statement, {
    description: "Retrieves the merchant's account statement, with the balance after each movement",
  })
  async statement(
    @Ctx() { db, merchant_id }: Context,
    @Args(() => StatementArgs) days: StatementArgs,
  ): Promise<OpenStatement> {
    const to = days.to ?? dayOf(Date.now());
    const from = days.from ?? `${to.slice(0, 8)}01`;
    if (from > to) throw new ApiError('invalid_value', 'after_last_day', { field: 'from', to });
    const [since, until] = [dayBounds(from)?.from, dayBounds(to)?.until];
    if (!since || !until) throw new Error(`${from} and ${to} were checked`);
    const { view, opening, totals } = await openLedger(db, { merchant_id, since, until });
    const closing = opening + totals.net;
    return {
      from,
      to,
      currency: 'COP',
      opening_balance: opening,
      closing_balance: closing,
      totals,
      view,
      fileName: `statement-${from}-${to}`,
      parts: () => readInParts(db, view, opening, closing),
    };
  }

  @FieldResolver(() => StatementMovementConnection, { description: 'Movements in chronological order' })
  async movements(
    @Ctx() { db }: Context,
    @Root() { view, opening_balance }: OpenStatement,
    @Args(() => MovementsArgs) window: MovementsArgs,
  ): Promise<StatementMovementConnection> {
    const { first, after } = window;
    const position =
      after === undefined
        ? { ...startOf(view.since), balance: opening_balance }
        : await findPosition(db, view, opening_balance, movementOf(after));
    if (!position) throw new ApiError('invalid_value', 'not_movement', { field: 'after' });
    return toForwardConnection(window, (await readMovements(db, view, position, first + 1)).movements);
  }
}

const MAX_PART_MOVEMENTS = 1000;

async function* readInParts(
  db: Context['db'],
  view: LedgerView,
  opening: Money,
  closing: Money,
): AsyncGenerator<StatementMovement[]> {
  for (let position: Position = { ...startOf(view.since), balance: opening }; ; ) {
    const { movements, last } = await readMovements(db, view, position, MAX_PART_MOVEMENTS);
    // Fails rather than returning a statement that does not add up.
    if (movements.length < MAX_PART_MOVEMENTS && last.balance !== closing)
      throw new Error(`statement: closing balance of ${view.merchant_id} is ${last.balance}, expected ${closing}`);
    yield movements;
    if (movements.length < MAX_PART_MOVEMENTS) return;
    position = last;
  }
}
