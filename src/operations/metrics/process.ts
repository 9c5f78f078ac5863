/** Metrics of this process. */
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

/** Call once per process. */
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
    help: 'Database connections of the process, by state.',
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
    help: 'Queries waiting for a database connection.',
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
    help: '1 while the circuit breaker of the acquirer is open for all merchants.',
    labelNames: ['environment'],
    registers,
    collect() {
      for (const { environment, isOpen } of states()) this.set({ environment }, isOpen ? 1 : 0);
    },
  });
  new Gauge({
    name: 'recaudo_acquirer_breaker_merchants',
    help: 'Merchants whose circuit breaker of the acquirer is open.',
    labelNames: ['environment'],
    registers,
    collect() {
      for (const { environment, openMerchants } of states()) this.set({ environment }, openMerchants);
    },
  });
}
