import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createLogger } from '../src/logger.ts';

test('a field with the name of a secret is redacted, up to three objects deep', () => {
	const lines: string[] = [];
	const logger = createLogger('info', { write: (line) => void lines.push(line) });
	const secrets = { token: 'planted', password: 'planted', cookie: 'planted', proxy_authkey: 'planted' };
	logger.info({ ...secrets, headers: { authorization: 'planted', 'set-cookie': 'planted' } });
	logger.info({ one: { two: { three: secrets } }, kept: 'shown' });
	assert.equal(lines.length, 2);
	assert.ok(!lines.join().includes('planted'), lines.join());
	assert.match(lines[1] as string, /"kept":"shown"/);
	assert.match(lines[1] as string, /"three":\{"token":"\[redacted\]"/);
});
