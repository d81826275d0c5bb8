import assert from 'node:assert/strict';
import { test } from 'node:test';
import { countVerdicts, type Report, type RuleResult, redactVerdict } from '../src/report.ts';
import { junitReport } from '../src/report-junit.ts';
import { noPaint, resultText, summaryText, terminalPaint } from '../src/report-text.ts';
import { createSecrets } from '../src/secrets.ts';
import { parseXml } from './support/xml.ts';

const NASTY = '<a href="x">&amp; ]]> \u0000\u001b[31m \ud800 \u{1F600} \uffff\nnext</a>';
const rule = { guarantee: 'It holds.', source: 'docs/api.md 4.2 Status and code', durationMs: 12.4 };
const results: readonly RuleResult[] = [
	{ ...rule, name: 'one.good', verdict: { kind: 'passed' } },
	{ ...rule, name: 'one.bad', verdict: { kind: 'failed', what: NASTY, expected: NASTY, actual: NASTY } },
	{ ...rule, name: 'two.unknown', verdict: { kind: 'not_testable', reason: NASTY } },
];
const report: Report = {
	url: 'http://localhost/?a&b',
	startedAtMs: Date.UTC(2026, 10, 21, 9, 30),
	results,
	counts: countVerdicts(results),
	spending: {
		creates: 3,
		charged: 2,
		feesCents: 20,
		mostCents: 50,
		accounts: [{ reseller: 'acme', beforeCents: 100, afterCents: 75 }],
		prefix: 'conf123456',
		leftBehind: [{ username: 'conf123456.1', balanceCents: 5 }],
	},
	isInterrupted: true,
	isUnanswered: false,
};

test('the JUnit report is valid XML for any answer, with one case for each rule', () => {
	const root = parseXml(junitReport(report));
	assert.equal(root.name, 'testsuites');
	const { tests, failures, skipped, errors } = root.attributes;
	assert.deepEqual([tests, failures, skipped, errors], ['3', '1', '1', '0']);
	assert.deepEqual(
		root.children.map(({ name, attributes }) => [name, attributes.name, attributes.tests, attributes.timestamp]),
		[
			['testsuite', 'one', '2', '2026-11-21T09:30:00'],
			['testsuite', 'two', '1', '2026-11-21T09:30:00'],
		],
	);
	const cases = root.children.flatMap(({ children }) => children).filter(({ name }) => name === 'testcase');
	assert.deepEqual(
		cases.map(({ attributes, children }) => [attributes.name, children.map(({ name }) => name)]),
		[
			['one.good', []],
			['one.bad', ['failure']],
			['two.unknown', ['skipped']],
		],
	);
	assert.match(cases[1]?.children[0]?.text ?? '', /^actual: <a href="x">&amp; \]\]>/m);
});

test('the text shows the expected and the actual value, the source of the rule, and the cost', () => {
	const text = results.map((result) => resultText(result, noPaint)).join('') + summaryText(report, noPaint);
	assert.match(text, /^passed {8}one\.good$/m);
	assert.match(text, /^FAILED {8}one\.bad$/m);
	assert.match(text, /^ +expected {2}<a href/m);
	assert.match(text, /^ +from {6}docs\/api\.md 4\.2 Status and code$/m);
	assert.match(text, /^not testable {2}two\.unknown: /m);
	assert.match(text, /^1 passed, 1 failed, 1 not testable$/m);
	assert.match(text, /^The run was stopped early\.$/m);
	assert.match(text, /2 of 3 calls of create cost 10 cents each: 20 cents \(at most 50\)/);
	assert.match(text, /acme: 100 cents before, 75 after; it fell by 5 cents more than the fees/);
	assert.match(text, /conf123456\.1: 5 cents/);
});

test('answers of a service cannot steer the terminal, and only our own text is coloured', () => {
	const text = results.map((result) => resultText(result, terminalPaint)).join('');
	assert.deepEqual(
		// biome-ignore lint/suspicious/noControlCharactersInRegex: the test is about control characters
		text.match(/\u001b\[\d+m/g),
		['32', '0', '31', '0', '33', '0'].map((code) => `\u001b[${code}m`),
	);
	// biome-ignore lint/suspicious/noControlCharactersInRegex: the test is about control characters
	assert.doesNotMatch(text.replace(/\u001b\[\d+m/g, ''), /[\u0000-\u0008\u000b-\u001f\u007f-\u009f]/);
});

test('secrets are redacted before a text is shortened, so that no half of a secret is left', () => {
	const secrets = createSecrets(['short']);
	secrets.keep('brs_0123456789012345678901234567890123456789');
	secrets.keep('brs_0123456789012345678901234567890123456789x');
	const actual = `${'y'.repeat(385)} brs_0123456789012345678901234567890123456789x short {"proxy_authkey":"never seen"}`;
	const verdict = redactVerdict({ kind: 'failed', what: 'short', expected: '', actual }, secrets);
	assert.ok(verdict.kind === 'failed');
	assert.equal(verdict.what, '[redacted]');
	assert.doesNotMatch(JSON.stringify(verdict), /brs_|short|never/);
	assert.match(verdict.actual, /\.\.\.$/);
	assert.equal(secrets.redact('a {"proxy_authkey": "x\\"y", "b":1}'), 'a {"proxy_authkey": "[redacted]", "b":1}');
});
