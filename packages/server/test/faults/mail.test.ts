import assert from 'node:assert/strict';
import type { AddressInfo } from 'node:net';
import { createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { MAIL_KINDS } from '@bursar/contract/dashboard';
import { eventually } from '@bursar/testing/eventually';
import { temporaryFolder } from '@bursar/testing/temporary-folder';
import { createBank } from '../../src/bank/bank.ts';
import { lookOf } from '../../src/bank/known-brand.ts';
import type { TakenMail } from '../../src/domain/mail/mail.ts';
import { OWN_BRAND } from '../../src/domain/operators/brand.ts';
import { composeLetter } from '../../src/mail/letter.ts';
import { createMailSending, type MailSending } from '../../src/mail/mail-sending.ts';
import { connectSmtp, SMTP_LIMITS, SmtpError, type SmtpLimits } from '../../src/mail/smtp.ts';
import { parseSmtpUrl } from '../../src/mail/smtp-url.ts';
import { createStopLinks } from '../../src/mail/stop-links.ts';
import { openSqliteStore } from '../../src/store/sqlite/sqlite-store.ts';
import type { Store } from '../../src/store/store.ts';
import { keep, runAll, runAllPeople } from '../store/suite/engine.ts';
import { createReseller, NOON_MS } from '../support/commands.ts';
import { type ReceivedMail, startMailServer } from '../support/mail-server.ts';
import { accept, invite, signIn } from '../support/person-commands.ts';

const stopLinks = createStopLinks(new Uint8Array(32));
const PARTS = {
	from: { name: 'Bursar', address: 'bursar@example.com' },
	publicUrl: 'https://bursar.example',
	stopLinks,
	brand: { read: async () => lookOf(OWN_BRAND) },
};
const MAIL: TakenMail = {
	...{
		person: 'ada',
		reseller: 'acme',
		email: 'ada@example.com',
		mail: 'new_sign_in',
		number: 1,
		notices: 1,
		tries: 1,
		begunAtMs: NOON_MS,
	},
	noticeLines: `${JSON.stringify({ browser: 'Firefox', address: '192.0.2.1', atMs: NOON_MS })}\n`,
};
/** For servers that never answer. */
const SHORT = { connectMs: 300, sendMs: 300 };
const PATIENCE_MS = 60_000;

/** They stop before their store is closed. */
const sendings: MailSending[] = [];

/** A store with Ada, who has a mail to get. */
async function openWithMail(t: TestContext): Promise<Store> {
	const store = await openSqliteStore(temporaryFolder(t), undefined);
	t.after(async () => {
		await Promise.all(sendings.splice(0).map((sending) => sending.stop()));
		await store.close();
	});
	await runAll(store, [createReseller('acme')]);
	await runAllPeople(store, [invite('ada', 'acme'), accept('ada', 's1')]);
	await keep(store, [{ kind: 'mail_setup', isOn: true }]);
	const command = signIn('ada', 's2');
	await runAllPeople(store, [{ ...command, session: { ...command.session, isNewBrowser: true } }]);
	return store;
}

/** The store at a time that the test chooses. */
function at(store: Store, clock: { readonly nowMs: number }): Store {
	return new Proxy(store, {
		get: (_, name: keyof Store) => (name === 'nowMs' ? () => clock.nowMs : store[name]),
	});
}

/** Sends the mails of a store, at a time that the test chooses. */
function sendingFrom(
	store: Store,
	port: () => number,
	clock: { nowMs: number },
	{ lookMs = 20, limits = () => SMTP_LIMITS }: { lookMs?: number; limits?: () => SmtpLimits } = {},
) {
	const timed = at(store, clock);
	const bank = createBank(timed, { observer: { batchDone() {}, fault() {} } });
	/** How tries ended, once that is written: before, the clock must not be moved. */
	const ends: string[] = [];
	const failures: string[] = [];
	const changePerson: typeof bank.changePerson = async (command) => {
		const outcome = await bank.changePerson(command);
		if (command.kind === 'end_try' && outcome.ok) ends.push(command.end.kind);
		return outcome;
	};
	const sending = createMailSending({
		store: timed,
		bank: { keep: bank.keep, changePerson },
		connect: () => connectSmtp(parseSmtpUrl(`smtp://127.0.0.1:${port()}`), limits()),
		compose: (mail) => composeLetter(mail, PARTS),
		observer: { ended() {}, failed: (cause) => failures.push(String(cause)), sent() {} },
		lookMs,
	});
	sendings.push(sending);
	return { sending, ends, failures };
}

/** A server that takes connections, and says these lines of SMTP, or nothing more. */
async function startSilentServer(t: TestContext, ...lines: readonly string[]): Promise<number> {
	const sockets = new Set<Socket>();
	const server = createServer((socket) => {
		sockets.add(socket);
		socket.on('error', () => {});
		const left = [...lines];
		const say = () => {
			const line = left.shift();
			if (line !== undefined) socket.write(`${line}\r\n`);
		};
		say();
		socket.on('data', say);
	});
	await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
	t.after(() => {
		for (const socket of sockets) socket.destroy();
		server.close();
	});
	return (server.address() as AddressInfo).port;
}

test('a process that dies after the server has taken a mail and before it says so: the same mail comes again', async (t) => {
	const server = await startMailServer(t);
	const store = await openWithMail(t);
	const clock = { nowMs: NOON_MS };
	// The bank of the first process never writes what became of the mail.
	const timed = at(store, clock);
	const bank = createBank(timed, { observer: { batchDone() {}, fault() {} } });
	const dying = createMailSending({
		store: timed,
		bank: {
			keep: bank.keep,
			changePerson: (command) =>
				command.kind === 'end_try'
					? (Promise.resolve({ ok: false, error: 'outcome_unknown' }) as never)
					: bank.changePerson(command),
		},
		connect: () => connectSmtp(parseSmtpUrl(server.url)),
		compose: (mail) => composeLetter(mail, PARTS),
		observer: { ended() {}, failed() {}, sent() {} },
		lookMs: 20,
	});
	await server.received(1);
	await dying.stop();
	clock.nowMs += 10 * 60_000;
	const { ends } = sendingFrom(store, () => server.port, clock);
	const [first, again] = await server.received(2);
	await eventually(async () => assert.deepEqual(ends, ['sent']), PATIENCE_MS);
	const sameIn = (mail: ReceivedMail | undefined) => [
		...['message-id', 'date', 'subject', 'list-unsubscribe'].map((name) => mail?.headers.get(name)),
		...[mail?.text, mail?.html],
	];
	assert.deepEqual(sameIn(first), sameIn(again));
	assert.equal(server.mails.length, 2);
	assert.equal((await store.readOutbox()).waiting, 0);
});

test('a server that refuses for now, is away, or never answers: the mail waits, and comes when the server is back', async (t) => {
	const busy = await startMailServer(t, {
		onRcptTo: (_address, _session, done) => done(Object.assign(new Error('try later'), { responseCode: 451 })),
	});
	const silent = await startSilentServer(t);
	const stalled = await startSilentServer(t, '220 hello', '250 hello', '250 ok', '250 ok', '354 go on');
	const good = await startMailServer(t);
	const store = await openWithMail(t);
	const clock = { nowMs: NOON_MS };
	let port = 1;
	const { ends, failures } = sendingFrom(store, () => port, clock, {
		limits: () => (port === silent || port === stalled ? SHORT : SMTP_LIMITS),
	});
	for (const [index, next] of [busy.port, silent, stalled, good.port].entries()) {
		await eventually(async () => assert.equal(ends.length, index + 1), PATIENCE_MS);
		port = next;
		clock.nowMs += 6 * 3_600_000;
	}
	const all = ['failed', 'failed', 'failed', 'failed', 'sent'];
	await eventually(async () => assert.deepEqual(ends, all), PATIENCE_MS);
	assert.deepEqual(failures, [
		'SmtpError: ECONNREFUSED',
		'SmtpError: 451 at RCPT TO',
		'SmtpError: the server took too long',
		'SmtpError: the server took too long',
	]);
	assert.equal(good.mails.length, 1);
});

test('a server that refuses the recipient or the mail for ever: it is given up at once, and counted', async (t) => {
	for (const hook of ['onRcptTo', 'onData'] as const) {
		const refusing = await startMailServer(t, {
			[hook]: (stream: unknown, _session: unknown, done: (cause: Error) => void) => {
				if (hook === 'onData') (stream as { resume(): void }).resume();
				const refuse = () => done(Object.assign(new Error('token=SECRET'), { responseCode: 550 }));
				if (hook === 'onData') (stream as { on(event: string, run: () => void): void }).on('end', refuse);
				else refuse();
			},
		});
		const store = await openWithMail(t);
		const { ends, failures } = sendingFrom(store, () => refusing.port, { nowMs: NOON_MS });
		await eventually(
			async () =>
				assert.deepEqual(
					[...ends, ...failures],
					['given_up', `SmtpError: 550 at ${hook === 'onData' ? 'DATA' : 'RCPT TO'}`],
				),
			PATIENCE_MS,
		);
		assert.doesNotMatch(failures.join(), /SECRET/);
		await eventually(async () => assert.equal((await store.readOutbox()).givenUp, 1), PATIENCE_MS);
	}
});

test('an address that no envelope can carry is given up without a word to the server, and delays nobody', async (t) => {
	const server = await startMailServer(t);
	const store = await openWithMail(t);
	// Such addresses are accepted no more, and are in stores that are older.
	const poisoned = Array.from({ length: 12 }, (_, index) => `eve<${index}`);
	await runAll(store, [createReseller('hostile')]);
	for (const person of poisoned) {
		await runAllPeople(store, [invite(person, 'hostile'), accept(person, person)]);
		const command = signIn(person, `again ${person}`);
		await runAllPeople(store, [{ ...command, session: { ...command.session, isNewBrowser: true } }], NOON_MS - 1);
	}
	// At this interval there is only one round.
	const { ends, failures } = sendingFrom(store, () => server.port, { nowMs: NOON_MS }, { lookMs: 3_600_000 });
	await eventually(async () => assert.equal(ends.length, 10), PATIENCE_MS);
	assert.deepEqual(
		server.mails.map(({ to }) => to),
		[['ada@example.com']],
	);
	assert.deepEqual(ends.toSorted(), [...Array(9).fill('given_up'), 'sent']);
	assert.deepEqual(new Set(failures), new Set(['SmtpError: EENVELOPE']));
	assert.equal((await store.readOutbox()).failing, 0);
});

test('a service that stops gives back what it has not begun', async (t) => {
	const silent = await startSilentServer(t);
	const store = await openWithMail(t);
	const { sending, ends } = sendingFrom(store, () => silent, { nowMs: NOON_MS }, { limits: () => SHORT });
	await eventually(async () => assert.equal(await store.hasDueMail(NOON_MS), false), PATIENCE_MS);
	await sending.stop();
	assert.equal(ends.length, 1);
	assert.equal((await store.readOutbox()).waiting, 1);
});

test('without encryption nothing is said to a server on another machine, and a password is never logged', async (t) => {
	const plain = await startMailServer(t);
	const { encryption } = parseSmtpUrl('smtp://user:geheim@mail.example');
	assert.equal(encryption, 'starttls');
	const url = { ...parseSmtpUrl('smtp://user:geheim@127.0.0.1'), encryption, port: plain.port } as const;
	await assert.rejects(connectSmtp(url), (cause) => {
		assert.ok(cause instanceof SmtpError);
		assert.doesNotMatch(`${cause.message} ${cause.stack}`, /geheim/);
		return true;
	});
	assert.equal(plain.mails.length, 0);
});

test('hostile names stay text: no header, no recipient and no markup of theirs', async (t) => {
	const server = await startMailServer(t);
	const session = await connectSmtp(parseSmtpUrl(server.url));
	t.after(() => session.close());
	const hostile = '<script>alert(1)</script>"\'&\r\nBcc: eve@example.com\r\n\r\n.\r\nMAIL FROM:<eve@example.com>';
	const noticeLines = `${JSON.stringify({ username: hostile, atMs: NOON_MS })}\n`;
	const email = '"a,b"<eve@evil.example>,c@example.com';
	await session.send(await composeLetter({ ...MAIL, mail: 'exhausted_sub_user', noticeLines }, PARTS));
	await assert.rejects(async () => session.send(await composeLetter({ ...MAIL, email }, PARTS)));
	const [mail] = server.mails;
	assert.deepEqual(mail?.to, ['ada@example.com']);
	assert.equal(mail?.headers.has('bcc'), false);
	assert.doesNotMatch(mail?.html ?? '', /<script>|"'&/);
	assert.match(mail?.html ?? '', /&lt;script&gt;/);
	assert.equal(server.mails.length, 1);
});

/** A header as people read it (RFC 2047). */
function wordsOf(header = ''): string {
	const bytesOf = (kind: string, text: string) =>
		kind.toUpperCase() === 'B'
			? Buffer.from(text, 'base64')
			: Buffer.from(
					text.replaceAll('_', ' ').replace(/=(..)/g, (_, hex) => String.fromCharCode(Number.parseInt(hex, 16))),
					'latin1',
				);
	return header
		.replace(/\?= +=\?/g, '?==?')
		.replace(/=\?utf-8\?([qb])\?([^?]*)\?=/gi, (_, kind, text) => bytesOf(kind, text).toString());
}

test('a mail has the name and the letterhead of the network, and hostile ones stay text', async (t) => {
	const server = await startMailServer(t);
	const session = await connectSmtp(parseSmtpUrl(server.url));
	for (const name of ['North, "Proxies" <eve@evil.example>', 'Nördlich: 北方 – „Netz“', 'a\\b; c: d (e), @f']) {
		const brand = { ...OWN_BRAND, name, legalName: '<b>North</b> & Co', address: ['1 "Pier"'], taxNumber: 'DE1' };
		await session.send(await composeLetter(MAIL, { ...PARTS, brand: { read: async () => lookOf(brand) } }));
		const mail = server.mails.at(-1);
		assert.ok(mail);
		assert.deepEqual([mail.from, mail.to], [PARTS.from.address, [MAIL.email]]);
		const from = wordsOf(mail.headers.get('from'));
		assert.match(from, /^[^<]*"? <bursar@example\.com>$|^".*" <bursar@example\.com>$/);
		const shown = from
			.slice(0, from.lastIndexOf(' <'))
			.replace(/^"(.*)"$/, (_, quoted) => quoted.replace(/\\(.)/g, '$1'));
		assert.equal(shown, name);
		assert.equal(wordsOf(mail.headers.get('subject')), `${name}: New sign-in`);
		assert.deepEqual([mail.headers.has('bcc'), mail.headers.has('eve')], [false, false]);
		assert.match(
			mail.text.replaceAll('\r', ''),
			/\n--\n<b>North<\/b> & Co\n1 "Pier"\nTax number: DE1\nThis mail went to /,
		);
		assert.match(
			mail.html,
			/<p [^>]+>&lt;b&gt;North&lt;\/b&gt; &amp; Co<br>1 &quot;Pier&quot;<br>Tax number: DE1<\/p>/,
		);
	}
	session.close();
});

test('a mail of whose notices only the number is left is sent, of each kind', async (t) => {
	const server = await startMailServer(t);
	const session = await connectSmtp(parseSmtpUrl(server.url));
	t.after(() => session.close());
	for (const mail of MAIL_KINDS)
		await session.send(await composeLetter({ ...MAIL, mail, notices: 3, noticeLines: '' }, PARTS));
	assert.equal(server.mails.length, MAIL_KINDS.length);
	for (const { text, headers } of server.mails) {
		assert.match(headers.get('subject') ?? '', /^Bursar: More about /);
		assert.match(text, /and 3 more/);
	}
});
