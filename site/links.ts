// Links in the Markdown are paths of the repository. On the site they lead to the page, the file, or the repository.
import { existsSync, readFileSync, statSync } from 'node:fs';
import { dirname, join, posix, relative, sep } from 'node:path';
import { addressOf, decisionPage, linkTo, ROOT } from './pages.ts';

/** The address of the repository, as the root package names it. */
export const REPOSITORY = repositoryOf(readFileSync(join(ROOT, 'package.json'), 'utf8'));

function repositoryOf(manifest: string): string {
	const { repository } = JSON.parse(manifest) as { readonly repository: { readonly url: string } };
	return repository.url.replace(/^git\+/, '').replace(/\.git$/, '');
}

/** What we use of a token of markdown-it. */
interface Token {
	type: string;
	content: string;
	readonly children: readonly Token[] | null;
	attrGet(name: string): string | null;
	attrSet(name: string, value: string): void;
}

/** Rewrites the links of a page. `path` is that of its Markdown file. */
export function rewriteLinks(tokens: readonly Token[], path: string): void {
	const file = relative(ROOT, path).split(sep).join('/');
	for (const token of tokens) {
		rewriteLinks(token.children ?? [], path);
		const target = token.type === 'link_open' ? token.attrGet('href') : null;
		if (target === null || /^(?:#|\/|[a-z]+:)/.test(target)) continue;
		const { href, isFile } = linkOnSite(file, target);
		token.attrSet('href', href);
		// Otherwise VitePress takes it for a page.
		if (isFile) token.attrSet('target', '_self');
	}
}

function linkOnSite(file: string, target: string): { readonly href: string; readonly isFile?: boolean } {
	const [path = '', heading] = target.split('#');
	const linked = posix.join(dirname(file), path);
	if (!existsSync(join(ROOT, linked))) throw new Error(`${file} links to ${target}, which does not exist`);
	const address = addressOf(linked);
	if (address !== undefined) return { href: `/${address}${heading === undefined ? '' : `#${heading}`}` };
	if (isCopied(linked)) {
		const from = dirname(addressOf(file) ?? '');
		return { href: posix.relative(from, linked.slice('docs/'.length)), isFile: true };
	}
	const kind = statSync(join(ROOT, linked)).isDirectory() ? 'tree' : 'blob';
	return { href: `${REPOSITORY}/${kind}/main/${linked}` };
}

/** Makes a link of each decision that a text cites by its number. */
export function linkDecisions(tokens: readonly Token[]): void {
	for (const { children } of tokens) {
		let openLinks = 0;
		for (const token of children ?? []) {
			if (token.type === 'link_open') openLinks++;
			else if (token.type === 'link_close') openLinks--;
			else if (token.type === 'text' && openLinks === 0) {
				const text = escapeHtml(token.content);
				const linked = text.replace(
					/\bdecision (\d{4})\b/g,
					(cited, number) => `<a href="${linkTo(decisionPage(number))}">${cited}</a>`,
				);
				if (linked === text) continue;
				token.type = 'html_inline';
				token.content = linked;
			}
		}
	}
}

function escapeHtml(text: string): string {
	return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
}

/** Whether a file of the repository is on the site as it is: examples, and what belongs to them. */
export function isCopied(file: string): boolean {
	return file.startsWith('docs/') && !/\.(?:md|png)$/.test(file) && statSync(join(ROOT, file)).isFile();
}

/** The name of a heading in links, as code hosts make it. */
export function headingName(heading: string): string {
	return heading
		.toLowerCase()
		.replace(/[^\w\- ]/g, '')
		.replaceAll(' ', '-');
}
