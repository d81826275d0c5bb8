import { buildPackage } from '../../scripts/build-package.ts';

await buildPackage(
	import.meta.dirname,
	// The program reads its version from the manifest one folder up, as in the source.
	{
		entry: { bursarctl: 'src/main.ts' },
		outDir: 'bin',
		platform: 'node',
		fixedExtension: false,
		target: 'node22.12',
		dts: false,
	},
	({ dependencies }) => ({ engines: { node: '>=22.12' }, bin: { bursarctl: './bin/bursarctl.js' }, dependencies }),
);
