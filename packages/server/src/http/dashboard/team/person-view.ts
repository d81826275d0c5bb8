import type { InvitationLink, ListedPerson } from '@bursar/contract/dashboard';
import { linkUrl } from '../../../credentials.ts';
import type { PersonOfReseller } from '../../../store/tables/people/lists.ts';
import { time, timeOrNull } from '../calls/times.ts';

/** A person as operators and colleagues see them. */
export function personView({ email, role, state, secondFactor, lastSeenAtMs }: PersonOfReseller): ListedPerson {
	return { email, role, state, second_factor: secondFactor, last_seen: timeOrNull(lastSeenAtMs) };
}

/** The link for a person. The answer is the only place where it ever stands. */
export function linkView(
	publicUrl: string,
	secret: string,
	{ email, expiresAtMs }: { readonly email: string; readonly expiresAtMs: number },
): InvitationLink {
	return { link: linkUrl(publicUrl, secret), email, expires: time(expiresAtMs) };
}
