import { withWords } from '../../shared/words';

export const t = withWords({
  es: {
    keys: 'Llaves',
    sessions: 'Sesiones',
    aboutKeys: 'Tu servidor usa las llaves para autenticarse en la API.',
    aboutSessions: 'Una sesión da a un navegador acceso temporal, sin entregarle la llave.',
    unnamed: 'Sin nombre',
    kind: 'Tipo',
    key: 'Llave',
    kinds: { private: 'privada', public: 'pública' },
    rights: 'Permisos',
    readOnly: 'solo lectura',
    everything: 'lectura y escritura',
    tokensOnly: 'solo tokens',
    addresses: 'Direcciones IP',
    anywhere: 'todas',
    lastUsed: 'Último uso',
    never: 'nunca',
    expires: 'Vencimiento',
    created: 'Creada',
    madeWith: 'Llave de origen',
    origins: 'Orígenes',
    end: 'Cerrar sesión',
    endQuestion: 'El navegador que la usa pierde el acceso de inmediato, incluso si es el tuyo.',
    ended: 'Sesión cerrada.',
    create: 'Crear llave',
    how: 'Cambiar esta llave',
    whyCommand:
      'Por seguridad, las llaves solo se crean y cambian con otra llave privada y nunca desde un navegador. Copia el comando y ejecútalo donde guardas tu llave privada, en la variable KEY.',
    whyOnce: 'La respuesta incluye la llave nueva, que se muestra una sola vez. Después aparece en esta lista.',
    commands: {
      createPrivate: 'Crear una llave privada',
      createReadOnly: 'Crear una llave de solo lectura',
      createPublic: 'Crear una llave pública',
      rotate: 'Rotar la llave; la anterior funciona un día más',
      edit: 'Cambiar el nombre y las direcciones IP',
      revoke: 'Revocar la llave de inmediato',
    },
    noPermission:
      'Esta sesión de solo lectura no puede ver llaves, sesiones ni el registro de auditoría. Inicia sesión sin la opción «Solo lectura».',
  },
  en: {
    keys: 'Keys',
    sessions: 'Sessions',
    aboutKeys: 'Your server uses keys to authenticate with the API.',
    aboutSessions: 'A session gives a browser temporary access without handing it the key.',
    unnamed: 'Unnamed',
    kind: 'Type',
    key: 'Key',
    kinds: { private: 'private', public: 'public' },
    rights: 'Permissions',
    readOnly: 'read only',
    everything: 'read and write',
    tokensOnly: 'tokens only',
    addresses: 'IP addresses',
    anywhere: 'all',
    lastUsed: 'Last used',
    never: 'never',
    expires: 'Expiration',
    created: 'Created',
    madeWith: 'Source key',
    origins: 'Origins',
    end: 'Close session',
    endQuestion: 'The browser that uses it loses access immediately, even if it is yours.',
    ended: 'Session closed.',
    create: 'Create key',
    how: 'Change this key',
    whyCommand:
      'For security, keys are created and changed only with another private key and never from a browser. Copy the command and run it where you keep your private key, in the variable KEY.',
    whyOnce: 'The response includes the new key, which is shown only once. Afterwards it appears in this list.',
    commands: {
      createPrivate: 'Create a private key',
      createReadOnly: 'Create a read-only key',
      createPublic: 'Create a public key',
      rotate: 'Rotate the key; the old one works for one more day',
      edit: 'Change the name and the IP addresses',
      revoke: 'Revoke the key immediately',
    },
    noPermission:
      'This read-only session cannot view keys, sessions or the audit log. Sign in without the “Read only” option.',
  },
});

export function rightsOf({ kind, read_only }: { kind: keyof typeof t.kinds; read_only: boolean }): string {
  if (kind === 'public') return t.tokensOnly;
  return read_only ? t.readOnly : t.everything;
}
