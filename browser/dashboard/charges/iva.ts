import { pick } from '../../shared/language';
import type { Field } from '../../shared/ui/FieldInput';

const t = pick({ es: { label: 'IVA incluido', none: 'Sin IVA' }, en: { label: 'VAT (IVA) included', none: 'No VAT' } });

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
