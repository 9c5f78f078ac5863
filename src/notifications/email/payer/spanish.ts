import type { Day } from '../../../../workflows/calendar';
import type { EmailWords } from './words';

const format = new Intl.DateTimeFormat('es-CO', { dateStyle: 'long', timeZone: 'UTC' });
const day = (on: Day): string => format.format(new Date(on));

const another = (merchant: string, hasLink: boolean): string =>
  hasLink ? 'con el botón de este correo' : `con ${merchant}`;

export const spanish: EmailWords = {
  greeting: name => `Hola, ${name}:`,
  unexpected: 'Si no esperabas este correo, ignóralo.',
  day,
  declines: { insufficient_funds: 'no hay fondos suficientes', card_expired: 'la tarjeta está vencida' },
  declined: 'el banco no lo aceptó',
  methods: {
    card: (brand, digits) => `${brand} terminada en ${digits}`,
    store: 'Efectivo en punto de pago',
    other: 'Pago en línea',
  },
  labels: {
    concept: 'Concepto',
    plan: 'Suscripción',
    method: 'Medio de pago',
    date: 'Fecha',
    iva: 'IVA incluido',
    authorization: 'Autorización',
    order: 'Pedido',
    reference: 'Referencia',
    until: 'Pagar hasta',
    of: 'Pago original',
  },
  subscription: {
    past_due: ({ merchant, plan, amount, digits, on, next, reason, needsNewCard, hasLink }) => ({
      subject: `No pudimos cobrar tu suscripción a ${merchant}`,
      lines: [
        `El ${day(on)} fue rechazado el cobro de ${amount} COP de tu suscripción ${plan} (tarjeta terminada en ${digits}).`,
        ...(reason ? [`Motivo: ${reason}.`] : []),
        ...(next
          ? [
              `Lo intentaremos de nuevo el ${day(next)}. Antes de esa fecha, revisa tu tarjeta o registra otra ${another(merchant, hasLink)}.`,
            ]
          : []),
        ...(needsNewCard
          ? [`Tu banco no acepta más cobros a esa tarjeta. Registra otra ${another(merchant, hasLink)}.`]
          : []),
      ],
      button: 'Pagar con otra tarjeta',
    }),
    last_retry: ({ merchant, plan, amount, next, hasLink }) => ({
      subject: `Último intento de cobro de tu suscripción a ${merchant}`,
      lines: [
        `${next ? `El ${day(next)}` : 'Pronto'} intentaremos por última vez cobrar ${amount} COP de tu suscripción ${plan}.`,
        `Para no perderla, revisa antes tu tarjeta o registra otra ${another(merchant, hasLink)}.`,
      ],
      button: 'Pagar con otra tarjeta',
    }),
    recovered: ({ merchant, plan, amount, digits, on }) => ({
      subject: `Tu suscripción a ${merchant} está al día`,
      lines: [
        `El ${day(on)} cobramos ${amount} COP de tu suscripción ${plan} (tarjeta terminada en ${digits}). Gracias por tu pago.`,
      ],
    }),
    unpaid: ({ merchant, plan, amount, next, hasLink }) => ({
      subject: `Tu suscripción a ${merchant} está sin pagar`,
      lines: [
        `No pudimos cobrar ${amount} COP de tu suscripción ${plan} y no haremos más intentos.`,
        ...(next
          ? [
              `La suscripción termina el ${day(next)}. Para conservarla, registra antes otra tarjeta ${another(merchant, hasLink)}.`,
            ]
          : []),
      ],
      button: 'Pagar con otra tarjeta',
    }),
    ended: ({ merchant, plan, amount, on }) => ({
      subject: `Tu suscripción a ${merchant} terminó`,
      lines: [
        `El ${day(on)} terminó tu suscripción ${plan} porque no pudimos cobrar ${amount} COP. No haremos más cobros.`,
      ],
    }),
    trial_ending: ({ merchant, plan, amount, digits, next }) => ({
      subject: `Tu prueba en ${merchant} termina pronto`,
      lines: [
        `${next ? `El ${day(next)}` : 'Pronto'} termina la prueba de tu suscripción ${plan} y cobraremos ${amount} COP a tu tarjeta terminada en ${digits}.`,
        'Si quieres seguir, no tienes que hacer nada.',
      ],
      button: 'Ver mi suscripción',
    }),
    card_expiring: ({ merchant, plan, amount, digits, next, hasLink }) => ({
      subject: `Tu tarjeta vence antes del próximo cobro de ${merchant}`,
      lines: [
        `La tarjeta terminada en ${digits} vence antes del próximo cobro de tu suscripción ${plan}: ${amount} COP${next ? ` el ${day(next)}` : ''}.`,
        `Registra otra ${another(merchant, hasLink)} para que el cobro no falle.`,
      ],
      button: 'Cambiar la tarjeta',
    }),
    paused: ({ merchant, plan, next, until }) => ({
      subject: `Tu suscripción a ${merchant} queda en pausa`,
      lines: [
        `Tu suscripción ${plan} queda en pausa${next ? ` desde el ${day(next)}` : ''}. En la pausa no se cobra nada.`,
        until ? `Se reanuda el ${day(until)}.` : 'Sigue en pausa hasta que se reanude.',
      ],
      button: 'Ver mi suscripción',
    }),
    resumed: ({ merchant, plan, amount, next }) => ({
      subject: `Tu suscripción a ${merchant} sigue activa`,
      lines: [
        `Tu suscripción ${plan} ya no está en pausa.`,
        ...(next ? [`El próximo cobro es de ${amount} COP, el ${day(next)}.`] : []),
      ],
      button: 'Ver mi suscripción',
    }),
    plan_changed: ({ merchant, plan, amount, next }) => ({
      subject: `Cambió tu suscripción a ${merchant}`,
      lines: [
        next
          ? `Desde el ${day(next)}, tu suscripción es ${plan}, por ${amount} COP.`
          : `Tu suscripción ahora es ${plan}, por ${amount} COP.`,
        'Si no pediste este cambio, responde a este correo.',
      ],
      button: 'Ver mi suscripción',
    }),
    cancelled: ({ merchant, plan, next }) => ({
      subject: `Se canceló tu suscripción a ${merchant}`,
      lines: [
        next
          ? `Tu suscripción ${plan} termina el ${day(next)}. Hasta ese día la puedes usar.`
          : `Tu suscripción ${plan} terminó.`,
        'No haremos más cobros.',
      ],
    }),
  },
  receipt: merchant => ({
    subject: `Recibo de tu pago a ${merchant}`,
    lines: [`${merchant} recibió tu pago. Gracias.`],
    button: 'Ver el recibo',
  }),
  refunded: (merchant, total) => ({
    subject: `${merchant} te hizo un reembolso`,
    lines: [
      total
        ? `${merchant} te reembolsó una parte de tu pago de ${total} COP.`
        : `${merchant} te reembolsó tu pago completo.`,
      'Según tu banco, el dinero puede tardar varios días en llegar.',
    ],
  }),
  voucher: merchant => ({
    subject: `Tu comprobante para pagar a ${merchant}`,
    lines: [`Paga a ${merchant} en efectivo con este comprobante.`],
    button: 'Ver el código de barras',
  }),
  links: {
    payment: (merchant, price, about) => ({
      subject: `Tu pago a ${merchant}`,
      lines: [`${merchant} te solicita un pago${price === null ? '' : ` de ${price} COP`}: ${about}`],
      button: 'Pagar',
    }),
    card: merchant => ({
      subject: `Registra tu tarjeta en ${merchant}`,
      lines: [`${merchant} te invita a registrar una tarjeta para tus pagos. Ahora no se cobra nada.`],
      button: 'Registrar tarjeta',
    }),
    subscription: (merchant, price, plan) => ({
      subject: `Tu suscripción a ${plan}`,
      lines: [`${merchant} te invita a suscribirte a ${plan} por ${price} COP. Las condiciones están en el enlace.`],
      button: 'Suscribirme',
    }),
  },
};
