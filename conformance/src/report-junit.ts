import type { Report, RuleResult } from './report.ts';

/** The report as JUnit XML: one test suite for each group of rules, with the spending as its properties. */
export function junitReport({ results, counts, spending, url, startedAtMs }: Report): string {
	const groups = Map.groupBy(results, ({ name }) => name.slice(0, name.indexOf('.')));
	const properties = {
		url,
		creates: spending.creates,
		fees_cents: spending.feesCents,
		sub_user_prefix: spending.prefix,
		...Object.fromEntries(
			spending.accounts.flatMap(({ reseller, beforeCents, afterCents }) => [
				[`balance_before.${reseller}`, beforeCents],
				[`balance_after.${reseller}`, afterCents ?? 'unknown'],
			]),
		),
	};
	const propertyLines = Object.entries(properties).map(
		([name, value]) => `\t\t\t<property${attributes({ name, value })}/>\n`,
	);
	const suites = Array.from(groups, ([group, results], place) => {
		const lines = results.map((result) => caseXml(group, result)).join('');
		const head = attributes({ name: group, ...totals(results), timestamp: isoSeconds(startedAtMs) });
		// JUnit readers know only properties of a suite, so the first suite has those of the run.
		const inFront = place === 0 ? `\t\t<properties>\n${propertyLines.join('')}\t\t</properties>\n` : '';
		return `\t<testsuite${head}>\n${inFront}${lines}\t</testsuite>\n`;
	});
	const all = attributes({
		name: 'conformance',
		tests: results.length,
		failures: counts.failed,
		errors: 0,
		skipped: counts.notTestable,
		time: seconds(results),
	});
	return `<?xml version="1.0" encoding="UTF-8"?>\n<testsuites${all}>\n${suites.join('')}</testsuites>\n`;
}

function caseXml(group: string, result: RuleResult): string {
	const { name, guarantee, source, verdict } = result;
	const head = attributes({ classname: `conformance.${group}`, name, time: seconds([result]) });
	if (verdict.kind === 'passed') return `\t\t<testcase${head}/>\n`;
	if (verdict.kind === 'not_testable') {
		return `\t\t<testcase${head}>\n\t\t\t<skipped${attributes({ message: verdict.reason })}/>\n\t\t</testcase>\n`;
	}
	const { what, expected, actual } = verdict;
	const message = attributes({ message: `${what}: expected ${expected}, got ${actual}`, type: 'RuleFailure' });
	const text = escapeXml(`${guarantee}\n${source}\n${what}\nexpected: ${expected}\nactual: ${actual}`);
	return `\t\t<testcase${head}>\n\t\t\t<failure${message}>${text}</failure>\n\t\t</testcase>\n`;
}

function totals(results: readonly RuleResult[]) {
	const count = (kind: string) => results.filter(({ verdict }) => verdict.kind === kind).length;
	return {
		tests: results.length,
		failures: count('failed'),
		errors: 0,
		skipped: count('not_testable'),
		time: seconds(results),
	};
}

function seconds(results: readonly RuleResult[]): string {
	return (results.reduce((sum, { durationMs }) => sum + durationMs, 0) / 1000).toFixed(3);
}

/** The form that JUnit readers know: UTC without a fraction. */
function isoSeconds(atMs: number): string {
	return new Date(atMs).toISOString().slice(0, 19);
}

function attributes(values: Readonly<Record<string, unknown>>): string {
	return Object.entries(values)
		.map(([name, value]) => ` ${name}="${escapeXml(String(value)).replaceAll('\n', '&#10;')}"`)
		.join('');
}

/** Replaces characters that XML 1.0 cannot carry with the replacement character. */
function escapeXml(text: string): string {
	return text
		.toWellFormed()
		.replace(/[^\t\n\r\u0020-\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]/gu, '\ufffd')
		.replaceAll('&', '&amp;')
		.replaceAll('<', '&lt;')
		.replaceAll('>', '&gt;')
		.replaceAll('"', '&quot;');
}
