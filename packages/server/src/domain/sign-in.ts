import { MAX_SIGN_IN_IPS } from '@bursar/contract/limits';
import { signInKey } from '@bursar/contract/sign-in-ips';

/** From where an account signs in without a password. */
export interface SignInAddress {
	/** The key of an address or of a /64, as the contract writes it. */
	readonly address: string;
	readonly reseller: string;
	readonly username: string;
}

/** All addresses of an account. */
export interface SignInAddresses extends Pick<SignInAddress, 'reseller' | 'username'> {
	readonly addresses: readonly string[];
}

/** How many addresses in a /64 are loaded: one more than an account may have, so that one of another account is among them. */
export const LOADED_IN_NETWORK = MAX_SIGN_IN_IPS + 1;

/** The keys of addresses in the form in which everybody reads them, in the order in which the store has them. */
export function signInKeysFrom(ips: readonly string[]): readonly string[] {
	return ips.map(signInKey).sort();
}
