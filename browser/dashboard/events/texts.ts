import { withWords } from '../../shared/words';

export const t = withWords({
  es: {
    title: 'Eventos',
    about: 'Cada cambio en tu comercio queda registrado como evento en el mismo momento.',
    object: 'Objeto',
    content: 'Contenido',
    noDeliveries: 'Este evento no se ha enviado a ningún webhook.',
    noWebhooks: 'No hay webhooks: este evento no se envía a ningún servidor.',
    webhook: 'Webhook',
    attempts: 'Intentos',
    answer: 'Respuesta',
  },
  en: {
    title: 'Events',
    about: 'Every change in your merchant account is recorded as an event at the same moment.',
    object: 'Object',
    content: 'Content',
    noDeliveries: 'This event has not been sent to any webhook.',
    noWebhooks: 'There are no webhooks: this event is not sent to any server.',
    webhook: 'Webhook',
    attempts: 'Attempts',
    answer: 'Response',
  },
});
