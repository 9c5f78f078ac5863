const ACCOUNT_NUMBER = /^\d{6,20}$/;

export const withoutSeparators = (text: string): string => text.replaceAll(/[\s().-]/g, '');

export const isAccountNumber = (number: string): boolean => ACCOUNT_NUMBER.test(number);

export const maskedNumber = (number: string): string => number.slice(-4).padStart(number.length, 'X');
