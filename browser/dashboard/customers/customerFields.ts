/** The fields of the dialogs that create and change a customer. */
import { metadataField } from '../metadata/metadata';
import type { Field, Values } from '../ui/ActionButton';
import type { CustomerDetails } from './operations';
import { t } from './texts';

const ADDRESS = { department: t.department, city: t.city, additional: t.street };

export const customerFields = (customer?: CustomerDetails): Field[] => [
  { name: 'name', label: t.givenName, value: customer?.name ?? '' },
  { name: 'last_name', label: t.optional(t.lastName), value: customer?.last_name ?? '', isOptional: true },
  { name: 'email', label: t.email, type: 'email', value: customer?.email ?? '' },
  { name: 'phone_number', label: t.optional(t.phone), value: customer?.phone_number ?? '', isOptional: true },
  ...Object.entries(ADDRESS).map(([name, label]) => ({
    name: `customer_address.${name}`,
    label: t.optional(label),
    value: customer?.customer_address?.[name as keyof typeof ADDRESS] ?? '',
    isOptional: true,
  })),
  metadataField(customer?.metadata),
];

/** Undefined if unchanged. The API replaces an address as a whole, so it includes the fields that the dialog lacks. */
export function addressOf(values: Values, customer?: CustomerDetails): Record<string, string> | undefined {
  const before: Record<string, string | null> = { ...customer?.customer_address };
  const typed = Object.keys(ADDRESS).map(name => [name, values[`customer_address.${name}`] ?? ''] as const);
  if (typed.every(([name, value]) => value === (before[name] ?? ''))) return undefined;
  const after = Object.entries({ ...before, ...Object.fromEntries(typed) });
  return Object.fromEntries(after.filter((entry): entry is [string, string] => !!entry[1]));
}
