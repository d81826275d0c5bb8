import { defineConfig } from 'tsdown';
import { publishedPackage } from '../../scripts/published-package.ts';

export default defineConfig({
	...publishedPackage(import.meta.dirname, {
		node: '24.15',
		program: 'bursar-edge',
		documents: ['docs/edge'],
	}),
	entry: { 'bursar-edge': 'src/main.ts' },
});
