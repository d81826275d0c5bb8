import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';

const DOCS = join(import.meta.dirname, '../../../../docs');

/** The documentation's units for systemd. */
export const UNITS = ['examples/bursar.service', 'edge/bursar-edge.service'].map((path) => join(DOCS, path));
export const BURSAR_UNIT = UNITS[0] as string;

/** The values of a setting in a unit, in order. */
export function unitValues(file: string, name: string): readonly string[] {
	const values = Array.from(
		readFileSync(file, 'utf8').matchAll(new RegExp(`^${name}=(.*)$`, 'gm')),
		([, value = '']) => value,
	);
	assert.ok(values.length > 0, `${file} has no ${name}`);
	return values;
}
