import { defineConfig } from 'vite';

/** In development, sessions come from server.mjs, started with ORIGIN=http://localhost:5173. */
export default defineConfig({
  server: { port: 5173, strictPort: true, proxy: { '/session': 'http://localhost:5174' } },
  build: { target: 'es2022', modulePreload: { polyfill: false } },
});
