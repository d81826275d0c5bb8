import assert from 'node:assert/strict';
import type { BootedDebian } from '@bursar/testing/booted-debian';

/** Runs the operator's program as the documentation says: as the user of the service, with its settings. */
export const BURSAR =
	'systemd-run -qPG --uid=bursar -p EnvironmentFile=/etc/bursar/bursar.env -E BURSAR_DATA_DIR=/var/lib/bursar bursar';

/** Waits, because the proxy has to reach the service after its start. */
export const EDGE_IS_READY = 'curl -sSf --retry 30 --retry-delay 1 http://127.0.0.1:9465/readyz';

/** Becomes the first operator with a link, as a browser on that machine does. */
export async function claimService(debian: BootedDebian, link: string): Promise<void> {
	const { origin, hash } = new URL(link);
	const chosen = { link: hash.slice(1), email: 'olga@bursar.example', password: 'a long password of a test' };
	await debian.do(`curl -sSf -o /dev/null '${link}'`);
	const answer = await debian.do(
		`curl -sSf --json '${JSON.stringify(chosen)}' -H 'origin: ${origin}' ${origin}/dashboard/api/invitation/accept`,
	);
	assert.equal(JSON.parse(answer).data.person.email, chosen.email);
}
