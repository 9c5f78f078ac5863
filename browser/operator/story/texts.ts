import { withWords } from '../../shared/words';

const es = {
  kinds: {
    subscription: 'Suscripción',
    transaction: 'Transacción',
    delivery: 'Entrega',
    event: 'Evento',
    customer: 'Cliente',
    plan: 'Plan',
  } as Record<string, string>,
  merchant: 'Comercio',
  environment: 'Ambiente',
  workflows: 'Workflows en Temporal',
  now: 'Estado actual',
  timeline: 'Historia',
  newest: 'Lo más reciente primero, en hora real',
  earlier: 'Entradas anteriores',
  latest: 'Las más recientes',
  nothing: 'No hay entradas.',
  noTemporal: (problem: string) => `Los workflows no se muestran: Temporal ${problem}`,
  source: 'Origen',
  all: 'Todos los orígenes',
  sources: {
    row: 'fila',
    history: 'historial',
    ledger: 'libro contable',
    event: 'evento',
    delivery: 'entrega',
    'audit log': 'auditoría',
    outbox: 'outbox',
    acquirer: 'adquirente',
    temporal: 'Temporal',
  } as Record<string, string>,
};

const en: typeof es = {
  kinds: {
    subscription: 'Subscription',
    transaction: 'Transaction',
    delivery: 'Delivery',
    event: 'Event',
    customer: 'Customer',
    plan: 'Plan',
  },
  merchant: 'Merchant',
  environment: 'Environment',
  workflows: 'Workflows in Temporal',
  now: 'Current state',
  timeline: 'Timeline',
  newest: 'Newest first, in real time',
  earlier: 'Earlier entries',
  latest: 'Latest entries',
  nothing: 'No entries.',
  noTemporal: problem => `Workflows are not shown: Temporal is ${problem}`,
  source: 'Source',
  all: 'All sources',
  sources: { temporal: 'Temporal' },
};

export const t = withWords({ es, en });
