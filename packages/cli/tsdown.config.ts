import { defineConfig } from 'tsdown';
import { publishedPackage } from '../../scripts/published-package.ts';

export default defineConfig({
	...publishedPackage(import.meta.dirname, {
		node: '22.12',
		program: 'bursarctl',
		documents: ['docs/api.md'],
	}),
	entry: { bursarctl: 'src/main.ts' },
});
