import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

// biome-ignore lint/style/noDefaultExport: Vite wants it.
export default defineConfig({
	root: import.meta.dirname,
	base: '/dashboard/',
	plugins: [react()],
	css: { modules: { localsConvention: 'camelCaseOnly' } },
	build: { target: 'es2022', modulePreload: { polyfill: false }, reportCompressedSize: false, assetsInlineLimit: 0 },
});
