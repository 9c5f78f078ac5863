import { pick } from '../../shared/language';

const es = {
  todo: {
    label: 'Qué hacer:',
    noWorker:
      'inicia un worker (bin/recaudo worker) y revisa su registro. Lo pendiente se hace cuando empiece; nada se cobra dos veces.',
    deadWorker: 'revisa ese servidor. Los demás workers hacen su trabajo.',
    acquirer:
      'pregunta al adquirente por el estado de su servicio. Los intentos se consultan de nuevo sin ayuda y nada se cobra dos veces.',
    unknown:
      'si pasan varios minutos, abre los intentos de la lista de abajo y consulta al adquirente. Nada se cobra dos veces.',
    late: 'abre la lista: cada fila dice qué espera.',
    outbox:
      'revisa el registro de los workers por líneas "outbox:" y que la base de datos, Temporal y el correo respondan.',
    backlog: 'inicia otro worker si el número sigue subiendo. Se envían por turnos entre comercios.',
    declines: 'pregunta al adquirente si rechaza todo. Si es una falla, detén los cobros del ambiente hasta que pase.',
    auditDiffers: 'abre los objetos de la tabla de conciliación; reiniciar el workflow repara los que lo perdieron.',
    auditOld: 'revisa en Temporal que el horario de la conciliación no esté en pausa.',
    builds: 'si ninguna actualización está en curso, termina los workers de la versión anterior (drain).',
    noAnswer: 'revisa el proceso del API y la red. La página sigue intentando.',
  },
  open: 'Ver los atrasados',
  invariants: {
    subscriptions_have_workflows: 'Cada suscripción activa tiene un workflow abierto',
    workflows_have_subscriptions: 'Cada workflow abierto tiene una suscripción activa',
    attributes_equal_rows: 'Los atributos de cada workflow coinciden con su fila',
    periods_are_collected: 'Cada período vencido tiene un solo cobro o un intento abierto',
    books: 'Los libros contables cuadran (npm run audit)',
  } as Record<string, string>,
  noAnswer: (since: string) => `El servidor no responde desde ${since}: los datos son de ese momento`,
  noWorker: (environments: string) => `${environments}: no hay workers activos; no hay renovaciones ni entregas`,
  isLate: (count: string, time: string) => `${count} renovaciones atrasadas, la más antigua ${time}`,
  isUnknown: (count: string) => `${count} intentos con resultado desconocido`,
  outboxWaits: (time: string) => `el outbox tiene filas pendientes desde hace ${time}`,
  backlog: (count: string) => `${count} webhooks por enviar`,
  noAcquirer: (environment: string, count: string) =>
    `${environment}: el adquirente no respondió ${count} veces en diez minutos`,
  manyDeclines: (environment: string, percent: string) =>
    `${environment}: ${percent} de las renovaciones rechazadas en diez minutos`,
  auditDiffers: (scope: string, name: string, count: string) => `${scope}: ${count} diferencias: ${name}`,
  auditOld: (scope: string, time: string) => `${scope}: la última conciliación fue hace ${time}`,
  deadWorker: (host: string, time: string) => `Un worker en ${host} no da señal desde hace ${time}`,
  builds: (count: string) => `Hay ${count} versiones activas al mismo tiempo`,
};

const en: typeof es = {
  todo: {
    label: 'To do:',
    noWorker:
      'start a worker (bin/recaudo worker) and read its log. Due work is done when it starts; nothing is charged twice.',
    deadWorker: 'check that host. The other workers do its work.',
    acquirer:
      'ask the acquirer about the status of its service. Attempts are queried again on their own, and nothing is charged twice.',
    unknown: 'after some minutes, open the attempts in the list below and ask the acquirer. Nothing is charged twice.',
    late: 'open the list: each row says what it waits for.',
    outbox:
      'search the logs of the workers for "outbox:", and check that the database, Temporal and the mail server respond.',
    backlog: 'start another worker if the number keeps growing. Merchants take turns.',
    declines:
      'ask the acquirer whether it declines everything. If it fails, hold the billing of the environment meanwhile.',
    auditDiffers: 'open the objects in the reconciliation table; rebuilding the workflow repairs those that lost it.',
    auditOld: 'check in Temporal that the schedule of the reconciliation is not paused.',
    builds: 'if no upgrade is in progress, drain the workers of the old build.',
    noAnswer: 'check the API process and the network. The page keeps trying.',
  },
  open: 'See what is overdue',
  invariants: {
    subscriptions_have_workflows: 'Every active subscription has an open workflow',
    workflows_have_subscriptions: 'Every open workflow has an active subscription',
    attributes_equal_rows: 'The attributes of every workflow match its row',
    periods_are_collected: 'Every due period has exactly one charge or an open attempt',
    books: 'The books balance (npm run audit)',
  },
  noAnswer: since => `The server has not responded since ${since}: the data is from that moment`,
  noWorker: environments => `${environments}: no active workers; there are no renewals or deliveries`,
  isLate: (count, time) => `${count} renewals overdue, the oldest by ${time}`,
  isUnknown: count => `${count} attempts with an unknown outcome`,
  outboxWaits: time => `the outbox has had pending rows for ${time}`,
  backlog: count => `${count} webhooks to send`,
  noAcquirer: (environment, count) => `${environment}: the acquirer did not respond ${count} times in ten minutes`,
  manyDeclines: (environment, percent) => `${environment}: ${percent} of renewals declined in ten minutes`,
  auditDiffers: (scope, name, count) => `${scope}: ${count} differences: ${name}`,
  auditOld: (scope, time) => `${scope}: the last reconciliation was ${time} ago`,
  deadWorker: (host, time) => `A worker on ${host} has sent no heartbeat for ${time}`,
  builds: count => `${count} different builds are active at the same time`,
};

export const t = pick({ es, en });
