/** The texts of the front page, in Spanish and English. */
import type { Language } from '../../platform/language';

export interface FrontTexts {
  language: Language;
  other: string;
  sandbox: string;
  skip: string;
  title: string;
  lead: string;
  documentation: string;
  documentationHint: string;
  health: string;
  operator: string;
  operatorHint: string;
  healthHint: string;
  parts: Record<'api' | 'database' | 'temporal' | 'worker', string>;
  up: string;
  down: string;
  build: string;
  dashboard: string;
  dashboardHint: string;
  reference: string;
  referenceHint: string;
  guides: string;
  guidesHint: string;
  explorer: string;
  explorerHint: string;
  openapi: string;
  openapiHint: string;
  token: string;
  tokenHint: string;
  watch: string;
  temporal: string;
  temporalHint: string;
  views: string;
  view: Record<'subscriptions' | 'pastDue' | 'overdue' | 'payments' | 'deliveries' | 'payouts' | 'failed', string>;
  inbox: string;
  inboxHint: string;
  journal: string;
  journalHint: string;
  rehearse: string;
  numbersHint: string;
  numbersCaption: string;
  number: string;
  outcome: string;
  outcomes: { approved: string; declined: string; funds: string; later: string };
  allNumbers: string;
  allNumbersHint: string;
  clock: string;
  clockHint: string;
  keys: string;
}

const spanish: FrontTexts = {
  language: 'es',
  other: 'English',
  sandbox: 'Modo de prueba: no se mueve dinero real.',
  skip: 'Ir al contenido',
  title: 'Pagos y cobros recurrentes en pesos colombianos',
  lead: 'Esto es lo que corre aquí, y a dónde ir.',
  documentation: 'Documentación',
  documentationHint: 'La referencia de la API y las guías, en inglés.',
  health: 'Estado',
  operator: 'Operación',
  operatorHint: 'Cómo va todo, en vivo: con la llave de un operador',
  healthHint: 'Lo mismo en JSON, para monitores',
  parts: { api: 'API', database: 'Base de datos', temporal: 'Temporal', worker: 'Worker' },
  up: 'funciona',
  down: 'no responde',
  build: 'Construir',
  dashboard: 'Tablero',
  dashboardHint: 'Lo que pasa hoy, y el futuro de cada suscripción',
  reference: 'Referencia de la API',
  referenceHint: 'Cada operación, con ejemplos en curl, Node y Python',
  guides: 'Guías',
  guidesHint: 'Autenticación, errores, webhooks, salir a producción',
  explorer: 'Explorador de GraphQL',
  explorerHint: 'Prueba cada operación, con la documentación al lado',
  openapi: 'Documento OpenAPI',
  openapiHint: 'Para generar clientes con tipos',
  token: 'Convertir una tarjeta en un token',
  tokenHint: 'Lo que hace el navegador de quien paga',
  watch: 'Mirar lo que pasa',
  temporal: 'Temporal',
  temporalHint: 'Cada suscripción viva es un workflow que dice qué espera',
  views: 'Vistas guardadas de Temporal',
  view: {
    subscriptions: 'Suscripciones',
    pastDue: 'En mora',
    overdue: 'Cobros atrasados',
    payments: 'Pagos pendientes',
    deliveries: 'Webhooks en reintento',
    payouts: 'Desembolsos',
    failed: 'Fallidos',
  },
  inbox: 'Buzón',
  inboxHint: 'Los correos que se enviaron; ninguno sale de aquí',
  journal: 'Diario del adquirente',
  journalHint: 'Todo lo que se le pidió al adquirente simulado',
  rehearse: 'Ensayar',
  numbersHint: 'Cualquier fecha futura y cualquier código sirven.',
  numbersCaption: 'Números de prueba',
  number: 'Número',
  outcome: 'Resultado',
  outcomes: {
    approved: 'aprobada',
    declined: '3001, rechazada',
    funds: '3003, sin fondos',
    later: 'se guarda; cada cobro es 3001',
  },
  allNumbers: 'Todos los números de prueba',
  allNumbersHint: 'Uno por cada forma de fallar',
  clock: 'El reloj de prueba',
  clockHint: 'Un mes de cobros en un segundo',
  keys: 'Las llaves y direcciones de este arranque están en',
};

const english: FrontTexts = {
  language: 'en',
  other: 'Español',
  sandbox: 'Test mode: no real money moves.',
  skip: 'Skip to the content',
  title: 'Payments and recurring billing in Colombian pesos',
  lead: 'This is what runs here, and where to go.',
  documentation: 'Documentation',
  documentationHint: 'The reference of the API and the guides.',
  health: 'Health',
  operator: 'Operations',
  operatorHint: 'How everything stands, live: with the key of an operator',
  healthHint: 'The same as JSON, for monitors',
  parts: { api: 'API', database: 'Database', temporal: 'Temporal', worker: 'Worker' },
  up: 'up',
  down: 'does not answer',
  build: 'Build',
  dashboard: 'Dashboard',
  dashboardHint: 'What happens today, and the future of each subscription',
  reference: 'API reference',
  referenceHint: 'Every operation, with examples in curl, Node and Python',
  guides: 'Guides',
  guidesHint: 'Authentication, errors, webhooks, going live',
  explorer: 'GraphQL explorer',
  explorerHint: 'Try every operation, with its documentation beside it',
  openapi: 'OpenAPI document',
  openapiHint: 'To generate typed clients from',
  token: 'Turn a card into a token',
  tokenHint: 'What the payer’s browser does',
  watch: 'See what happens',
  temporal: 'Temporal',
  temporalHint: 'Each live subscription is a workflow that says what it waits for',
  views: 'Saved views of Temporal',
  view: {
    subscriptions: 'Subscriptions',
    pastDue: 'Past due',
    overdue: 'Overdue charges',
    payments: 'Open payments',
    deliveries: 'Webhooks being retried',
    payouts: 'Payouts',
    failed: 'Failed',
  },
  inbox: 'Mail inbox',
  inboxHint: 'The e-mails that were sent; none of them leaves this place',
  journal: 'The acquirer’s journal',
  journalHint: 'Everything that the simulated acquirer was asked',
  rehearse: 'Rehearse',
  numbersHint: 'Any future date and any code will do.',
  numbersCaption: 'Test numbers',
  number: 'Number',
  outcome: 'Outcome',
  outcomes: {
    approved: 'approved',
    declined: '3001, declined',
    funds: '3003, no funds',
    later: 'can be saved; each charge is 3001',
  },
  allNumbers: 'All test numbers',
  allNumbersHint: 'One for each way to fail',
  clock: 'The test clock',
  clockHint: 'A month of billing in a second',
  keys: 'The keys and addresses of this start are in',
};

export const frontTexts: Record<Language, FrontTexts> = { es: spanish, en: english };
