// Builds the pages into a folder: `dist`, or the one that the command line names.
import { mkdirSync, mkdtempSync, readFileSync, renameSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join, resolve } from 'node:path';
import { promisify } from 'node:util';
import { brotliCompress, constants, gzip } from 'node:zlib';
import react from '@vitejs/plugin-react';
import { build, type HtmlTagDescriptor, type Plugin } from 'vite';

const BASE = '/dashboard/';
const LICENSES = 'licenses.json';
const FONT = '@fontsource-variable/geist';
/** The code of the pages. `main.tsx` has it loaded, once it knows their language. */
const START = 'src/start.tsx';

/** What `main.tsx` loads at once. It must not load texts: they are made in the language that it finds. */
const BEGIN = { name: 'begin', tags: ['$initial' as const], priority: 1 };
/** What at least five files would use: with fewer, the first load is larger; with more, there are more requests. */
const SHARED = { name: 'shared', minShareCount: 5 };

/** Has browsers load the font and the code of the pages at once, instead of after `main.tsx`. */
const preloads: Plugin = {
	name: 'preloads',
	transformIndexHtml: {
		order: 'post',
		handler(_html, { bundle = {} }) {
			const chunks = Object.values(bundle).filter((file) => file.type === 'chunk');
			const needed = new Set(chunks.filter(({ facadeModuleId }) => facadeModuleId?.endsWith(START)));
			if (needed.size !== 1) throw new Error(`the build has not one chunk for ${START}`);
			for (const { imports } of needed) {
				for (const chunk of chunks) if (!chunk.isEntry && imports.includes(chunk.fileName)) needed.add(chunk);
			}
			const fonts = Object.keys(bundle).filter((name) => name.endsWith('.woff2'));
			return [
				...fonts.map((name) => link({ rel: 'preload', as: 'font', type: 'font/woff2', href: BASE + name })),
				...[...needed].map(({ fileName }) => link({ rel: 'modulepreload', href: BASE + fileName })),
			];
		},
	},
};

function link(attrs: Readonly<Record<string, string>>): HtmlTagDescriptor {
	return { tag: 'link', attrs: { ...attrs, crossorigin: true }, injectTo: 'head' };
}

/**
 * Builds the pages from their sources. Returns the files by name: the HTML, the assets, each also compressed as it is
 * served (`.br`, `.gz`), a manifest that says which files a page needs, and the licences of the packages in them.
 */
async function builtPages(sources: string): Promise<Map<string, Uint8Array>> {
	// With another value, React would be built for development.
	process.env.NODE_ENV = 'production';
	const built = await build({
		root: sources,
		base: BASE,
		configFile: false,
		envDir: false,
		publicDir: false,
		mode: 'production',
		logLevel: 'warn',
		plugins: [react(), preloads],
		build: {
			target: 'es2022',
			write: false,
			assetsInlineLimit: 0,
			// Each small file would be a request. So all styles are one file, and so is the code that several pages share.
			cssCodeSplit: false,
			modulePreload: { polyfill: false },
			manifest: 'manifest.json',
			// The authors of what is bundled ask for it, and a release lists it.
			license: { fileName: LICENSES },
			// A remark on how long the build took would look like a warning to the operator who starts the service.
			rolldownOptions: {
				checks: { bundlerTimings: false },
				output: { codeSplitting: { groups: [BEGIN, SHARED] } },
			},
		},
	});
	if (!('output' in built)) throw new Error('Vite answered with something else than one build');
	const files = built.output.map((file): [string, Buffer] => [
		file.fileName,
		Buffer.from(file.type === 'chunk' ? file.code : file.source),
	]);
	const licenses = files.find(([name]) => name === LICENSES);
	if (!licenses) throw new Error('the build has no list of licences');
	licenses[1] = withFontLicense(licenses[1]);
	const compressed = files.filter(([name]) => name.startsWith('assets/')).map(compressedForms);
	return new Map([...files, ...(await Promise.all(compressed)).flat()]);
}

/** Adds the font, which Vite leaves out because it is no code. */
function withFontLicense(listed: Buffer): Buffer {
	const folder = dirname(createRequire(import.meta.url).resolve(`${FONT}/package.json`));
	const { version, license } = JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8'));
	const text = readFileSync(join(folder, 'LICENSE'), 'utf8');
	const all = [...JSON.parse(listed.toString()), { name: FONT, version, identifier: license, text }];
	return Buffer.from(JSON.stringify(all, null, 2));
}

async function compressedForms([name, bytes]: [string, Buffer]): Promise<[string, Buffer][]> {
	const params = { [constants.BROTLI_PARAM_QUALITY]: 11, [constants.BROTLI_PARAM_SIZE_HINT]: bytes.length };
	return [
		[`${name}.br`, await promisify(brotliCompress)(bytes, { params })],
		[`${name}.gz`, await promisify(gzip)(bytes, { level: 9 })],
	];
}

/**
 * Builds the pages in a new folder, and replaces `target` with it. `index.html` has the time at which the build began,
 * so that a source that changes meanwhile counts as newer.
 */
async function buildPages(sources: string, target: string): Promise<void> {
	const begunAt = new Date();
	const files = await builtPages(sources);
	const draft = mkdtempSync(`${target}-`);
	try {
		for (const [name, bytes] of files) {
			const file = join(draft, 'new', name);
			mkdirSync(dirname(file), { recursive: true });
			writeFileSync(file, bytes);
		}
		utimesSync(join(draft, 'new/index.html'), begunAt, begunAt);
		// Another build may have made or removed it meanwhile.
		rmSync(target, { recursive: true, force: true });
		renameSync(join(draft, 'new'), target);
	} finally {
		rmSync(draft, { recursive: true });
	}
}

await buildPages(import.meta.dirname, resolve(process.argv[2] ?? join(import.meta.dirname, 'dist')));
