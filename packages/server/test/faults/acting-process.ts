import { createBank } from '../../src/bank/bank.ts';
import { readConfig } from '../../src/config.ts';
import { openStore } from '../../src/engine.ts';
import { giveBalance, revokeToken } from '../support/commands.ts';
import { actOf, setPassword } from '../support/person-commands.ts';

// A program in which people act without end: each changes the token of a reseller and a password, and gives a cent to a
// sub-user, in turns. It prints
// `person kind serial` after each answer. Its arguments are the first serials, like `ada=7`.
const store = await openStore(readConfig(process.env));
await store.startWriting?.();
const bank = createBank(store, { observer: { batchDone() {}, fault() {} } });

async function act(person: string, first: number): Promise<never> {
	for (let serial = first; ; serial++) {
		const tokenAct = actOf(person, `s of ${person}`, `${person} token ${serial}`, 'end_all_tokens');
		const token = done(() => bank.submit({ ...revokeToken(`of.${person}`, `${person} ${serial}`), act: tokenAct }));
		const passwordAct = actOf(person, `s of ${person}`, `${person} password ${serial}`, 'set_password');
		const password = done(() =>
			bank.changePerson({ ...setPassword(person, `s of ${person}`, `${serial}`), act: passwordAct }),
		);
		const requestId = `${person} gift ${serial}`;
		const giftAct = { ...actOf(person, `s of ${person}`, requestId, 'give_balance'), requestId };
		const gift = done(() =>
			bank.submit({ ...giveBalance(`of.${person}`, `sub.${person}`, 1), requestId, act: giftAct }),
		);
		for (const [kind, ending] of [
			['token', token],
			['password', password],
			['gift', gift],
		] as const) {
			await ending;
			process.stdout.write(`${person} ${kind} ${serial}\n`);
		}
	}
}

/** Acts until it is done. A busy machine may not do it in time, or not say so; an act is done once. */
async function done(
	give: () => Promise<{ readonly ok: true } | { readonly ok: false; readonly error: string }>,
): Promise<void> {
	for (;;) {
		const outcome = await give();
		if (outcome.ok || outcome.error === 'act_repeated') return;
		if (outcome.error !== 'not_done' && outcome.error !== 'outcome_unknown') throw new Error(outcome.error);
	}
}

await Promise.all(
	process.argv.slice(2).map((arg) => {
		const [person = '', first] = arg.split('=');
		return act(person, Number(first));
	}),
);
