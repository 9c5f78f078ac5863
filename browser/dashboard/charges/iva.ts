import { pick } from '../../shared/language';
import type { Field } from '../../shared/ui/FieldInput';

const t = pick({
  es: {
    label: 'IVA incluido',
    none: 'Sin IVA',
    optional: 'IVA incluido (opcional)',
    hint: 'Una tarifa, como 19%, o un valor en pesos, como 7966.39',
  },
  en: {
    label: 'VAT (IVA) included',
    none: 'No VAT',
    optional: 'VAT (IVA) included (optional)',
    hint: 'A rate, such as 19%, or pesos, such as 7966.39',
  },
});

export const ivaField: Field = {
  name: 'iva',
  label: t.label,
  type: 'select',
  value: '19%',
  options: [
    ['19%', '19 %'],
    ['5%', '5 %'],
    ['0%', t.none],
  ],
};

/** For plans and subscriptions, which may have none. */
export const optionalIvaField = (current?: string | null): Field => ({
  name: 'iva',
  label: t.optional,
  value: current ?? '',
  hint: t.hint,
  isOptional: true,
});

export const ivaLabel = t.label;
