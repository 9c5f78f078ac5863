/** The texts of the portal, in Spanish and English. Those of its subscriptions are in the texts of their pages. */
import type { Language } from '../../platform/language';
import type { Texts } from '../texts';

const spanish = {
  title: 'Tus suscripciones y tarjetas',
  subscriptions: 'Suscripciones',
  noSubscriptions: 'No tienes suscripciones activas.',
  pay: 'Pagar',
  manage: 'Ver y administrar',
  ends: 'Termina',
  noCharges: 'sin cobros por ahora',
  cards: 'Tarjetas guardadas',
  noCards: 'No tienes tarjetas guardadas.',
  expires: (date: string) => `Vence ${date}`,
  expired: (date: string) => `Venció ${date}`,
  pays: 'Paga',
  remove: 'Quitar',
  removeHint: 'La tarjeta se borra. La puedes agregar otra vez cuando quieras.',
  doRemove: (card: string) => `Quitar ${card}`,
  isUsed: 'Esa tarjeta paga una suscripción: primero cambia la tarjeta de la suscripción.',
  add: 'Agregar una tarjeta',
  addHint: 'Tu banco la verifica y no se cobra nada. Tus suscripciones conservan la tarjeta que tienen.',
  save: 'Guardar tarjeta',
  added: 'Listo. La tarjeta quedó guardada.',
  exists: 'Esta tarjeta ya está guardada.',
  verified: 'El banco rechazó la tarjeta.',
  notSaved: 'No se guardó.',
  tooManyCards:
    'Por ahora no se aceptan más tarjetas, después de demasiados intentos. Espera una hora o comunícate con',
  payments: 'Pagos recientes',
  refunded: 'reembolsado',
  back: 'Volver',
  until: 'Este enlace es personal y funciona hasta el',
  expiredTitle: 'Este enlace venció',
  expiredHint: 'Por seguridad funciona solo durante una hora. Pide uno nuevo a',
  suspendedTitle: 'Esta página no está disponible por ahora',
  suspendedHint: 'Inténtalo más tarde o comunícate con',
};

type PortalTexts = typeof spanish;

const english: PortalTexts = {
  title: 'Your subscriptions and cards',
  subscriptions: 'Subscriptions',
  noSubscriptions: 'You have no active subscriptions.',
  pay: 'Pay',
  manage: 'View and manage',
  ends: 'Ends',
  noCharges: 'no charges for now',
  cards: 'Saved cards',
  noCards: 'You have no saved cards.',
  expires: date => `Expires ${date}`,
  expired: date => `Expired ${date}`,
  pays: 'Pays',
  remove: 'Remove',
  removeHint: 'The card is deleted. You can add it again whenever you want.',
  doRemove: card => `Remove ${card}`,
  isUsed: 'That card pays a subscription: change the card of the subscription first.',
  add: 'Add a card',
  addHint: 'Your bank verifies it and nothing is charged. Your subscriptions keep the cards that they have.',
  save: 'Save card',
  added: 'Done. The card is saved.',
  exists: 'This card is saved already.',
  verified: 'The bank declined the card.',
  notSaved: 'It was not saved.',
  tooManyCards: 'No more cards are accepted for now, after too many attempts. Wait an hour or contact',
  payments: 'Recent payments',
  refunded: 'refunded',
  back: 'Back',
  until: 'This link is personal and works until',
  expiredTitle: 'This link has expired',
  expiredHint: 'For your security it works for one hour only. Request a new one from',
  suspendedTitle: 'This page is not available for now',
  suspendedHint: 'Try again later or contact',
};

const portalTexts: Record<Language, PortalTexts> = { es: spanish, en: english };

export const portalWords = ({ language }: Texts): PortalTexts => portalTexts[language as Language];
