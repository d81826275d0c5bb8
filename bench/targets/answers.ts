/** The data of the bare servers: the size of Bursar's answers, made with as little work as possible. */
export const account = {
	username: 'user000001',
	balance: 1_000_000,
	proxy_authkey: 'abcdefghijklmnop',
	date_created: '2026-11-21T00:00:00.000Z',
};

export const balance = { username: account.username, balance: account.balance };

export const check = {
	ok: true,
	username: account.username,
	key_id: 'Hk3vQ0m8yTn5cXf2LwZb1A',
	reason: null,
	recheck_ms: 2_000,
};

export function envelope<Data>(data: Data) {
	return { status: 200, message: '', timestamp: Math.floor(Date.now() / 1000), data };
}
