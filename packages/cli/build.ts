import { buildPackage } from '../../scripts/build-package.ts';

await buildPackage(
	import.meta.dirname,
	// One folder below the manifest, as the source is: that is where the program reads its version.
	{
		entry: { bursarctl: 'src/main.ts' },
		outDir: 'bin',
		platform: 'node',
		fixedExtension: false,
		target: 'node22.12',
		dts: false,
	},
	({ dependencies }) => {
		const { '@bursar/pinned-node': _, ...needed } = dependencies as Record<string, string>;
		return { engines: { node: '>=22.12' }, bin: { bursarctl: './bin/bursarctl.js' }, dependencies: needed };
	},
);
