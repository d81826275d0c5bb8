import { cpSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { defineConfig } from 'vitepress';
import { groupLanguages } from '../languages.ts';
import { headingName, isCopied, linkDecisions, REPOSITORY, rewriteLinks } from '../links.ts';
import { addressOf, LEFT_OUT, linkTo, ROOT, sidebar } from '../pages.ts';
import { diagram } from './diagrams.ts';

// VitePress reads the documents where they are, as plain Markdown. Docusaurus reads them as MDX, in which `<name>` is code.
// Its packages are installed apart from the workspace, so that `npm start` does not install them.

const CONTRIBUTE = '^/(contributing|architecture|dashboard|bounds|benchmarks|conformance|releasing|decisions/)';

export default defineConfig({
	title: 'Bursar',
	description: 'The back office of a proxy network that sells bandwidth through resellers.',
	lang: 'en',
	srcDir: '..',
	srcExclude: LEFT_OUT,
	outDir: '../dist/docs',
	cacheDir: 'node_modules/.vitepress',
	rewrites: (file) => addressOf(file) ?? file,
	markdown: {
		anchor: { slugify: headingName },
		config(md) {
			md.core.ruler.push('repository-links', ({ tokens, env }) => rewriteLinks(tokens, env.realPath ?? env.path));
			md.core.ruler.push('cited-decisions', ({ tokens }) => linkDecisions(tokens));
			md.core.ruler.push('languages', (state) => {
				state.tokens = groupLanguages(state.tokens, (type, nesting) => new state.Token(type, 'div', nesting));
			});
			const fence = md.renderer.rules.fence;
			md.renderer.rules.fence = (tokens, index, ...rest) => {
				const token = tokens[index];
				// The highlighter does not know the language of nftables.
				if (token?.info.trim() === 'nft') token.info = 'txt';
				return token?.info.trim() === 'mermaid' ? diagram(token.content) : (fence?.(tokens, index, ...rest) ?? '');
			};
		},
	},
	themeConfig: {
		nav: [
			{ text: 'Start', link: linkTo('README.md'), activeMatch: '^/(start|changelog|security)' },
			{ text: 'Operate', link: linkTo('docs/operating/README.md'), activeMatch: '^/(operating/|operator-api)' },
			{
				text: "Resellers' developers",
				link: linkTo('docs/api.md'),
				activeMatch: '^/(api|packages|billing-modules|client|bursarctl)',
			},
			{ text: 'Proxy hosts', link: linkTo('docs/edge/README.md'), activeMatch: '^/(edge/|bursar-edge)' },
			{ text: 'Contribute', link: linkTo('CONTRIBUTING.md'), activeMatch: CONTRIBUTE },
		],
		// VitePress declares its lists as ones that it may change.
		sidebar: structuredClone(sidebar()) as never,
		outline: [2, 3],
		search: { provider: 'local' },
		socialLinks: [{ icon: 'github', link: REPOSITORY }],
		externalLinkIcon: true,
		notFound: { quote: 'There is no such page.', linkText: 'Go to the first page' },
	},
	buildEnd({ outDir }) {
		for (const name of readdirSync(join(ROOT, 'docs'), { recursive: true }) as string[]) {
			const file = `docs/${name.replaceAll('\\', '/')}`;
			if (isCopied(file)) cpSync(join(ROOT, file), join(outDir, name));
		}
	},
});
