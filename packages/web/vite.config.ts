import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defaultClientConditions, defineConfig } from 'vite';

/** `npx vite packages/web` shows changes at once, with the data of a hub on its usual port. */
export default defineConfig({
  root: import.meta.dirname,
  // Assets are found beside the page, below whatever path a proxy serves it.
  base: './',
  plugins: [react(), tailwindcss()],
  // From its sources, what the page takes of the library is no more than it uses.
  resolve: { conditions: ['junctor-source', ...defaultClientConditions] },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2023',
    // A data: URL would need a wider Content-Security-Policy.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    rolldownOptions: {
      // Parts of the library that touch files are looked at and left out: that is no news to whoever builds.
      onLog(level, log, tell) {
        if (!log.message.includes('has been externalized for browser compatibility')) tell(level, log);
      },
    },
  },
  server: { proxy: { '/api': 'http://127.0.0.1:7717' } },
});
