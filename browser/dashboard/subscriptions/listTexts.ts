import { withWords } from '../../shared/words';

export const t = withWords({
  es: {
    title: 'Suscripciones',
    about: 'Todas las suscripciones, con su próximo cobro.',
    fill: 'Crea una suscripción desde la página de un cliente que tenga una tarjeta guardada.',
    toCustomers: 'Ir a clientes',
    gone: 'cliente eliminado',
    next: 'Próximo cobro',
    created: 'Creada',
    retry: 'Próximo reintento',
    left: 'Reintentos restantes',
    ends: 'Se cancela al final del período',
    credit: 'Saldo a favor',
    no: 'no',
  },
  en: {
    title: 'Subscriptions',
    about: 'All subscriptions, with their next charge.',
    fill: 'Create a subscription from the page of a customer with a saved card.',
    toCustomers: 'Go to customers',
    gone: 'deleted customer',
    next: 'Next charge',
    created: 'Created',
    retry: 'Next retry',
    left: 'Retries left',
    ends: 'Cancels at period end',
    credit: 'Credit',
    no: 'no',
  },
});
