import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build } from 'vite';

/**
 * Builds the pages in a folder. Answers with the files by name: the HTML, the assets, each also compressed as it is
 * served (`.br`, `.gz`), and a manifest that says which files a page needs.
 */
export async function buildPages(folder: string): Promise<Record<string, Uint8Array>> {
	// With another value, React would be built for development.
	process.env.NODE_ENV = 'production';
	const built = await build({
		root: folder,
		base: '/dashboard/',
		configFile: false,
		envDir: false,
		publicDir: false,
		mode: 'production',
		logLevel: 'warn',
		plugins: [react()],
		build: {
			target: 'es2022',
			write: false,
			assetsInlineLimit: 0,
			modulePreload: { polyfill: false },
			manifest: 'manifest.json',
			// A note on how long the build took is no warning for whoever starts the service.
			rolldownOptions: { checks: { bundlerTimings: false } },
		},
	});
	if (!('output' in built)) throw new Error('Vite answered with something else than one build');
	const files = built.output.map((file): [string, Buffer] => [
		file.fileName,
		Buffer.from(file.type === 'chunk' ? file.code : file.source),
	]);
	const compressed = files.filter(([name]) => name.startsWith('assets/')).map(compressedForms);
	return Object.fromEntries([...files, ...(await Promise.all(compressed)).flat()]);
}

async function compressedForms([name, bytes]: [string, Buffer]): Promise<[string, Buffer][]> {
	const params = { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
	return [
		[`${name}.br`, await promisify(brotliCompress)(bytes, { params })],
		[`${name}.gz`, await promisify(gzip)(bytes, { level: 9 })],
	];
}
