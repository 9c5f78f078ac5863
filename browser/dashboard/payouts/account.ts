import { t } from './texts';

interface Account {
  bank: string;
  type: 'savings' | 'checking';
  number: string;
}

/** `Bancolombia, ahorros, XXXXXXX8901` */
export const accountName = ({ bank, type, number }: Account): string => `${bank}, ${t.types[type]}, ${number}`;
