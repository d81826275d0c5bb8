import assert from 'node:assert/strict';
import createClient from 'openapi-fetch';
import type { paths } from './generated/openapi-typescript';

const { BURSAR_URL: baseUrl = '', BURSAR_TOKEN: token = '' } = process.env;
const bursar = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });

void main();

async function main() {
	const body = { username: 'of.typescript' };
	const once = { body, params: { header: { 'X-Change-Id': 'of-openapi-typescript' } } };
	const { data: account } = await bursar.GET('/reseller/my_info');
	assert.equal(account?.data.username, 'acme');
	const { data: created } = await bursar.POST('/reseller/sub_users/create', once);
	assert.equal(created?.data.balance, 0);
	const { error } = await bursar.POST('/reseller/sub_users/create', once);
	// Its types leave out a field that is always `null`.
	assert.equal(error && 'data' in error && error.data.change.kind, 'create');
	const { data: viewed } = await bursar.POST('/reseller/sub_users/view_single', { body });
	assert.deepEqual(viewed?.data, created.data);
	const { data: page } = await bursar.POST('/reseller/sub_users/view_page', { body: { prefix: 'of.type' } });
	assert.deepEqual(
		page?.data.sub_users.map(({ username, state }) => [username, state]),
		[[body.username, 'active']],
	);
	const { data: log } = await bursar.POST('/reseller/events/view_page', { body: {} });
	for (const event of log?.data.events ?? []) {
		if (event.type === 'sub_user.created') assert.equal(event.data.usable, true);
	}
	process.stdout.write('done\n');
}
