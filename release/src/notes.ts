import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { ROOT } from './run.ts';

const UNRELEASED = 'Unreleased';

/**
 * What the changelog says of a version, or of what has no version yet if the release is not of a tag. Throws if there is no
 * such section, or if the release of a tag would leave out what is unreleased.
 */
export function releaseNotes(version: string, isTagged: boolean): string {
	const sections = readFileSync(join(ROOT, 'CHANGELOG.md'), 'utf8').split(/^(?=## )/m);
	const sectionOf = (title: string) =>
		sections.find((text) => text.startsWith(`## ${title}`) && /^[\s,]/.test(text.slice(`## ${title}`.length)));
	const unreleased = sectionOf(UNRELEASED);
	if (isTagged && unreleased !== undefined) {
		throw new Error(`CHANGELOG.md still has a section "## ${UNRELEASED}". See docs/releasing.md.`);
	}
	const section = unreleased ?? sectionOf(version);
	if (section === undefined) throw new Error(`CHANGELOG.md has no section "## ${version}".`);
	return section;
}
