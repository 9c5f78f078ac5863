/** The texts of the page of a Bre-B payment, in Spanish and English. */
import type { Language } from '../../platform/language';

const spanish = {
  title: 'Pago con Bre-B',
  key: 'Llave',
  copy: 'Copiar la llave',
  copied: 'Llave copiada',
  save: 'Guardar el código QR',
  openApp: 'Abrir la app del banco',
  howTo: 'Cómo pagar',
  steps: (merchant: string) => [
    'Abre la app de tu banco o billetera y entra a Bre-B.',
    'Con la llave: pégala y escribe el valor exacto. Con el código QR: escanéalo desde otro celular, o guárdalo y sube la imagen en la app.',
    `Revisa que el pago sea para ${merchant} y confírmalo.`,
  ],
  waiting: 'Esperando tu pago. Esta página se actualiza sola cuando lo recibamos.',
  qr: 'Código QR de Bre-B por',
};

type BreBTexts = typeof spanish;

const english: BreBTexts = {
  title: 'Bre-B payment',
  key: 'Key (llave)',
  copy: 'Copy the key',
  copied: 'Key copied',
  save: 'Save the QR code',
  openApp: 'Open the banking app',
  howTo: 'How to pay',
  steps: merchant => [
    'Open the app of your bank or wallet and go to Bre-B.',
    'With the key: paste it and enter the exact amount. With the QR code: scan it from another phone, or save it and upload the image in the app.',
    `Check that the payment is to ${merchant}, and confirm it.`,
  ],
  waiting: 'Waiting for your payment. This page updates by itself when we receive it.',
  qr: 'Bre-B QR code for',
};

export const breBTexts: Record<Language, BreBTexts> = { es: spanish, en: english };
