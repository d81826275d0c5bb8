// In `system/` because it installs what makes the site, which `npm test` does not need.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, globSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join, posix } from 'node:path';
import { after, before, type TestContext, test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { openPage } from '@bursar/testing/browser';
import { linkDecisions, rewriteLinks } from '../../links.ts';
import { linkTo, ROOT } from '../../pages.ts';

const folder = mkdtempSync(join(tmpdir(), 'bursar-site-'));
after(() => rmSync(folder, { recursive: true, force: true }));

/** The HTML of each page, by its address. */
const pages = new Map<string, string>();

before(() => {
	// It ends with an error if a page links to one that does not exist.
	execFileSync(process.execPath, [join(ROOT, 'scripts/docs.mjs'), `--outDir=${folder}`], { stdio: 'pipe' });
	for (const name of globSync('**/*.html', { cwd: folder }))
		pages.set(addressOfHtml(name), readFileSync(join(folder, name), 'utf8'));
	pages.delete('/404.html');
});

test('each document is on the site and in its navigation', () => {
	// The first page has no navigation at its side.
	const navigation = new Set(linksOf('/start.html').map(({ page }) => page));
	const documents = ['README.md', ...globSync('docs/**/*.md', { cwd: ROOT })];
	assert.ok(documents.filter((file) => file.startsWith('docs/decisions/')).length > 25);
	assert.deepEqual(
		documents.map(linkTo).filter((page) => !pages.has(page)),
		[],
	);
	assert.deepEqual(
		[...pages.keys()].filter((page) => page !== '/' && !navigation.has(page)),
		[],
	);
});

test('every link within the site leads to a page or file that is there, and to a heading that is there', () => {
	const files = new Set(globSync('**/*', { cwd: folder }).map((name) => `/${name}`));
	const links = [...pages.keys()].flatMap(linksOf);
	assert.ok(links.filter(({ heading }) => heading !== '').length > 500);
	const dead = links.filter(({ page, heading }) => {
		const html = pages.get(page);
		if (html === undefined) return !files.has(page);
		return heading !== '' && !html.includes(`id="${heading}"`);
	});
	assert.deepEqual(dead, []);
});

test('a link to a file that does not exist stops the build', () => {
	const page = join(ROOT, 'docs/api.md');
	rewriteLinks([link('operating/README.md')], page);
	assert.throws(
		() => rewriteLinks([link('operating/nothing.md')], page),
		/docs\/api\.md links to operating\/nothing\.md/,
	);
});

test('a decision that a text cites by its number is a link to its page', () => {
	const html = pages.get('/decisions/0052-claim.html') ?? '';
	assert.match(html, /<a href="\/decisions\/0033-people\.html"[^>]*>decision 0033<\/a>/);
	for (const [page, html] of pages) {
		const text = html.replace(/<(a|code|pre)\b.*?<\/\1>/gs, '');
		assert.equal(/\bdecision \d{4}\b/.exec(text)?.[0], undefined, page);
	}
	assert.throws(
		() => linkDecisions([{ ...link(''), children: [{ ...link(''), type: 'text', content: 'decision 9999' }] }]),
		/there is no decision 9999/,
	);
});

test('the site takes nothing from elsewhere', () => {
	const loads =
		/<(?:script|img|iframe|source|video|audio|embed)\b[^>]*\s(?:src|srcset)="([^"]*)"|<link\b[^>]*\shref="([^"]*)"/g;
	const outside = /^(?:[a-z]+:)?\/\//;
	for (const [page, html] of pages) {
		const found = Array.from(html.matchAll(loads), ([, source, href]) => source ?? href ?? '');
		assert.ok(found.length > 3, page);
		assert.deepEqual(
			found.filter((address) => outside.test(address)),
			[],
			page,
		);
		assert.doesNotMatch(html, /@import|url\(\s*["']?(?:https?:)?\/\//, page);
	}
	for (const name of globSync('**/*.{css,js}', { cwd: folder })) {
		const source = readFileSync(join(folder, name), 'utf8');
		if (name.endsWith('.css')) assert.doesNotMatch(source, /@import|url\(\s*["']?(?:https?:)?\/\//, name);
		else
			assert.doesNotMatch(
				source,
				/\b(?:fetch|import|Worker|WebSocket|EventSource)\(\s*["'`](?:(?:https?|wss?):)?\/\//,
				name,
			);
	}
});

test('the search finds pages of every section', async () => {
	const [name = ''] = globSync('assets/chunks/@localSearchIndexroot*.js', { cwd: folder });
	const index = (await import(pathToFileURL(join(folder, name)).href)) as { readonly default: string };
	const { documentIds } = JSON.parse(index.default) as { readonly documentIds: Readonly<Record<string, string>> };
	const found = new Set(Object.values(documentIds).map((address) => address.split('#')[0]));
	assert.deepEqual(
		[...pages.keys()].filter((page) => !found.has(page)),
		[],
	);
});

test('diagrams are drawn when the site is made', () => {
	const drawings = readFileSync(join(ROOT, 'docs/ARCHITECTURE.md'), 'utf8').split('```mermaid').length - 1;
	const html = pages.get('/architecture.html') ?? '';
	assert.ok(drawings > 0);
	assert.equal(html.split('<div class="diagram"><svg').length - 1, drawings);
	assert.doesNotMatch(html, /language-mermaid/);
});

test('an example in two languages has a tab for each, and the language that a reader chooses shows in all of them', async (t) => {
	const source = readFileSync(join(ROOT, 'docs/client.md'), 'utf8');
	const examples = source.split(/^```js\n(?:(?!```).*\n)*```\n\n```python$/m).length - 1;
	assert.ok(examples > 10);
	const { page, trail } = await openPage(t);
	const url = `${await serve(t)}/client.html`;
	await page.goto(url, { waitUntil: 'networkidle' });
	const shown = async () => ({
		tabs: await page.locator('.vp-code-group input:checked + label').allTextContents(),
		languages: await page.locator('.vp-code-group .blocks > div:visible > .lang').allTextContents(),
	});
	const inAll = (tab: string, language: string) => ({
		tabs: Array(examples).fill(tab),
		languages: Array(examples).fill(language),
	});
	assert.deepEqual(await shown(), inAll('TypeScript', 'js'));

	const last = page.locator('.vp-code-group label', { hasText: 'Python' }).last();
	await last.scrollIntoViewIfNeeded();
	const top = async () => (await last.boundingBox())?.y ?? assert.fail('the tab is not shown');
	const before = await top();
	await last.click();
	assert.deepEqual(await shown(), inAll('Python', 'python'));
	assert.ok(Math.abs((await top()) - before) < 2, 'the tab stays where it was clicked');

	await page.goto(url, { waitUntil: 'networkidle' });
	assert.deepEqual(await shown(), inAll('Python', 'python'), 'also when the page is opened again');
	assert.deepEqual(trail.complaints, []);
});

test('the configuration of the site has no wrong types', () => {
	execFileSync(process.execPath, [join(ROOT, 'node_modules/typescript/bin/tsc'), '--project', join(ROOT, 'site')], {
		stdio: 'pipe',
	});
});

/** Serves the site until the test ends. Resolves with its address. */
async function serve(t: TestContext): Promise<string> {
	const types = new Map([
		['.html', 'text/html'],
		['.js', 'text/javascript'],
		['.css', 'text/css'],
	]);
	const server = createServer(({ url = '' }, response) => {
		const file = join(folder, url);
		if (!existsSync(file)) return void response.writeHead(404).end();
		response.writeHead(200, { 'content-type': types.get(extname(file)) }).end(readFileSync(file));
	});
	t.after(() => server.close());
	await once(server.listen(0, '127.0.0.1'), 'listening');
	return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

/** A token of a link, as the parser of Markdown makes it. */
function link(target: string) {
	return { type: 'link_open', content: '', children: null, attrGet: () => target, attrSet: () => undefined };
}

interface Link {
	readonly from: string;
	readonly page: string;
	readonly heading: string;
}

/** The links of a page to the site itself. */
function linksOf(from: string): readonly Link[] {
	return Array.from((pages.get(from) ?? '').matchAll(/<a\b[^>]*\shref="([^"]*)"/g), ([, href = '']) => href)
		.filter((href) => !/^[a-z]+:/.test(href))
		.map((href) => {
			const [path = '', heading = ''] = href.split('#');
			const page = path === '' ? from : posix.join(from.endsWith('/') ? from : posix.dirname(from), path);
			return { from, page: path.startsWith('/') ? path : page, heading: decodeURIComponent(heading) };
		});
}

function addressOfHtml(name: string): string {
	return `/${name.replace(/(^|\/)index\.html$/, '$1')}`;
}
