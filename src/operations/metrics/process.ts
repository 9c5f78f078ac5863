/** What a process knows of itself, read when its page is asked for. */
import { collectDefaultMetrics, Gauge } from 'prom-client';
import type { Acquirers } from '../../gateway/acquirer/acquirers';
import { type Database, poolOf } from '../../platform/database/connection';
import { registry } from '../../platform/metrics/counters';
import { programVersion } from '../../platform/root';

const registers = [registry];

export interface Observed {
  db: Database;
  acquirers: Acquirers;
}

/** Called once in a process. */
export function observeProcess({ db, acquirers }: Observed): void {
  collectDefaultMetrics({ register: registry, prefix: 'recaudo_' });
  new Gauge({
    name: 'recaudo_build_info',
    help: 'Always 1; its label is the version of the program.',
    labelNames: ['version'],
    registers,
  }).set({ version: programVersion() }, 1);
  new Gauge({
    name: 'recaudo_database_connections',
    help: 'Connections of the process to the database, by what they do.',
    labelNames: ['state'],
    registers,
    collect() {
      const { totalCount = 0, idleCount = 0 } = poolOf(db) ?? {};
      this.set({ state: 'busy' }, totalCount - idleCount);
      this.set({ state: 'idle' }, idleCount);
    },
  });
  new Gauge({
    name: 'recaudo_database_waiting',
    help: 'Statements that wait for a connection to the database.',
    registers,
    collect() {
      this.set(poolOf(db)?.waitingCount ?? 0);
    },
  });
  observeBreakers(acquirers);
}

function observeBreakers(acquirers: Acquirers): void {
  const states = () =>
    Object.entries(acquirers).map(([environment, acquirer]) => ({ environment, ...acquirer.breakerStates() }));
  new Gauge({
    name: 'recaudo_acquirer_breaker_open',
    help: '1 while the acquirer is not asked, because it gave several merchants no answer.',
    labelNames: ['environment'],
    registers,
    collect() {
      for (const { environment, isOpen } of states()) this.set({ environment }, isOpen ? 1 : 0);
    },
  });
  new Gauge({
    name: 'recaudo_acquirer_breaker_merchants',
    help: 'Merchants for whom the acquirer is not asked, because it gave them no answer.',
    labelNames: ['environment'],
    registers,
    collect() {
      for (const { environment, openMerchants } of states()) this.set({ environment }, openMerchants);
    },
  });
}
