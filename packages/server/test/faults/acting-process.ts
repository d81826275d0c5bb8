import { createBank } from '../../src/bank/bank.ts';
import { readConfig } from '../../src/config.ts';
import { openStore } from '../../src/engine.ts';
import { giveBalance, revokeToken } from '../support/commands.ts';
import { actOf, setPassword } from '../support/person-commands.ts';

// A program in which people act without end: each changes the token of a reseller and a password, and gives a cent to a
// sub-user, in turns. It prints
// `person kind serial` after each answer. Its arguments are the first serials, like `ada=7`.
const store = await openStore(readConfig(process.env));
const bank = createBank(store, { observer: { batchDone() {}, fault() {} } });

async function act(person: string, first: number): Promise<never> {
	for (let serial = first; ; serial++) {
		const tokenAct = actOf(person, `s of ${person}`, `${person} token ${serial}`, 'end_all_tokens');
		const token = bank.submit({ ...revokeToken(`of.${person}`, `${person} ${serial}`), act: tokenAct });
		const passwordAct = actOf(person, `s of ${person}`, `${person} password ${serial}`, 'set_password');
		const password = bank.changePerson({ ...setPassword(person, `s of ${person}`, `${serial}`), act: passwordAct });
		const requestId = `${person} gift ${serial}`;
		const giftAct = { ...actOf(person, `s of ${person}`, requestId, 'give_balance'), requestId };
		const gift = bank.submit({ ...giveBalance(`of.${person}`, `sub.${person}`, 1), requestId, act: giftAct });
		for (const [kind, outcome] of [
			['token', await token],
			['password', await password],
			['gift', await gift],
		] as const) {
			if (!outcome.ok) throw new Error(`${person} ${kind} ${serial}: ${outcome.error}`);
			process.stdout.write(`${person} ${kind} ${serial}\n`);
		}
	}
}

await Promise.all(
	process.argv.slice(2).map((arg) => {
		const [person = '', first] = arg.split('=');
		return act(person, Number(first));
	}),
);
