import { UsageError } from '@bursar/terminal';
import type { GlobalOptions } from '../global-options.ts';
import { readToken } from '../token.ts';
import { DEFAULT_PROFILE, type Profile, readProfile } from './profile-file.ts';

/**
 * Which service a command uses, and with which token: from options and the environment, or both from a profile. They
 * are never mixed, so that the token of a profile goes to no other service.
 */
export function accessOf(options: GlobalOptions): Profile {
	const url = options.url ?? process.env.BURSAR_URL;
	const isTokenGiven = options.tokenFile !== undefined || Boolean(process.env.BURSAR_TOKEN);
	if (!url && !isTokenGiven) return profileOf(options.profile);
	if (options.profile !== undefined) {
		throw new UsageError(
			`--profile is of no use here, because ${namesOfGiven(options)} comes before any profile: leave out one of them`,
		);
	}
	if (!url) throw new UsageError('the address of the service is missing: set BURSAR_URL, or give --url');
	return { url, token: readToken(options.tokenFile, options.json) };
}

function profileOf(name: string = DEFAULT_PROFILE): Profile {
	const profile = readProfile(name);
	if (profile !== undefined) return profile;
	const missing =
		name === DEFAULT_PROFILE
			? 'the address of the service is missing: set BURSAR_URL, or give --url, or log in with bursarctl login'
			: `there is no profile ${name}: bursarctl login --profile ${name} makes it`;
	throw new UsageError(missing, 'no_profile');
}

/** The names of what is given, by option or environment. */
function namesOfGiven({ url, tokenFile }: GlobalOptions): string {
	const ofUrl = url !== undefined ? '--url' : process.env.BURSAR_URL && 'BURSAR_URL';
	const ofToken = tokenFile !== undefined ? '--token-file' : process.env.BURSAR_TOKEN && 'BURSAR_TOKEN';
	return ofUrl || ofToken || '';
}
