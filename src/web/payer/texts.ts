/** The texts of the page of a subscription, in Spanish and English. */
import type { CancelReason } from '../../billing/subscriptions/rules/cancelReasons';
import { brandTitle } from '../../payments/cardDetails/brands';
import type { Language } from '../../platform/language';
import type { Texts } from '../texts';
import { payEnglish, paySpanish } from './payTexts';
import type { PayerState } from './state';

const spanish = {
  title: 'Tu suscripción',
  hello: 'Hola,',
  statuses: {
    trial: 'En prueba',
    active: 'Al día',
    paused: 'En pausa',
    past_due: 'Pago pendiente',
    unpaid: 'Sin pagar',
  } satisfies Record<PayerState['status'], string>,
  price: 'Precio',
  quantity: 'Cantidad',
  card: 'Tarjeta',
  nextCharge: 'Próximo cobro',
  due: 'Pendiente de pago',
  declinedOn: (day: string, card: string) => `El ${day} fue rechazado el cobro a tu tarjeta ${card}.`,
  retryOn: (day: string) => `Lo intentaremos de nuevo el ${day}. También puedes pagar ahora con otra tarjeta.`,
  newCard: 'Tu banco no acepta más cobros a esta tarjeta: para seguir, paga con otra.',
  endsUnpaid: (day: string) => `No haremos más intentos. La suscripción termina el ${day}, a menos que pagues antes.`,
  payWith: 'Paga con otra tarjeta',
  pay: (amount: string) => `Pagar ${amount}`,
  ...paySpanish,
  consent: 'Los próximos cobros de esta suscripción se harán a esta tarjeta.',
  charging: 'Estamos confirmando un cobro con tu banco. En unos minutos verás el resultado aquí.',
  trialUntil: (day: string) => `Tu prueba gratis va hasta el ${day}.`,
  pausedUntil: (day: string) => `Está en pausa y no se cobra nada. Se reanuda el ${day}.`,
  paused: 'Está en pausa y no se cobra nada hasta que la reanudes.',
  pauseFrom: (day: string) => `Desde el ${day} estará en pausa y no se cobrará nada.`,
  pauseFromUntil: (day: string, until: string) =>
    `Desde el ${day} estará en pausa y no se cobrará nada. Se reanuda el ${until}.`,
  endsOn: (day: string) => `Termina el ${day}. Hasta ese día la puedes usar, y no haremos más cobros.`,
  endsOnDue: (day: string) => `Termina el ${day}. Hasta ese día intentaremos cobrar lo pendiente.`,
  keep: 'Conservar mi suscripción',
  resume: 'Reanudar',
  resumeFor: (amount: string) => `Reanudar y pagar ${amount}`,
  withdrawPause: 'Quitar la pausa',
  changeCard: 'Cambiar la tarjeta',
  changeCardHint: 'Ahora no se cobra nada: la tarjeta nueva se usa desde el próximo cobro.',
  nowPays: 'Ahora se cobra a',
  save: 'Guardar tarjeta',
  changed: (card: string) => `Listo. Los próximos cobros se harán a tu tarjeta ${card}.`,
  nothingChanged: 'No cambió nada.',
  unusable: 'Esta tarjeta no sirve para este cobro. Usa una con otro número.',
  verified: 'El banco rechazó la tarjeta.',
  upcoming: 'Próximos cobros',
  receipts: 'Pagos recientes',
  receiptOf: (day: string) => `Recibo del ${day}`,
  tax: 'IVA incluido',
  refunded: 'reembolsado',
  manage: 'Administrar',
  pause: 'Pausar',
  cancel: 'Cancelar la suscripción',
  back: 'Volver',
  pauseTitle: 'Pausa tu suscripción',
  pauseHint: (day: string) => `La pausa empieza el ${day}, cuando termina lo que ya está cubierto. No se cobra nada.`,
  howLong: '¿Por cuánto tiempo?',
  months: (count: number, day: string) => `${count} ${count === 1 ? 'mes' : 'meses'}: el próximo cobro es el ${day}`,
  openEnd: 'Hasta que yo la reanude',
  cancelTitle: '¿Quieres cancelar?',
  cancelHint: (day: string) => `Podrás usarla hasta el ${day}. Después termina y no haremos más cobros.`,
  cancelHintDue: (day: string) => `Termina el ${day}. Hasta ese día intentaremos cobrar lo pendiente.`,
  rather: '¿Solo necesitas un descanso?',
  ratherHint: 'En una pausa no se cobra nada, y la reanudas cuando quieras.',
  ratherPause: 'Prefiero pausarla',
  why: '¿Por qué te vas? (opcional)',
  reasons: {
    too_expensive: 'Es muy costosa',
    not_used: 'Casi no la uso',
    not_as_expected: 'No es lo que esperaba',
    switched: 'Uso otro servicio',
    other: 'Otro motivo',
  } satisfies Record<CancelReason, string>,
  doCancel: (day: string) => `Cancelar el ${day}`,
  ended: 'Esta suscripción terminó',
  endedHint: (plan: string) =>
    `Tu suscripción ${plan} terminó y no haremos más cobros. Si quieres volver, comunícate con`,
  suspended: 'Por ahora no se pueden hacer cobros ni cambiar la tarjeta en esta página.',
  tooManyCards: 'Esta página ya no acepta más tarjetas, después de demasiados intentos. Comunícate con',
  unknown: 'Este enlace no funciona',
  unknownHint: 'Revisa que esté completo, o pide uno nuevo al comercio.',
};

