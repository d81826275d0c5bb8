import { normalizeSignInIp, signInIp } from '@bursar/contract/sign-in-ips';
import { print, printTable } from '@bursar/terminal';
import { Command, InvalidArgumentError } from 'commander';
import { printResult } from '../output.ts';
import { inSession } from '../session.ts';

/** `bursar address ADDRESS`: who signs in from an address. Resellers are not told. */
export function addressCommand(): Command {
	return new Command('address')
		.description('show which accounts sign in from an address, or from a network /64 of IPv6')
		.argument('<address>', 'an address of IPv4 or IPv6, or a network /64', readIp)
		.addHelpText('after', '\nExample:\n  $ bursar address 192.0.2.7\n')
		.action((ip: string, options: { json?: boolean }) => showHolders(ip, options));
}

async function showHolders(ip: string, { json }: { json?: boolean }): Promise<void> {
	const found = await inSession(({ store }) => store.listSignIns(ip));
	const accounts = found.map(({ address, reseller, username, isAllowed }) => ({
		...{ username, reseller, address: signInIp(address), sign_in_by_address: isAllowed === 1 },
	}));
	if (json) return printResult({ address: ip, accounts }, true);
	if (accounts.length === 0) return print([`no account signs in from ${ip}`]);
	printTable(
		[{ title: 'USERNAME' }, { title: 'RESELLER' }, { title: 'ADDRESS' }, { title: 'ALLOWED' }],
		accounts.map((each) => [each.username, each.reseller, each.address, each.sign_in_by_address ? 'yes' : 'no']),
	);
}

function readIp(text: string): string {
	const ip = normalizeSignInIp(text);
	if (ip === undefined) throw new InvalidArgumentError('It must be the address of a client, or a network /64 of IPv6.');
	return ip;
}
