import { pick } from '../language';

/** What needs a person, as sentences. */
export const t = pick({
  es: {
    title: 'Necesita de alguien',
    nothing: 'Nada por ahora: todo anda solo.',
    look: 'Ver',
    suspended: (reason: string) => `Tu comercio está suspendido: ${reason}`,
    balance: (amount: string) => `El saldo está en ${amount}; los reembolsos y desembolsos esperan`,
    failing: (url: string, since: string) => `El webhook ${url} no responde desde ${since}`,
    disabled: (url: string) => `El webhook ${url} se apagó; ya no recibe eventos`,
    unverified: (url: string) => `El webhook ${url} está sin verificar; no recibe eventos`,
    key: (name: string, when: string) =>
      `La llave ${name} fue reemplazada y sirve hasta el ${when}; quien la usa necesita la nueva`,
    waiting: (count: string, since: string) =>
      count === '1'
        ? `1 renovación espera al adquirente desde ${since}`
        : `${count} renovaciones esperan al adquirente desde ${since}`,
    expiring: (count: string) =>
      count === '1'
        ? '1 tarjeta vence antes de su próximo cobro'
        : `${count} tarjetas vencen antes de su próximo cobro`,
    expires: (who: string, card: string, month: string, day: string) =>
      `${who}: ${card} vence ${month}, se cobra el ${day}`,
    chargebacks: (count: number) =>
      count === 1 ? '1 contracargo abierto espera tu respuesta' : `${count} contracargos abiertos esperan tu respuesta`,
    unpaid: (count: number) =>
      count === 1
        ? '1 suscripción quedó impaga; no se intenta más con esa tarjeta'
        : `${count} suscripciones quedaron impagas; no se intenta más con esas tarjetas`,
    returned: (reason: string) => `Tu solicitud para salir a producción volvió: ${reason}`,
    refused: (reason: string) => `Tu solicitud para salir a producción fue negada: ${reason}`,
    approved: 'Tu comercio puede salir a producción: recoge tus llaves',
    differences: (day: string, count: number) =>
      `La liquidación del ${day} tiene ${count === 1 ? '1 diferencia' : `${count} diferencias`}`,
    payout: (amount: string, when: string) => `El desembolso de ${amount} falló (${when})`,
  },
  en: {
    title: 'Needs a person',
    nothing: 'Nothing now: all goes by itself.',
    look: 'Look',
    suspended: (reason: string) => `Your shop is suspended: ${reason}`,
    balance: (amount: string) => `The balance is ${amount}; refunds and payouts wait`,
    failing: (url: string, since: string) => `The webhook ${url} has not answered since ${since}`,
    disabled: (url: string) => `The webhook ${url} was turned off; it gets no more events`,
    unverified: (url: string) => `The webhook ${url} is not verified; it gets no events`,
    key: (name: string, when: string) =>
      `The key ${name} was replaced and works until ${when}; whoever uses it needs the new one`,
    waiting: (count: string, since: string) =>
      count === '1'
        ? `1 renewal waits for the acquirer since ${since}`
        : `${count} renewals wait for the acquirer since ${since}`,
    expiring: (count: string) =>
      count === '1' ? '1 card expires before its next charge' : `${count} cards expire before their next charge`,
    expires: (who: string, card: string, month: string, day: string) =>
      `${who}: ${card} expires ${month}, is charged on ${day}`,
    chargebacks: (count: number) =>
      count === 1 ? '1 open chargeback waits for your answer' : `${count} open chargebacks wait for your answer`,
    unpaid: (count: number) =>
      count === 1
        ? '1 subscription is unpaid; its card is not tried again'
        : `${count} subscriptions are unpaid; their cards are not tried again`,
    returned: (reason: string) => `Your request to go live came back: ${reason}`,
    refused: (reason: string) => `Your request to go live was refused: ${reason}`,
    approved: 'Your shop may go live: collect your keys',
    differences: (day: string, count: number) =>
      `The settlement of ${day} has ${count === 1 ? '1 difference' : `${count} differences`}`,
    payout: (amount: string, when: string) => `The payout of ${amount} failed (${when})`,
  },
});
