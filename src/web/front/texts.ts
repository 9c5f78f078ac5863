/** The texts of the front page, in Spanish and English. */
import type { Language } from '../../platform/language';

export interface FrontTexts {
  language: Language;
  other: string;
  sandbox: string;
  trial: string;
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
  trial: 'Instalación de ensayo: no la uses para pagos reales.',
  skip: 'Ir al contenido',
  title: 'Pagos y cobros recurrentes en pesos colombianos',
  lead: 'Los servicios de esta instalación y sus enlaces.',
  documentation: 'Documentación',
  documentationHint: 'Referencia de la API y guías, en inglés',
  health: 'Estado',
  operator: 'Operación',
  operatorHint: 'Estado en vivo, comercios, solicitudes e historias, con una llave de operador',
  healthHint: 'El mismo estado en JSON, para monitoreo',
  parts: { api: 'API', database: 'Base de datos', temporal: 'Temporal', worker: 'Worker' },
  up: 'funciona',
  down: 'sin respuesta',
  build: 'Integrar',
  dashboard: 'Panel',
  dashboardHint: 'La actividad de hoy y la línea de tiempo de cada suscripción',
  reference: 'Referencia de la API',
  referenceHint: 'Cada operación, con ejemplos en curl, Node y Python',
  guides: 'Guías',
  guidesHint: 'Autenticación, errores, webhooks, acceso a producción',
  explorer: 'Explorador de GraphQL',
  explorerHint: 'Ejecuta cada operación con la documentación al lado',
  openapi: 'Documento OpenAPI',
  openapiHint: 'Para generar clientes con tipos',
  token: 'Tokenización de tarjetas',
  tokenHint: 'El paso que corre en el navegador del pagador',
  watch: 'Observar',
  temporal: 'Temporal',
  temporalHint: 'Cada suscripción activa es un workflow que muestra su próxima acción',
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
  inbox: 'Buzón de correo',
  inboxHint: 'Los correos enviados; ninguno sale de este equipo',
  journal: 'Registro del adquirente',
  journalHint: 'Todas las solicitudes al adquirente simulado',
  rehearse: 'Probar',
  numbersHint: 'Usa cualquier fecha futura y cualquier código.',
  numbersCaption: 'Números de tarjeta de prueba',
  number: 'Número',
  outcome: 'Resultado',
  outcomes: {
    approved: 'aprobada',
    declined: '3001, rechazada',
    funds: '3003, fondos insuficientes',
    later: 'se guarda; cada cobro se rechaza con 3001',
  },
  allNumbers: 'Todas las tarjetas de prueba',
  allNumbersHint: 'Una por cada motivo de rechazo',
  clock: 'Reloj de prueba',
  clockHint: 'Un mes de cobros en un segundo',
  keys: 'Las llaves y direcciones de esta instalación están en',
};

const english: FrontTexts = {
  language: 'en',
  other: 'Español',
  sandbox: 'Test mode: no real money moves.',
  trial: 'Trial installation: do not use it for real payments.',
  skip: 'Skip to the content',
  title: 'Payments and recurring billing in Colombian pesos',
  lead: 'The services of this installation and their links.',
  documentation: 'Documentation',
  documentationHint: 'API reference and guides',
  health: 'Health',
  operator: 'Operations',
  operatorHint: 'Live status, merchants, requests and timelines, with an operator key',
  healthHint: 'The same status as JSON, for monitoring',
  parts: { api: 'API', database: 'Database', temporal: 'Temporal', worker: 'Worker' },
  up: 'up',
  down: 'not responding',
  build: 'Integrate',
  dashboard: 'Dashboard',
  dashboardHint: 'Today’s activity and the timeline of each subscription',
  reference: 'API reference',
  referenceHint: 'Every operation, with examples in curl, Node and Python',
  guides: 'Guides',
  guidesHint: 'Authentication, errors, webhooks, production access',
  explorer: 'GraphQL explorer',
  explorerHint: 'Run every operation with its documentation alongside',
  openapi: 'OpenAPI document',
  openapiHint: 'For generating typed clients',
  token: 'Card tokenization',
  tokenHint: 'The step that runs in the payer’s browser',
  watch: 'Observe',
  temporal: 'Temporal',
  temporalHint: 'Each active subscription is a workflow that shows its next action',
  views: 'Saved Temporal views',
  view: {
    subscriptions: 'Subscriptions',
    pastDue: 'Past due',
    overdue: 'Overdue charges',
    payments: 'Pending payments',
    deliveries: 'Webhooks being retried',
    payouts: 'Payouts',
    failed: 'Failed',
  },
  inbox: 'E-mail inbox',
  inboxHint: 'The sent e-mails; none of them leaves this machine',
  journal: 'Acquirer log',
  journalHint: 'All requests to the simulated acquirer',
  rehearse: 'Test',
  numbersHint: 'Use any future date and any code.',
  numbersCaption: 'Test card numbers',
  number: 'Number',
  outcome: 'Outcome',
  outcomes: {
    approved: 'approved',
    declined: '3001, declined',
    funds: '3003, insufficient funds',
    later: 'can be saved; every charge is declined with 3001',
  },
  allNumbers: 'All test cards',
  allNumbersHint: 'One for each reason for a decline',
  clock: 'Test clock',
  clockHint: 'A month of billing in a second',
  keys: 'The keys and URLs of this installation are in',
};

export const frontTexts: Record<Language, FrontTexts> = { es: spanish, en: english };
