/** The texts about the payment of a due period in another way. */
import type { ChargeMethodName } from '../../payments/methods/methods';

export const paySpanish = {
  payOtherwise: 'Pagar de otra forma',
  otherWays: '¿Cómo quieres pagar?',
  onlyThisPeriod: 'Pagas solo este período. Los próximos cobros se harán a tu tarjeta de siempre.',
  continue: 'Continuar',
  unavailable: 'Esta forma de pago no está disponible por el momento. Elige otra, o inténtalo más tarde.',
  methods: {
    card: 'Otra tarjeta, solo esta vez',
    store: 'Efectivo en un punto de pago',
    bank_account: 'PSE, desde tu cuenta bancaria',
    bre_b: 'Bre-B, con la app de tu banco',
  } satisfies Record<ChargeMethodName, string>,
  payableUntil: (moment: string) => `Hasta el ${moment}`,
  waitsFor: {
    card: 'Esperamos tu pago con otra tarjeta.',
    store: 'Esperamos tu pago en efectivo.',
    bank_account: 'Esperamos tu pago por PSE.',
    bre_b: 'Esperamos tu pago por Bre-B.',
  } satisfies Record<ChargeMethodName, string>,
  continuePayment: 'Continuar con este pago',
  toBank: 'Te llevamos a tu banco…',
};

export const payEnglish: typeof paySpanish = {
  payOtherwise: 'Pay another way',
  otherWays: 'How do you want to pay?',
  onlyThisPeriod: 'You pay this period only. The next charges will be made to your usual card.',
  continue: 'Continue',
  unavailable: 'This way to pay is not available at the moment. Choose another one, or try again later.',
  methods: {
    card: 'Another card, only this time',
    store: 'Cash at a payment point',
    bank_account: 'PSE, from your bank account',
    bre_b: 'Bre-B, with your banking app',
  },
  payableUntil: moment => `Until ${moment}`,
  waitsFor: {
    card: 'We are waiting for your payment with another card.',
    store: 'We are waiting for your cash payment.',
    bank_account: 'We are waiting for your payment by PSE.',
    bre_b: 'We are waiting for your payment by Bre-B.',
  },
  continuePayment: 'Continue this payment',
  toBank: 'Taking you to your bank…',
};
