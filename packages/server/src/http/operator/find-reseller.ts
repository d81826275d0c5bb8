import { normalizeUsername } from '@bursar/contract/username';
import type { Account } from '../../domain/account.ts';
import { PROGRAMS } from '../../store/reading.ts';
import type { OperatorDependencies } from './dependencies.ts';

/** The own account of the reseller that a call names. */
export async function findReseller(
	accounts: Pick<OperatorDependencies['accounts'], 'findAccount'>,
	typedName: string,
): Promise<Account | undefined> {
	const reseller = normalizeUsername(typedName);
	return reseller === undefined ? undefined : accounts.findAccount(reseller, reseller, PROGRAMS);
}