type PayerTexts = typeof spanish;

const english: PayerTexts = {
  title: 'Your subscription',
  hello: 'Hello,',
  statuses: {
    trial: 'In trial',
    active: 'Up to date',
    paused: 'Paused',
    past_due: 'Payment due',
    unpaid: 'Unpaid',
  },
  price: 'Price',
  quantity: 'Quantity',
  card: 'Card',
  nextCharge: 'Next charge',
  due: 'Amount due',
  declinedOn: (day, card) => `The charge to your card ${card} was declined on ${day}.`,
  retryOn: day => `We will try again on ${day}. You can also pay now with another card.`,
  newCard: 'Your bank does not accept more charges to this card: pay with another one to continue.',
  endsUnpaid: day => `We will not try again. The subscription ends on ${day} unless you pay before.`,
  payWith: 'Pay with another card',
  pay: amount => `Pay ${amount}`,
  ...payEnglish,
  consent: 'The next charges of this subscription will be made to this card.',
  charging: 'We are confirming a charge with your bank. The result will appear here in a few minutes.',
  trialUntil: day => `Your free trial lasts until ${day}.`,
  pausedUntil: day => `It is paused and nothing is charged. It resumes on ${day}.`,
  paused: 'It is paused and nothing is charged until you resume it.',
  pauseFrom: day => `From ${day} on it will be paused and nothing will be charged.`,
  pauseFromUntil: (day, until) =>
    `From ${day} on it will be paused and nothing will be charged. It resumes on ${until}.`,
  endsOn: day => `It ends on ${day}. You can use it until then, and we will not charge you again.`,
  endsOnDue: day => `It ends on ${day}. Until then we will try to collect the amount due.`,
  keep: 'Keep my subscription',
  resume: 'Resume',
  resumeFor: amount => `Resume and pay ${amount}`,
  withdrawPause: 'Remove the pause',
  changeCard: 'Change the card',
  changeCardHint: 'Nothing is charged now: the new card is used from the next charge on.',
  nowPays: 'Currently charged to',
  save: 'Save card',
  changed: card => `Done. The next charges will be made to your card ${card}.`,
  nothingChanged: 'Nothing has changed.',
  unusable: 'This card cannot be used for this charge. Use one with another number.',
  verified: 'The bank declined the card.',
  upcoming: 'Upcoming charges',
  receipts: 'Recent payments',
  receiptOf: day => `Receipt of ${day}`,
  tax: 'VAT (IVA) included',
  refunded: 'refunded',
  manage: 'Manage',
  pause: 'Pause',
  cancel: 'Cancel the subscription',
  back: 'Back',
  pauseTitle: 'Pause your subscription',
  pauseHint: day => `The pause begins on ${day}, when what is covered already has ended. Nothing is charged.`,
  howLong: 'For how long?',
  months: (count, day) => `${count} ${count === 1 ? 'month' : 'months'}: the next charge is on ${day}`,
  openEnd: 'Until I resume it',
  cancelTitle: 'Do you want to cancel?',
  cancelHint: day => `You can use it until ${day}. Then it ends and we will not charge you again.`,
  cancelHintDue: day => `It ends on ${day}. Until then we will try to collect the amount due.`,
  rather: 'Do you only need a break?',
  ratherHint: 'Nothing is charged during a pause, and you resume it whenever you want.',
  ratherPause: 'I would rather pause it',
  why: 'Why are you leaving? (optional)',
  reasons: {
    too_expensive: 'It is too expensive',
    not_used: 'I hardly use it',
    not_as_expected: 'It is not what I expected',
    switched: 'I use another service',
    other: 'Another reason',
  },
  doCancel: day => `Cancel on ${day}`,
  ended: 'This subscription has ended',
  endedHint: plan =>
    `Your subscription ${plan} has ended and we will not charge you again. If you want to come back, contact`,
  suspended: 'For now, this page cannot charge or change cards.',
  tooManyCards: 'This page accepts no more cards, after too many attempts. Contact',
  unknown: 'This link does not work',
  unknownHint: 'Check that it is complete, or request a new one from the merchant.',
};

const payerTexts: Record<Language, PayerTexts> = { es: spanish, en: english };

const locales = { es: 'es', en: 'en-US' } as const;
const format = (language: Language) =>
  new Intl.DateTimeFormat(locales[language], { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' });
const formats = { es: format('es'), en: format('en') };

export function wordsOf(t: Texts) {
  const language = t.language as Language;
  return {
    language,
    l: payerTexts[language],
    /** `15 nov 2026` */
    on: (day: string): string => formats[language].format(new Date(day)),
  };
}

export const maskedCard = ({ brand, card_number }: { brand: string; card_number: string }): string =>
  `${brandTitle(brand)} ···· ${card_number.slice(-4)}`.trim();
