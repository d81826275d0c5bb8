import { defineConfig } from 'tsdown';
import { publishedPackage } from '../../scripts/published-package.ts';

export default defineConfig({
	...publishedPackage(import.meta.dirname, {
		engines: { node: '>=24.15' },
		bin: { 'bursar-edge': './bursar-edge.js' },
	}),
	entry: { 'bursar-edge': 'src/main.ts' },
});
