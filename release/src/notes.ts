import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.ts';

/** What the changelog says of a version. Throws if it does not name it. */
export function releaseNotes(version: string): string {
	const sections = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').split(/^(?=## )/m);
	const section = sections.find(
		(text) => text.startsWith(`## ${version}`) && /^[\s,]/.test(text.slice(`## ${version}`.length)),
	);
	if (section === undefined) throw new Error(`CHANGELOG.md has no section "## ${version}".`);
	return section;
}
