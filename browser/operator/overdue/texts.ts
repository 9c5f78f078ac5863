import { withWords } from '../../shared/words';

const es = {
  title: 'Trabajo atrasado',
  about: 'Lo más atrasado primero. Cada fila dice qué espera.',
  none: 'Nada está atrasado.',
  merchant: 'Comercio',
  environment: 'Ambiente',
  late: 'Atraso',
  waits: 'Espera',
  earlier: 'Volver al inicio',
  next: 'Siguientes',
  noTemporal: (problem: string) => `Faltan los motivos que solo conoce Temporal, que está ${problem}`,
  kinds: { subscription: 'suscripción', expiry: 'vencimiento', payout: 'desembolso', delivery: 'entrega' } as Record<
    string,
    string
  >,
  reasons: {
    merchant_suspended: 'que un operador levante la suspensión del comercio',
    held: 'que un operador reanude los cobros, o el fin de la detención',
    webhook_disabled: 'nada: la entrega se marcará como fallida',
    worker_away: 'un worker de su ambiente',
    no_workflow: 'el barrido, que lo reinicia en diez minutos, o que un operador reinicie el workflow',
    workflow_paused: 'a quien pausó el workflow',
    workflow_failing: 'un worker que pueda ejecutar el workflow, o que un operador lo reinicie',
    waits_for_acquirer: 'una respuesta del adquirente; un operador puede consultar ahora',
    activity_failing: 'el siguiente intento',
    under_way: 'su turno',
  } as Record<string, string>,
};

const en: typeof es = {
  title: 'Overdue work',
  about: 'Most overdue first. Each row says what it waits for.',
  none: 'Nothing is overdue.',
  merchant: 'Merchant',
  environment: 'Environment',
  late: 'Overdue by',
  waits: 'Waits for',
  earlier: 'Back to the first',
  next: 'Next',
  noTemporal: problem => `Reasons that only Temporal knows are missing: it is ${problem}`,
  kinds: {},
  reasons: {
    merchant_suspended: 'an operator to resume the merchant',
    held: 'an operator to release the billing hold, or its end',
    webhook_disabled: 'nothing: the delivery will be failed',
    worker_away: 'a worker of its environment',
    no_workflow: 'the sweep, which restarts it within ten minutes, or an operator to rebuild the workflow',
    workflow_paused: 'the user who paused the workflow',
    workflow_failing: 'a worker that can run the workflow, or an operator to rebuild it',
    waits_for_acquirer: 'a response of the acquirer; an operator can ask now',
    activity_failing: 'the next attempt',
    under_way: 'its turn',
  },
};

export const t = withWords({ es, en });
