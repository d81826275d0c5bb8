import '../support/browser.ts';
import assert from 'node:assert/strict';
import { test } from 'node:test';

const { render } = await import('@testing-library/react');
const { createElement } = await import('react');
const { Name } = await import('../../src/page/name.tsx');

/** Where lines may break is shown as a bar. */
function piecesOf(text: string): string {
	const { container } = render(createElement(Name, { children: text }));
	assert.equal(container.textContent, text);
	return container.innerHTML.replaceAll('<wbr>', '|').replaceAll(/<[^>]*>/g, '');
}

test('a name stays whole if it is short; a longer one may break at its signs, and within only if it has none', () => {
	assert.equal(piecesOf('demo_user.eu-1'), 'demo_user.eu-1');
	assert.equal(piecesOf('ann.smith@acme.example'), 'ann.smith@|acme.example');
	assert.equal(piecesOf('scraper_pool.frankfurt_residents'), 'scraper_|pool.|frankfurt_|residents');
	assert.equal(piecesOf('2001:db8:1234:5678:9abc::1'), '2001:|db8:|1234:|5678:|9abc::|1');
	assert.equal(piecesOf('m'.repeat(32)), `${'m'.repeat(20)}|${'m'.repeat(12)}`);
	assert.equal(piecesOf('Sub-users without a balance'), 'Sub-|users |without |a |balance');
	assert.equal(piecesOf(''), '');
});
