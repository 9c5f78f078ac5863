/** The texts of sessions, which all pages share. */
import { pick } from './language';

export const signInTexts = pick({
  es: {
    signIn: 'Iniciar sesión',
    signOut: 'Cerrar sesión',
    unreachable: 'No pudimos conectar con el servidor. Revisa tu conexión e inténtalo de nuevo.',
    hint: 'Usa la llave privada de tu comercio. Abre una sesión de ocho horas y no se guarda.',
    privateKey: 'Llave privada',
    onlyRead: 'Solo lectura: no permite hacer cambios',
    readOnly: 'Solo lectura',
    wrongKey: 'La llave no es válida. Usa la llave privada de este ambiente.',
    usedLink: 'El enlace ya se usó o venció. Inicia sesión con la llave privada.',
    ended: 'Tu sesión terminó. Inicia sesión de nuevo para continuar.',
  },
  en: {
    signIn: 'Sign in',
    signOut: 'Sign out',
    unreachable: 'We could not reach the server. Check your connection and try again.',
    hint: 'Use the private key of your merchant account. It opens a session of eight hours and is not stored.',
    privateKey: 'Private key',
    onlyRead: 'Read only: does not allow changes',
    readOnly: 'Read only',
    wrongKey: 'The key is not valid. Use the private key of this environment.',
    usedLink: 'The link was already used or has expired. Sign in with the private key.',
    ended: 'Your session has ended. Sign in again to continue.',
  },
});
