import { defineConfig } from 'tsdown';
import { publishedPackage } from '../../scripts/published-package.ts';

export default defineConfig({
	...publishedPackage(import.meta.dirname, {
		node: '20',
		documents: ['docs/api.md', 'docs/client.md'],
		manifest: {
			sideEffects: false,
			main: './index.js',
			types: './index.d.ts',
			exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
		},
	}),
	entry: ['src/index.ts'],
	// The package uses only what every runtime has.
	platform: 'neutral',
	target: 'es2022',
	tsconfig: '../../tsconfig.client.json',
	dts: true,
});
