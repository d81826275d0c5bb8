import assert from 'node:assert/strict';
import { createSubUser, myInfo, viewEventPage, viewSubUser, viewSubUserPage } from './generated/hey-api';
import { client } from './generated/hey-api/client.gen';

const { BURSAR_URL: baseUrl = '', BURSAR_TOKEN: token = '' } = process.env;
client.setConfig({ baseUrl, auth: token });

void main();

async function main() {
	const body = { username: 'of.hey.api' };
	const once = { body, headers: { 'X-Change-Id': 'of-hey-api-openapi-ts' } };
	const { data: account } = await myInfo();
	assert.equal(account?.data.username, 'acme');
	const { data: created } = await createSubUser(once);
	assert.equal(created?.data.balance, 0);
	const { error } = await createSubUser(once);
	assert.equal(error?.data?.change.kind, 'create');
	const { data: viewed } = await viewSubUser({ body });
	assert.deepEqual(viewed?.data, created.data);
	const { data: page } = await viewSubUserPage({ body: { prefix: 'of.hey' } });
	assert.deepEqual(
		page?.data.sub_users.map(({ username, state }) => [username, state]),
		[[body.username, 'active']],
	);
	const { data: log } = await viewEventPage({ body: {} });
	for (const event of log?.data.events ?? []) {
		if (event.type === 'sub_user.created') assert.equal(event.data.usable, true);
	}
	process.stdout.write('done\n');
}
