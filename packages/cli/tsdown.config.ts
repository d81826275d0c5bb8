import { defineConfig } from 'tsdown';
import { publishedPackage } from '../../scripts/published-package.ts';

export default defineConfig({
	...publishedPackage(import.meta.dirname, {
		engines: { node: '>=22.12' },
		bin: { bursarctl: './bursarctl.js' },
	}),
	entry: { bursarctl: 'src/main.ts' },
	target: 'node22.12',
});
