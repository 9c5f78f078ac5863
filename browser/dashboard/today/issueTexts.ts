import { pick } from '../../shared/language';

export const t = pick({
  es: {
    title: 'Requiere atención',
    nothing: 'No hay asuntos pendientes.',
    look: 'Ver',
    suspended: (reason: string) => `Tu comercio está suspendido: ${reason}`,
    balance: (amount: string) => `El saldo es ${amount}; los reembolsos y desembolsos están en espera`,
    failing: (url: string, since: string) => `El webhook ${url} no responde desde ${since}`,
    disabled: (url: string) => `El webhook ${url} está desactivado y no recibe eventos`,
    unverified: (url: string) => `El webhook ${url} está sin verificar y no recibe eventos`,
    key: (name: string, when: string) =>
      `La llave ${name} fue rotada y funciona hasta el ${when}; reemplázala por la nueva`,
    waiting: (count: string, since: string) =>
      count === '1'
        ? `1 renovación sin respuesta del adquirente desde ${since}`
        : `${count} renovaciones sin respuesta del adquirente desde ${since}`,
    expiring: (count: string) =>
      count === '1'
        ? '1 tarjeta vence antes de su próximo cobro'
        : `${count} tarjetas vencen antes de su próximo cobro`,
    expires: (who: string, card: string, month: string, day: string) =>
      `${who}: ${card} vence en ${month}; próximo cobro el ${day}`,
    chargebacks: (count: number) => (count === 1 ? '1 contracargo abierto' : `${count} contracargos abiertos`),
    past_due: (count: number) =>
      count === 1
        ? '1 suscripción en mora: su último cobro fue rechazado'
        : `${count} suscripciones en mora: sus últimos cobros fueron rechazados`,
    unpaid: (count: number) =>
      count === 1
        ? '1 suscripción impaga, sin más reintentos con esa tarjeta'
        : `${count} suscripciones impagas, sin más reintentos con esas tarjetas`,
    owed: (count: string, amount: string) =>
      count === '1'
        ? `1 suscripción cancelada con saldo a favor: debes ${amount} al pagador`
        : `${count} suscripciones canceladas con saldo a favor: debes ${amount} a los pagadores`,
    owedTo: (who: string, amount: string) => `${who}: ${amount}`,
    deletedCustomer: 'cliente eliminado',
    returned: (reason: string) => `Tu solicitud de acceso a producción fue devuelta: ${reason}`,
    refused: (reason: string) => `Tu solicitud de acceso a producción fue rechazada: ${reason}`,
    approved: 'Tu solicitud de acceso a producción fue aprobada: obtén tus llaves',
    differences: (day: string, count: number) =>
      `La liquidación del ${day} tiene ${count === 1 ? '1 diferencia' : `${count} diferencias`}`,
    payout: (amount: string, when: string) => `El desembolso de ${amount} falló (${when})`,
  },
  en: {
    title: 'Needs attention',
    nothing: 'No pending issues.',
    look: 'View',
    suspended: (reason: string) => `Your merchant account is suspended: ${reason}`,
    balance: (amount: string) => `The balance is ${amount}; refunds and payouts are on hold`,
    failing: (url: string, since: string) => `The webhook ${url} has not responded since ${since}`,
    disabled: (url: string) => `The webhook ${url} is disabled and receives no events`,
    unverified: (url: string) => `The webhook ${url} is not verified and receives no events`,
    key: (name: string, when: string) =>
      `The key ${name} was rotated and works until ${when}; replace it with the new one`,
    waiting: (count: string, since: string) =>
      count === '1'
        ? `1 renewal without a response from the acquirer since ${since}`
        : `${count} renewals without a response from the acquirer since ${since}`,
    expiring: (count: string) =>
      count === '1' ? '1 card expires before its next charge' : `${count} cards expire before their next charge`,
    expires: (who: string, card: string, month: string, day: string) =>
      `${who}: ${card} expires in ${month}; next charge on ${day}`,
    chargebacks: (count: number) => (count === 1 ? '1 open chargeback' : `${count} open chargebacks`),
    past_due: (count: number) =>
      count === 1
        ? '1 subscription is past due: its last charge was declined'
        : `${count} subscriptions are past due: their last charges were declined`,
    unpaid: (count: number) =>
      count === 1
        ? '1 unpaid subscription, no more retries with that card'
        : `${count} unpaid subscriptions, no more retries with those cards`,
    owed: (count: string, amount: string) =>
      count === '1'
        ? `1 cancelled subscription with a credit: you owe ${amount} to the payer`
        : `${count} cancelled subscriptions with a credit: you owe ${amount} to the payers`,
    owedTo: (who: string, amount: string) => `${who}: ${amount}`,
    deletedCustomer: 'deleted customer',
    returned: (reason: string) => `Your request for production access was returned: ${reason}`,
    refused: (reason: string) => `Your request for production access was rejected: ${reason}`,
    approved: 'Your request for production access was approved: get your keys',
    differences: (day: string, count: number) =>
      `The settlement of ${day} has ${count === 1 ? '1 difference' : `${count} differences`}`,
    payout: (amount: string, when: string) => `The payout of ${amount} failed (${when})`,
  },
});
