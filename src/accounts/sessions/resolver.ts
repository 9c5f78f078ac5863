import { Args, Ctx, Mutation, Query, Resolver } from 'type-graphql';
import { ApiError } from '../../platform/errors';
import { Body, Id } from '../../schema/arguments';
import { toConnection } from '../../schema/connections/connection';
import { totalWhere } from '../../schema/connections/rows';
import { pageSlice, sliced, sliceOf } from '../../schema/connections/window';
import { Errors } from '../../schema/errors/mutationErrors';
import { listWhere } from '../../schema/list';
import type { Context } from '../../schema/operation/context';
import { FullKey, NoSessions } from '../../schema/operation/guard';
import {
  CreateSession,
  DEFAULT_MINUTES,
  Session,
  SessionConnection,
  SessionsArgs,
  SessionsConnectionArgs,
} from './fields';
import { createSession, findSession, revokeSession, showSessions } from './rows';
import { readScope } from './scope';

@Resolver()
export class SessionResolver {
  @Query(() => Session, { description: 'Returns a session' })
  @FullKey()
  async session(@Ctx() context: Context, @Id('session_id', 'session') session_id: string): Promise<Session> {
    return (await showSessions(context.db, [await findSession(context, session_id)]))[0] as Session;
  }

  @Query(() => [Session], { description: 'Sessions, newest first; includes sessions that ended within the last day' })
  @FullKey()
  async sessions(
    @Ctx() { db, merchant_id }: Context,
    @Args(() => SessionsArgs) page: SessionsArgs,
  ): Promise<Session[]> {
    const where = { merchant_id, ...listWhere(page) };
    return showSessions(db, await db.session.findMany(sliced(where, pageSlice(page))));
  }

  @Query(() => SessionConnection, {
    description: 'Sessions, newest first; includes sessions that ended within the last day',
  })
  @FullKey()
  async sessionsConnection(
    @Ctx() { db, merchant_id }: Context,
    @Args(() => SessionsConnectionArgs) window: SessionsConnectionArgs,
  ): Promise<SessionConnection> {
    const where = { merchant_id, ...listWhere(window) };
    const sessions = await showSessions(db, await db.session.findMany(sliced(where, sliceOf(window))));
    return toConnection(window, sessions, totalWhere(db, 'sessions', where));
  }

  @Mutation(() => Session, { description: 'Creates a session for browser pages; its token is returned only once' })
  @NoSessions()
  @Errors('not_allowed')
  async createSession(
    @Ctx() context: Context,
    @Body('session', () => CreateSession, 'The new session') session: CreateSession,
  ): Promise<Session> {
    const { customer_id = null, scope = [], minutes = DEFAULT_MINUTES } = session;
    return createSession(context, {
      key_id: context.actor.id ?? '',
      customer_id,
      scope: readScope(scope, customer_id !== null),
      origins: readOrigins(context, session.origins),
      sign_in: null,
      minutes,
    });
  }

  @Mutation(() => Session, { description: 'Revokes a session immediately and closes its streams' })
  async revokeSession(@Ctx() context: Context, @Id('session_id', 'session') session_id: string): Promise<Session> {
    await findSession(context, session_id);
    return (await showSessions(context.db, [await revokeSession(context, session_id)]))[0] as Session;
  }
}

/** Pages without TLS can be read and altered in transit. */
function readOrigins({ environment }: Context, origins: readonly string[]): string[] {
  if (origins.length === 0) throw new ApiError('invalid_value', 'too_few_values', { field: 'origins' });
  if (environment === 'production' && origins.some(origin => origin.startsWith('http:')))
    throw new ApiError('invalid_value', 'not_https_in_production', { field: 'origins' });
  return [...new Set(origins)];
}
