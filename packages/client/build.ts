import { buildPackage } from '../../scripts/build-package.ts';

await buildPackage(
	import.meta.dirname,
	{
		entry: ['src/index.ts'],
		// The package uses only what every runtime has.
		platform: 'neutral',
		target: 'es2022',
		tsconfig: '../../tsconfig.client.json',
		dts: true,
	},
	() => ({
		sideEffects: false,
		engines: { node: '>=20' },
		main: './index.js',
		types: './index.d.ts',
		exports: { '.': { types: './index.d.ts', default: './index.js' }, './package.json': './package.json' },
	}),
);
